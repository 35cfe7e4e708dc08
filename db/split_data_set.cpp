#include "db/split_data_set.h"

#include <fmt/format.h>

#include "db/given_name.h"

namespace hloscope::db {

namespace {

using Method = SplitOrder::Method;

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::kCancelled, "stopped", "the splits of the file are as they were");
}

Result<std::vector<data::Meeting>> meetings(const DataSets& data_sets, const Progress& progress) {
  std::vector<data::Meeting> out;
  HLOSCOPE_TRY(data_sets.each_sighting([&](const Sighting& sighting) {
    out.push_back({sighting.program, position(sighting.graph)});
    return !progress.stop_requested();
  }));
  if (progress.stop_requested()) return stopped();
  return out;
}

Status add_kind(const data::GraphRecord& graph, data::GraphKinds& kinds) {
  if (!graph.op_class.empty()) {
    kinds.add(graph.op_class, graph.label);
    return {};
  }
  HLOSCOPE_ASSIGN(const std::vector<data::OpcodeCount> opcodes, data::graph_opcodes(graph));
  kinds.add(opcodes);
  return {};
}

Result<data::GraphKinds> graph_kinds(const DataSets& data_sets, int64_t count,
                                     const Progress& progress) {
  data::GraphKinds out;
  Status status;
  HLOSCOPE_TRY(data_sets.each_graph([&](const StoredGraph& graph) {
    status = add_kind(graph.record, out);
    progress.report(static_cast<double>(out.size()) / static_cast<double>(count),
                    "reading kernels");
    return status.has_value() && !progress.stop_requested();
  }));
  HLOSCOPE_TRY(status);
  if (progress.stop_requested()) return stopped();
  return out;
}

Status count_samples(const DataSets& data_sets, SplitReport& report, const Progress& progress) {
  HLOSCOPE_TRY(data_sets.each_sample([&](GraphRow graph, const data::Sample&) {
    const data::Part part = report.split.graphs[position(graph)];
    ++report.samples[static_cast<size_t>(part)];
    return !progress.stop_requested();
  }));
  if (progress.stop_requested()) return stopped();
  return {};
}

std::string settings_text(const SplitOrder& order, const data::GraphParts& graphs) {
  const data::RandomSplitOptions& options = order.options;
  const std::string held_out =
      fmt::format(R"("valid":{},"test":{})", options.held_out.valid, options.held_out.test);
  const std::string method = order.method == Method::kManual
                                 ? fmt::format(R"("method":"manual",{},"families":true)", held_out)
                                 : fmt::format(R"("method":"random",{},"seed":{},"families":{})",
                                               held_out, options.seed, options.keep_families);
  return fmt::format(
      R"({{{},"moved_graphs":{{"train_to_valid":{},"train_to_test":{},"valid_to_test":{}}}}})",
      method, graphs.train_to_valid, graphs.train_to_test, graphs.valid_to_test);
}

Status divide(const DataSets& data_sets, const SplitOrder& order, SplitReport& report,
              const Progress& progress) {
  HLOSCOPE_ASSIGN(report.programs, data_sets.programs());
  HLOSCOPE_ASSIGN(const int64_t count, data_sets.graph_count());
  HLOSCOPE_ASSIGN(const std::vector<data::Meeting> met, meetings(data_sets, progress));
  data::Split& split = report.split;
  if (order.method == Method::kManual) {
    HLOSCOPE_ASSIGN(const data::GraphKinds kinds,
                    graph_kinds(data_sets, count, progress.part(0, 0.4)));
    HLOSCOPE_ASSIGN(
        const data::Similarities similarities,
        data::similarities(report.programs.size(), kinds, met, progress.part(0.4, 0.7)));
    HLOSCOPE_ASSIGN(split.programs,
                    data::manual_split(report.programs, similarities, order.options.held_out,
                                       progress.part(0.7, 0.8)));
    report.nearest = data::nearest_training(report.programs, split.programs, similarities);
  } else {
    HLOSCOPE_ASSIGN(split.programs, data::random_split(report.programs, order.options));
  }
  report.graphs = data::graph_parts(split.programs, static_cast<size_t>(count), met);
  split.graphs = report.graphs.parts;
  return data::check_no_leak(split, report.programs, met);
}

}  // namespace

Result<SplitReport> split_data_set(Database& database, const SplitOrder& order,
                                   const Progress& progress) {
  HLOSCOPE_TRY(check_given_name("split", order.name));
  DataSets data_sets(database);
  SplitReport report;
  report.split.name = order.name;
  HLOSCOPE_TRY(divide(data_sets, order, report, progress.part(0, 0.8)));
  report.split.settings = settings_text(order, report.graphs);
  progress.report(0.8, "counting samples");
  HLOSCOPE_TRY(count_samples(data_sets, report, progress));
  HLOSCOPE_ASSIGN(Writing writing, Writing::begin(database));
  HLOSCOPE_TRY(data_sets.put_split(report.split));
  HLOSCOPE_TRY(writing.commit());
  return report;
}

}  // namespace hloscope::db
