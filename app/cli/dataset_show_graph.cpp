#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "app/cli/dataset.h"
#include "app/cli/dataset_show.h"
#include "app/cli/json_text.h"
#include "app/cli/text_table.h"
#include "db/ranked_samples.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kDecimalDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr size_t kMostNumberDigits = 9;
constexpr size_t kShownPrograms = 5;

struct Meeting {
  std::string program;
  std::string family;
  db::Sighting sighting;
};

// A graph, its samples by time, and where it was met.
struct ShownGraph {
  data::DataSetInfo info;
  db::StoredGraph graph;
  db::RankedSamples ranked;
  std::vector<Meeting> meetings;
};

Result<db::GraphRow> find_by_hash(const db::DataSets& data_sets, const std::string& digits) {
  std::vector<db::GraphRow> found;
  HLOSCOPE_TRY(data_sets.each_hash([&](db::GraphRow row, const Hash128& hash) {
    if (hash.hex().starts_with(digits)) found.push_back(row);
    return true;
  }));
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return fail(ErrorCode::kNotFound, fmt::format("the data set has no graph {}", digits),
                "'dataset show FILE' lists them: give a number, or the first digits of a hash");
  }
  return fail(ErrorCode::kInvalidInput,
              fmt::format("{} graphs have a hash that begins with {}", found.size(), digits),
              "give more of its digits");
}

// Up to nine decimal digits are a number, so that a number too large never shows another graph.
Result<db::GraphRow> find_graph(const db::DataSets& data_sets, const std::string& text) {
  HLOSCOPE_ASSIGN(const int64_t count, data_sets.graph_count());
  if (text.find_first_not_of(kHexDigits) != std::string::npos) {
    return fail(ErrorCode::kInvalidInput, fmt::format("--graph {} is no number and no hash", text),
                fmt::format("graphs are numbered 1 to {}; hashes have the digits 0 to 9 and a to f",
                            count));
  }
  const bool is_number = text.size() <= kMostNumberDigits &&
                         text.find_first_not_of(kDecimalDigits) == std::string::npos;
  if (!is_number) return find_by_hash(data_sets, text);
  const int64_t number = std::stoll(text);
  if (number >= 1 && number <= count) return db::GraphRow{number};
  return fail(ErrorCode::kNotFound, fmt::format("the data set has no graph {}", text),
              fmt::format("graphs are numbered 1 to {}", count));
}

Result<ShownGraph> read_graph(const db::DataSets& data_sets, const ShowOptions& options,
                              const Progress& progress) {
  ShownGraph out;
  HLOSCOPE_ASSIGN(out.info, data_sets.info());
  HLOSCOPE_ASSIGN(const db::GraphRow row, find_graph(data_sets, options.graph));
  HLOSCOPE_ASSIGN(out.graph, data_sets.graph(row));
  HLOSCOPE_ASSIGN(out.ranked, db::ranked_samples({options.file, row, options.models}, progress));
  HLOSCOPE_ASSIGN(const std::vector<data::SourceProgram> programs, data_sets.programs());
  HLOSCOPE_ASSIGN(const std::vector<db::Sighting> sightings, data_sets.sightings(row));
  for (const db::Sighting& sighting : sightings) {
    const data::SourceProgram& program = programs[sighting.program];
    out.meetings.push_back({program.name, program.family, sighting});
  }
  return out;
}

// What came in when.
std::string meeting_text(const Meeting& meeting, bool is_generated) {
  if (!is_generated) return meeting.program;
  std::string out =
      fmt::format("{}, in {}", meeting.program,
                  counted(meeting.sighting.count, "fusion configuration", "fusion configurations"));
  if (meeting.sighting.default_executions > 0) {
    out += fmt::format("; executions with the default fusion: {:.6g}",
                       meeting.sighting.default_executions);
  }
  return out;
}

void print_head(const ShowOptions& options, const ShownGraph& shown) {
  const data::GraphRecord& record = shown.graph.record;
  const bool is_text = record.form == data::GraphForm::kHlo;
  std::cout << fmt::format(
      "{} {} of {}: {}\nhash     {}\nclass    {}, {}\ncontent  {}\n", graph_noun(shown.info.task),
      shown.graph.id.value, options.file, record.label, record.hash.hex(),
      class_text(record.op_class), counted(record.node_count, "node", "nodes"),
      is_text ? "HLO text; --hlo writes it" : "features of TpuGraphs, no HLO text");
  const size_t programs = std::min(shown.meetings.size(), kShownPrograms);
  for (size_t i = 0; i < programs; ++i) {
    std::cout << (i == 0 ? "met in   " : "         ")
              << meeting_text(shown.meetings[i], shown.info.unit_count > 0) << "\n";
  }
  if (programs < shown.meetings.size()) {
    std::cout << fmt::format("         and {} more\n", shown.meetings.size() - programs);
  }
  std::cout << fmt::format("times    {}, {}\n", shown.info.target.label(),
                           counted(std::ssize(shown.ranked.samples), "sample", "samples"));
}

void print_samples(const ShowOptions& options, const ShownGraph& shown) {
  const std::vector<db::RankedSample>& samples = shown.ranked.samples;
  if (samples.empty()) return;
  using enum TextTable::Align;
  std::vector<TextTable::Column> columns{{fmt::format("{} µs", data::name(shown.info.target.kind))},
                                         {"slowdown"}};
  for (const std::string& model : shown.ranked.models) {
    columns.push_back({"rank by " + std::filesystem::path(model).filename().string()});
  }
  columns.push_back({"default", kLeft});
  columns.push_back({"configuration", kLeft});
  TextTable table(columns);
  const size_t rows = shown_rows(options, samples.size());
  // Layouts change the time of a whole program by little.
  const int decimals = shown.info.task == data::Task::kLayout ? 4 : 2;
  for (size_t i = 0; i < rows; ++i) {
    std::vector<std::string> cells{microseconds(samples[i].sample.time_ns),
                                   fmt::format("{:.{}f}", samples[i].slowdown, decimals)};
    for (const size_t rank : samples[i].ranks) cells.push_back(grouped(rank));
    cells.emplace_back(samples[i].sample.is_default ? "default" : "");
    cells.push_back(samples[i].text);
    table.add_row(std::move(cells));
  }
  std::cout << "\n" << table.text() << more_rows_text(rows, samples.size());
}

ordered_json programs_json(const ShownGraph& shown) {
  auto out = ordered_json::array();
  for (const Meeting& meeting : shown.meetings) {
    out.push_back({{"program", meeting.program},
                   {"family", meeting.family},
                   {"configurations", meeting.sighting.count},
                   {"default_executions", meeting.sighting.default_executions}});
  }
  return out;
}

ordered_json to_json(const ShowOptions& options, const ShownGraph& shown) {
  const data::GraphRecord& record = shown.graph.record;
  auto samples = ordered_json::array();
  const size_t rows = shown_rows(options, shown.ranked.samples.size());
  for (size_t i = 0; i < rows; ++i) {
    const db::RankedSample& ranked = shown.ranked.samples[i];
    samples.push_back({{"time_ns", ranked.sample.time_ns},
                       {"slowdown", ranked.slowdown},
                       {"is_default", ranked.sample.is_default},
                       {"normalizer_ns", or_null(ranked.sample.normalizer_ns)},
                       {"text", ranked.text},
                       {"ranks", ranked.ranks},
                       {"configuration", ranked.sample.configuration}});
  }
  ordered_json out = {{"file", options.file},
                      {"graph", shown.graph.id.value},
                      {"hash", record.hash.hex()},
                      {"op_class", record.op_class},
                      {"label", record.label},
                      {"nodes", record.node_count},
                      {"form", data::name(record.form)},
                      {"target", shown.info.target.label()},
                      {"target_kind", data::name(shown.info.target.kind)},
                      {"programs", programs_json(shown)},
                      {"models", shown.ranked.models},
                      {"sample_count", shown.ranked.samples.size()},
                      {"samples", samples}};
  if (options.hlo) out["hlo"] = record.content;
  return out;
}

}  // namespace

Status show_graph(const ShowOptions& options, const db::DataSets& data_sets,
                  const Progress& progress) {
  HLOSCOPE_ASSIGN(const ShownGraph shown, read_graph(data_sets, options, progress));
  progress.report(1, "");
  if (options.hlo && shown.graph.record.form != data::GraphForm::kHlo) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("graph {} came with its features only, there is no HLO text of it",
                            shown.graph.id.value));
  }
  if (options.json) {
    std::cout << json_text(to_json(options, shown)) << "\n";
  } else if (options.hlo) {
    const std::string& text = shown.graph.record.content;
    std::cout << text << (text.ends_with('\n') ? "" : "\n");
  } else {
    print_head(options, shown);
    print_samples(options, shown);
  }
  return {};
}

}  // namespace hloscope::cli
