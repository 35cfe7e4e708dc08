#include "app/cli/measured_times.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "app/cli/commands.h"
#include "core/analysis/compare.h"
#include "db/measured.h"

namespace hloscope::cli {

namespace {

using measured::RowFit;

struct Accuracy {
  analysis::TimeSourceInfo source;
  analysis::CompareMetrics metrics;
};

// Of every estimate that has a time of a measured kernel.
std::vector<Accuracy> accuracy_of(const analysis::ModuleReport& report) {
  const auto points = analysis::compare_points(report, analysis::MeasuredChoice::kReference);
  std::vector<Accuracy> all;
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    if (!source.is_estimate) continue;
    const auto metrics =
        analysis::compare_metrics(points, source.source, analysis::TimeRange::kAll);
    if (metrics.n > 0) all.push_back({source, metrics});
  }
  return all;
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isnan(value) ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
}

nlohmann::ordered_json group_json(const measured::RowGroup& group) {
  return {{"rows", group.rows}, {"total_ns", group.total_ns}, {"examples", group.examples}};
}

}  // namespace

void add_measured_options(CLI::App& command, MeasuredOptions& options) {
  auto* stats =
      command.add_option("--measured", options.stats,
                         "XProf's HLO op stats of a run (JSON, CSV, gzip) to compare with");
  command.add_option("--device", options.device, "what --measured was measured on, e.g. 'TPU v5p'")
      ->needs(stats);
}

std::optional<measured::HloStats> read_measured(const MeasuredOptions& options, int& exit_code) {
  if (options.stats.empty()) return std::nullopt;
  Result<measured::HloStats> stats = measured::read_hlo_stats(options.stats);
  if (stats) return std::move(*stats);
  print_error(stats.error());
  exit_code = kBadInput;
  return std::nullopt;
}

MeasuredReport join_measured(const analysis::ModuleReport& report, const measured::HloStats& stats,
                             const MeasuredOptions& options) {
  MeasuredReport out;
  // Nothing here asks it to stop.
  if (auto join = measured::join(*report.module.program, report.kernels, stats)) {
    out.join = std::move(*join);
  }
  out.text = measured::describe(out.join);
  out.report =
      analysis::with_measured(report, {stats.file, stats.hash, options.device}, out.join.time_ns);
  if (!out.text.warning.empty()) {
    std::fflush(stdout);
    std::fprintf(stderr, "warning: %s: %s\n", stats.file.c_str(), out.text.warning.c_str());
  }
  return out;
}

std::string measured_text(const MeasuredReport& measured) {
  const analysis::MeasuredFile& file = *measured.report->measured_file;
  std::string out =
      fmt::format("measured: {}, device {}\n  {}\n", file.file_path,
                  file.device.empty() ? db::kDeviceNotStated : std::string_view(file.device),
                  measured.text.summary);
  for (const std::string& line : measured.text.details) out += fmt::format("  {}\n", line);
  for (const auto& [source, metrics] : accuracy_of(*measured.report)) {
    out += fmt::format("{} against measured: MAPE {:.1f} %, median {:.1f} %", source.name,
                       100 * metrics.mape, 100 * metrics.median_ape);
    if (!std::isnan(metrics.kendall_tau)) {
      out += fmt::format(", Kendall tau {:.3f}", metrics.kendall_tau);
    }
    out += fmt::format(", {} kernel{}\n", metrics.n, metrics.n == 1 ? "" : "s");
  }
  return out;
}

nlohmann::ordered_json measured_json(const MeasuredReport& measured) {
  const analysis::MeasuredFile& file = *measured.report->measured_file;
  const measured::StatsJoin& join = measured.join;
  auto accuracy = nlohmann::ordered_json::array();
  for (const auto& [source, metrics] : accuracy_of(*measured.report)) {
    accuracy.push_back({{"source", source.id},
                        {"kernels", metrics.n},
                        {"mape", number_or_null(metrics.mape)},
                        {"median_ape", number_or_null(metrics.median_ape)},
                        {"kendall_tau", number_or_null(metrics.kendall_tau)}});
  }
  return {{"file", file.file_path},
          {"device", file.device.empty() ? std::string(db::kDeviceNotStated) : file.device},
          {"program", join.program},
          {"program_count", join.program_count},
          {"fits", join.fits()},
          {"matched_share", join.matched_share()},
          {"measured_kernels", join.timed_kernels},
          {"kernels_without_row", join.kernels_without_row},
          {"kernel_rows", group_json(join[RowFit::kKernel])},
          {"waiting_rows", group_json(join[RowFit::kWaiting])},
          {"no_kernel_rows", group_json(join[RowFit::kNoKernel])},
          {"other_shape_rows", group_json(join[RowFit::kOtherShape])},
          {"unknown_rows", group_json(join[RowFit::kUnknown])},
          {"accuracy", accuracy}};
}

}  // namespace hloscope::cli
