#include "app/cli/accuracy_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/json_text.h"
#include "app/cli/text_table.h"
#include "core/analysis/compare_pairs.h"

namespace hloscope::cli {

namespace {

using analysis::ComparePoint;
using analysis::Grouping;
using analysis::PairAxes;
using analysis::PairSource;
using analysis::TimeRange;
using Json = nlohmann::ordered_json;

constexpr size_t kLargestShown = 10;
constexpr size_t kGroupsShown = 20;

// A row of the table of metrics.
struct MetricRow {
  PairSource source;
  TimeRange range;
  analysis::CompareMetrics metrics;
  analysis::TileTau tile_tau;
};

// What is compared, and how.
struct Comparison {
  std::vector<ComparePoint> points;
  PairAxes axes;
  std::vector<PairSource> judged;  // y first.
  bool of_runs = false;
  size_t largest = 0;  // Rows; 0: all.
};

std::optional<PairSource> source_called(std::string_view id) {
  for (const analysis::PairSourceInfo& known : analysis::kPairSources) {
    if (known.id == id) return known.source;
  }
  return std::nullopt;
}

std::vector<PairSource> judged_sources(const Comparison& of) {
  std::vector<PairSource> out{of.axes.y};
  for (const analysis::PairSourceInfo& other : analysis::kPairSources) {
    if (other.source == of.axes.x || other.source == of.axes.y) continue;
    if (has_times(of.points, other.source, of.axes.scale)) out.push_back(other.source);
  }
  return out;
}

// As with_pair(): with both times.
size_t pair_count(const Comparison& of) {
  return static_cast<size_t>(std::ranges::count_if(
      of.points, [&of](const auto& point) { return of.axes.has_pair(point); }));
}

size_t timed_count(const Comparison& of) {
  return static_cast<size_t>(std::ranges::count_if(
      of.points, [&of](const auto& point) { return of.axes.x_ns(point) > 0; }));
}

std::string_view range_id(TimeRange range) {
  if (range == TimeRange::kAll) return "all";
  return range == TimeRange::kShort ? "short" : "long";
}

std::string range_text(TimeRange range) {
  if (range == TimeRange::kAll) return "all";
  return fmt::format("{} {:g} µs",
                     range == TimeRange::kShort ? "<" : ">=", analysis::kShortKernelNs / 1e3);
}

std::vector<MetricRow> metric_rows(const Comparison& of) {
  std::vector<MetricRow> out;
  for (const PairSource source : of.judged) {
    const PairAxes pair = of.axes.with_y(source);
    for (const TimeRange range : analysis::kTimeRanges) {
      out.push_back(
          {source, range, analysis::pair_metrics(of.points, pair, range),
           of.of_runs ? analysis::pair_tile_tau(of.points, pair, range) : analysis::TileTau()});
    }
  }
  return out;
}

Json number_json(double value) {
  return value == value ? Json(value) : Json();
}

Json metrics_json(const Comparison& of) {
  auto out = Json::array();
  for (const MetricRow& row : metric_rows(of)) {
    const bool has_any = row.metrics.n > 0;
    Json one = {{"source", analysis::info(row.source).id},
                {"range", range_id(row.range)},
                {"n", row.metrics.n}};
    one["mape"] = has_any ? number_json(row.metrics.mape) : Json();
    one["median_ape"] = has_any ? number_json(row.metrics.median_ape) : Json();
    one["kendall_tau"] = has_any ? number_json(row.metrics.kendall_tau) : Json();
    one["within_10_percent"] = has_any ? number_json(row.metrics.within_band) : Json();
    one["kernels_with_tau"] = row.tile_tau.kernels;
    one["kernel_mean_tau"] = row.tile_tau.kernels > 0 ? Json(row.tile_tau.mean) : Json();
    out.push_back(std::move(one));
  }
  return out;
}

constexpr std::array kGroupings{std::pair(Grouping::kOpClass, "class"),
                                std::pair(Grouping::kProgram, "program"),
                                std::pair(Grouping::kSize, "size")};

Json groups_json(const Comparison& of, Grouping grouping) {
  auto out = Json::array();
  for (const auto& group : analysis::error_groups(of.points, of.axes, of.judged, grouping)) {
    auto errors = Json::array();
    for (size_t s = 0; s < of.judged.size(); ++s) {
      errors.push_back({{"source", analysis::info(of.judged[s]).id},
                        {"n", group.errors[s].n},
                        {"mape", number_json(group.errors[s].mape)}});
    }
    out.push_back({{"group", group.key}, {"errors", std::move(errors)}});
  }
  return out;
}

Json largest_json(const Comparison& of) {
  auto out = Json::array();
  for (const uint32_t at : analysis::largest_differences(of.points, of.axes)) {
    if (of.largest > 0 && out.size() == of.largest) break;
    const ComparePoint& point = of.points[at];
    out.push_back({{"kernel", point.kernel_name},
                   {"program", point.program_name},
                   {"file", point.file_path},
                   {"module_number", point.module_number},
                   {"tile", point.configuration},
                   {"class", hlo::name(point.op_class)},
                   {"x_ns", of.axes.x_ns(point)},
                   {"y_ns", of.axes.y_ns(point)},
                   {"error", of.axes.error(point)}});
  }
  return out;
}

Json to_json(const Comparison& of, const sim::Machine& machine) {
  const analysis::ResidualHistogram residuals = analysis::residual_histogram(of.points, of.axes);
  Json groups;
  for (const auto& [grouping, name] : kGroupings) groups[name] = groups_json(of, grouping);
  return {{"machine", machine.id},
          {"machine_hash", machine.hash.hex()},
          {"points_are", of.of_runs ? "runs" : "kernels"},
          {"x", analysis::info(of.axes.x).id},
          {"y", analysis::info(of.axes.y).id},
          {"points", timed_count(of)},
          {"pairs", pair_count(of)},
          {"scale", number_json(of.axes.scale)},
          {"metrics", metrics_json(of)},
          {"median_ratio", number_json(residuals.median_ratio)},
          {"spread", number_json(residuals.spread)},
          {"errors_by", groups},
          {"largest", largest_json(of)}};
}

std::string metrics_text(const Comparison& of) {
  using enum TextTable::Align;
  std::vector<TextTable::Column> columns{{"Source", kLeft}, {"Range", kLeft}, {"n"},
                                         {"MAPE %"},        {"Median %"},     {"Kendall tau"}};
  if (of.of_runs) columns.push_back({"tau/kernel"});
  columns.push_back({"in ±10 %"});
  TextTable table(columns);
  const auto number = [](bool has, double value, double factor, int decimals) {
    return has && value == value ? fmt::format("{:.{}f}", value * factor, decimals) : "-";
  };
  for (const MetricRow& row : metric_rows(of)) {
    const analysis::CompareMetrics& m = row.metrics;
    std::vector<std::string> cells{std::string(analysis::info(row.source).name),
                                   range_text(row.range),
                                   grouped(m.n),
                                   number(m.n > 0, m.mape, 100, 1),
                                   number(m.n > 0, m.median_ape, 100, 1),
                                   number(m.n > 0, m.kendall_tau, 1, 3)};
    if (of.of_runs) cells.push_back(number(row.tile_tau.kernels > 0, row.tile_tau.mean, 1, 3));
    cells.push_back(number(m.n > 0, m.within_band, 100, 0));
    table.add_row(std::move(cells));
  }
  return table.text();
}

std::string groups_text(const Comparison& of, Grouping grouping, const std::string& title) {
  std::vector<TextTable::Column> columns{{title, TextTable::Align::kElided}, {"n"}};
  for (const PairSource source : of.judged) {
    columns.push_back({std::string(analysis::info(source).title) + ", MAPE %"});
  }
  TextTable table(columns);
  const auto groups = analysis::error_groups(of.points, of.axes, of.judged, grouping);
  for (const analysis::ErrorGroup& group : groups) {
    if (table.rows() == kGroupsShown) break;
    std::vector<std::string> cells{shortened(group.key, 40), grouped(group.n)};
    for (const analysis::ClassError& error : group.errors) {
      cells.push_back(error.n > 0 ? fmt::format("{:.1f}", error.mape * 100) : "-");
    }
    table.add_row(std::move(cells));
  }
  std::string out = "\n" + table.text();
  if (groups.size() > table.rows()) {
    out += fmt::format("... {} more in JSON\n", groups.size() - table.rows());
  }
  return out;
}

std::string largest_text(const Comparison& of) {
  using enum TextTable::Align;
  const std::string x(analysis::info(of.axes.x).title);
  const std::string y(analysis::info(of.axes.y).title);
  TextTable table({{x + " µs"},
                   {y + " µs"},
                   {"Error %"},
                   {"Kernel", kElided},
                   {"Program", kElided},
                   {"Tile", kElided}});
  const std::vector<uint32_t> order = analysis::largest_differences(of.points, of.axes);
  const size_t most = of.largest > 0 ? of.largest : kLargestShown;
  for (const uint32_t at : order) {
    if (table.rows() == most) break;
    const ComparePoint& point = of.points[at];
    table.add_row({microseconds(of.axes.x_ns(point)), microseconds(of.axes.y_ns(point)),
                   fmt::format("{:+.1f}", of.axes.error(point) * 100),
                   shortened(point.kernel_name, 30), shortened(point.program_name, 30),
                   point.configuration.empty() ? "default" : point.configuration});
  }
  std::string out = "\nlargest differences\n" + table.text();
  if (order.size() > table.rows()) {
    out += fmt::format("... {} more; --largest N shows N\n", grouped(order.size() - table.rows()));
  }
  return out;
}

std::string to_text(const Comparison& of, const sim::Machine& machine) {
  const size_t timed = timed_count(of);
  const size_t pairs = pair_count(of);
  const char* one = of.of_runs ? "measured run" : "kernel";
  std::string out = fmt::format("{} against {}; {}, {}\n", analysis::info(of.axes.y).name,
                                analysis::info(of.axes.x).name, machine.title,
                                counted(static_cast<int64_t>(timed), one, std::string(one) + "s"));
  if (pairs < timed) {
    out += fmt::format("left out: {}{}\n",
                       counted(static_cast<int64_t>(timed - pairs), one, std::string(one) + "s"),
                       of.of_runs ? " of tiles that are not known or do not fit the kernel"
                                  : " without such a time");
  }
  if (std::ranges::count(of.judged, PairSource::kScaled) > 0) {
    out += fmt::format("scaled: analytical times x {:.3f}\n", of.axes.scale);
  }
  out += "\n" + metrics_text(of);
  for (const auto& [grouping, name] : kGroupings) out += groups_text(of, grouping, name);
  return out + largest_text(of);
}

Error nothing_to_compare(const Comparison& of) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("no kernel of these files has both a {} and a {} time",
                              analysis::info(of.axes.x).name, analysis::info(of.axes.y).name);
  error.hint =
      "measured times come with tuning files; others are compared with --against simulated";
  return error;
}

}  // namespace

void add_file_accuracy_options(CLI::App& command, FileAccuracyOptions& options) {
  const CLI::IsMember known(
      {"measured", "simulated", "analytical", "scaled", "predicted", "compiler"});
  command.add_option("FILE", options.files,
                     "programs with measured times, FILE#N is the Nth module: their kernels, or "
                     "with --runs every run, as the page Compare shows them");
  command.add_flag("--runs", options.runs,
                   "of FILE: one point per measured run, estimated at its tile");
  command.add_option("--against", options.against, "of FILE: the times that others are judged by")
      ->check(known)
      ->capture_default_str();
  command.add_option("--judge", options.judge, "of FILE: the times that are judged first")
      ->check(known)
      ->capture_default_str();
  command
      .add_option("--largest", options.largest,
                  "of FILE: rows of the largest differences (default: 10 in text, all in JSON)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 31));
  add_raw_option(command, options);
}

void run_file_accuracy(const FileAccuracyOptions& options, int& exit_code) {
  const std::vector<ReportPtr> reports = load_reports(options, exit_code);
  if (reports.empty()) return;
  Comparison of;
  of.of_runs = options.runs;
  of.largest = options.largest;
  const auto choice =
      options.runs ? analysis::MeasuredChoice::kEveryRun : analysis::MeasuredChoice::kEveryKernel;
  for (const ReportPtr& report : reports) {
    std::vector<ComparePoint> some = analysis::compare_points(*report, choice);
    std::ranges::move(some, std::back_inserter(of.points));
  }
  of.axes = {source_called(options.against).value_or(PairSource::kMeasured),
             source_called(options.judge).value_or(PairSource::kSimulated),
             analysis::fitted_scale(of.points)};
  if (pair_count(of) == 0) {
    print_error(nothing_to_compare(of));
    exit_code = kBadInput;
    return;
  }
  of.judged = judged_sources(of);
  const sim::Machine& machine = reports.front()->machine;
  if (options.json) {
    std::cout << json_text(to_json(of, machine)) << "\n";
  } else {
    std::cout << to_text(of, machine);
  }
}

}  // namespace hloscope::cli
