#include "app/cli/dataset_show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/printable.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "db/open_data_set.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

constexpr size_t kShownRows = 20;
constexpr size_t kProgramHashDigits = 12;
constexpr size_t kReportEvery = 1024;

// A graph of the listing, without its content.
struct Row {
  int64_t number = 0;
  data::GraphRecord record;
  int64_t samples = 0;
  std::optional<double> least_ns;
  std::optional<double> most_ns;
  std::optional<double> default_ns;

  void add(const data::Sample& sample) {
    ++samples;
    least_ns = std::min(least_ns.value_or(sample.time_ns), sample.time_ns);
    most_ns = std::max(most_ns.value_or(sample.time_ns), sample.time_ns);
    if (sample.is_default) default_ns = sample.time_ns;
  }
};

Result<std::vector<Row>> read_rows(const db::DataSets& data_sets, const Progress& progress) {
  HLOSCOPE_ASSIGN(const db::DataSetCounts counts, data_sets.counts());
  std::vector<Row> rows;
  size_t done = 0;
  const auto next = [&] {
    if (++done % kReportEvery == 0) {
      const auto all = static_cast<double>(counts.graphs + counts.samples);
      progress.report(static_cast<double>(done) / all, "reading");
    }
    return !progress.stop_requested();
  };
  HLOSCOPE_TRY(data_sets.each_graph([&](db::StoredGraph graph) {
    graph.record.content = {};
    rows.push_back({graph.id.value, std::move(graph.record), 0, {}, {}, {}});
    return next();
  }));
  HLOSCOPE_TRY(data_sets.each_sample([&](db::GraphRow graph, const data::Sample& sample) {
    const uint32_t position = db::position(graph);
    if (position < rows.size()) rows[position].add(sample);
    return next();
  }));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "stopped");
  return rows;
}

Status keep_class(std::vector<Row>& rows, const std::string& wanted, const std::string& noun) {
  if (wanted.empty()) return {};
  std::set<std::string> classes;
  for (const Row& row : rows) classes.insert(class_text(row.record.op_class));
  std::erase_if(rows, [&wanted](const Row& row) {
    return class_text(row.record.op_class).find(wanted) == std::string::npos;
  });
  if (!rows.empty()) return {};
  return fail(ErrorCode::kNotFound, fmt::format("no {} is of class {}", noun, wanted),
              fmt::format("the classes are: {}", fmt::join(classes, ", ")));
}

// Largest first; rows with equal values stay in their order.
void sort_rows(std::vector<Row>& rows, const std::string& key) {
  if (key == "number") return;
  const auto value = [&key](const Row& row) {
    if (key == "nodes") return static_cast<double>(row.record.node_count);
    if (key == "samples") return static_cast<double>(row.samples);
    return row.least_ns.value_or(-1);
  };
  std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) { return value(a) > value(b); });
}

std::string sample_time_text(const std::optional<double>& time_ns) {
  return time_ns ? microseconds(*time_ns) : "-";
}

// Each graph of a data set of fusion has one time, of the others there are a best and a slowest.
std::string rows_table(std::span<const Row> rows, data::Task task) {
  using enum TextTable::Align;
  const bool has_one_time = task == data::Task::kFusion;
  std::vector<TextTable::Column> columns{{"#"}, {"hash", kLeft}, {"class", kLeft}, {"nodes"}};
  if (has_one_time) {
    columns.push_back({"time µs"});
  } else {
    columns.insert(columns.end(), {{"samples"}, {"best µs"}, {"slowest µs"}});
  }
  columns.push_back({"what", kLeft});
  TextTable table(std::move(columns));
  for (const Row& row : rows) {
    const data::GraphRecord& record = row.record;
    std::vector<std::string> cells{std::to_string(row.number),
                                   record.hash.hex().substr(0, kProgramHashDigits),
                                   class_text(record.op_class), grouped(record.node_count)};
    if (!has_one_time) cells.push_back(grouped(row.samples));
    cells.push_back(sample_time_text(row.least_ns));
    if (!has_one_time) cells.push_back(sample_time_text(row.most_ns));
    cells.push_back(shortened(record.label, has_one_time ? 40 : 24));
    table.add_row(std::move(cells));
  }
  return table.text();
}

ordered_json to_json(const Row& row) {
  const data::GraphRecord& record = row.record;
  return {{"graph", row.number},
          {"hash", record.hash.hex()},
          {"op_class", record.op_class},
          {"label", record.label},
          {"nodes", record.node_count},
          {"form", data::name(record.form)},
          {"samples", row.samples},
          {"best_ns", or_null(row.least_ns)},
          {"default_ns", or_null(row.default_ns)},
          {"slowest_ns", or_null(row.most_ns)}};
}

Status show(const ShowOptions& options) {
  const Interrupt interrupt;
  const Progress progress = terminal_progress(interrupt.token());
  HLOSCOPE_ASSIGN(db::Database database, db::open_data_set(options.file, db::OpenMode::kReadOnly));
  const db::DataSets data_sets(database);
  if (!options.graph.empty()) return show_graph(options, data_sets, progress);
  return show_graphs(options, data_sets, progress);
}

constexpr auto kShowFooter =
    "Sorted: the largest first; time is that of the best sample. The samples of one graph: the "
    "fastest first.\n"
    "Example: hloscope-cli dataset show tiles.hloscope --sort time --class matmul --limit 10\n"
    "Example: hloscope-cli dataset show tiles.hloscope --graph 7 --hlo > kernel.hlo\n"
    "Example: hloscope-cli dataset show tiles.hloscope --json\n"
    "  {\"file\": \"tiles.hloscope\", \"name\": \"tiles\", \"task\": \"tile\", \"target\": "
    "\"simulated (tpu_v3@4f1c09ab)\",\n   \"target_kind\": \"simulated\", \"graph_count\": 1165, "
    "\"graphs\": [{\"graph\": 1, \"hash\": \"...\",\n   \"op_class\": \"elementwise\", \"label\": "
    "\"add\", \"nodes\": 4, \"form\": \"hlo\", \"samples\": 50,\n   \"best_ns\": 1204.0, "
    "\"default_ns\": 1210.5, \"slowest_ns\": 9800.0}]}\n"
    "Example: hloscope-cli dataset show tiles.hloscope --graph 7 --hlo --json\n"
    "  {\"file\": \"...\", \"graph\": 7, \"hash\": \"...\", \"op_class\": \"elementwise\", "
    "\"label\": \"add\", \"nodes\": 4,\n   \"form\": \"hlo\", \"target\": \"...\", "
    "\"target_kind\": \"simulated\", \"programs\": [{\"program\": \"...\",\n   \"family\": "
    "\"...\", \"configurations\": 1, \"default_executions\": 2.0}], \"sample_count\": 50,\n   "
    "\"samples\": [{\"time_ns\": 1204.0, \"slowdown\": 1.0, \"is_default\": false, "
    "\"normalizer_ns\": null, "
    "\"text\": \"out=4x2\",\n   \"ranks\": [3], \"configuration\": [[], [4, 2]]}], \"hlo\": "
    "\"HloModule ...\"}";

}  // namespace

size_t shown_rows(const ShowOptions& options, size_t count) {
  return std::min(count, options.limit.value_or(options.json ? count : kShownRows));
}

std::string more_rows_text(size_t shown, size_t count) {
  if (shown == count) return {};
  return fmt::format("... {} more; --limit N shows N\n", grouped(count - shown));
}

Status show_graphs(const ShowOptions& options, const db::DataSets& data_sets,
                   const Progress& progress) {
  HLOSCOPE_ASSIGN(const data::DataSetInfo info, data_sets.info());
  HLOSCOPE_ASSIGN(std::vector<Row> rows, read_rows(data_sets, progress));
  progress.report(1, "");
  const std::string noun = graph_noun(info.task);
  const size_t all = rows.size();
  HLOSCOPE_TRY(keep_class(rows, options.op_class, noun));
  sort_rows(rows, options.sort);
  const std::span<const Row> shown(rows.data(), shown_rows(options, rows.size()));
  if (options.json) {
    auto list = ordered_json::array();
    for (const Row& row : shown) list.push_back(to_json(row));
    const ordered_json out = {{"file", options.file},
                              {"name", info.name},
                              {"task", data::name(info.task)},
                              {"target", info.target.label()},
                              {"target_kind", data::name(info.target.kind)},
                              {"graph_count", all},
                              {"graphs", list}};
    std::cout << json_text(out) << "\n";
    return {};
  }
  std::cout << fmt::format("{}: data set '{}', task {}, {}\ntimes: {}\n\n", options.file,
                           printable(info.name), data::name(info.task),
                           counted(static_cast<int64_t>(all), noun, noun + "s"),
                           info.target.label())
            << rows_table(shown, info.task) << more_rows_text(shown.size(), rows.size());
  return {};
}

void add_dataset_show(CLI::App& dataset, int& exit_code) {
  const auto options = std::make_shared<ShowOptions>();
  CLI::App& command = *dataset.add_subcommand(
      "show", "lists the kernels of a data set, or one of them with its samples and HLO");
  command.add_option("FILE", options->file, "a data set")->required();
  auto* graph = command.add_option("--graph", options->graph,
                                   "only this one: its number, or the first digits of its hash");
  command.add_flag("--hlo", options->hlo, "the HLO text of --graph")->needs(graph);
  command
      .add_option("--model", options->models,
                  "of --graph: models that rank its samples, .safetensors files or built-in")
      ->needs(graph);
  command.add_option("--class", options->op_class, "only those of an op class, e.g. matmul")
      ->excludes(graph);
  command.add_option("--sort", options->sort, "order of the list")
      ->check(CLI::IsMember({"number", "time", "nodes", "samples"}))
      ->capture_default_str()
      ->excludes(graph);
  command.add_option("--limit", options->limit, "rows (default: 20 in text, all in JSON)")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()));
  command.add_flag("--json", options->json, "JSON instead of text");
  command.footer(kShowFooter);
  command.callback([options, &exit_code] { settle(show(*options), exit_code); });
}

}  // namespace hloscope::cli
