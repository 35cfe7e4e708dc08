#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/cli/load.h"
#include "core/measured/hlo_stats_join.h"

namespace hloscope::cli {

/// A file of measured times beside the programs.
struct MeasuredOptions {
  std::string stats;   ///< XProf's table of HLO ops; empty: none.
  std::string device;  ///< What it was measured on.
};
void add_measured_options(CLI::App& command, MeasuredOptions& options);

/// Reads the file; nothing where none is asked for. An error is printed and sets `exit_code`.
[[nodiscard]] std::optional<measured::HloStats> read_measured(const MeasuredOptions& options,
                                                              int& exit_code);

/// A report with the measured times of a file.
struct MeasuredReport {
  ReportPtr report;
  measured::StatsJoin join;
  measured::JoinText text;
};
/// Joins the times to the kernels of a report. A file that does not fit is told on standard error.
[[nodiscard]] MeasuredReport join_measured(const analysis::ModuleReport& report,
                                           const measured::HloStats& stats,
                                           const MeasuredOptions& options);

/// How well the file fits and how far the estimates are off, in lines that end with a line end.
[[nodiscard]] std::string measured_text(const MeasuredReport& measured);
[[nodiscard]] nlohmann::ordered_json measured_json(const MeasuredReport& measured);

}  // namespace hloscope::cli
