#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/load.h"
#include "core/analysis/kernel_table.h"

namespace hloscope::cli {

/// What times are compared with.
struct BaselineOptions {
  std::string machine;  ///< Times on this one; empty: none.
  int64_t run = 0;      ///< A stored run; 0: none.
  std::string db;       ///< Where the run is stored, where the command has no --db of its own.

  [[nodiscard]] bool is_asked_for() const { return !machine.empty() || run != 0; }
};

/// Adds --baseline and --baseline-run. `db`: the command's own --db; null adds one.
void add_baseline_options(CLI::App& command, BaselineOptions& options, CLI::Option* db = nullptr);

/// What the options ask for; null where that is nothing. `reports`: those of `input`. Empty after
/// an error (an unknown machine or run, a file that holds no results), which is printed and sets
/// `exit_code`.
[[nodiscard]] std::optional<analysis::BaselinePtr> load_baseline(
    const BaselineOptions& options, const InputOptions& input,
    const std::vector<ReportPtr>& reports, const std::string& db_path, int& exit_code);

/// "baseline: TPU v4; against it simulated +12.3 %, analytical +11.0 % in all"; empty without one.
[[nodiscard]] std::string baseline_text(const analysis::KernelTable& table);
/// {"label", "simulated_total_delta", ...}: of the sources that have one.
[[nodiscard]] nlohmann::ordered_json baseline_json(const analysis::KernelTable& table);

}  // namespace hloscope::cli
