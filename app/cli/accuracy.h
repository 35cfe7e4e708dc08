#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/cli/json_text.h"
#include "app/cli/text_table.h"
#include "core/accuracy/prediction.h"
#include "core/accuracy/tile_accuracy.h"
#include "core/base/progress.h"
#include "core/sim/machine.h"

/// What the commands that hold models against measured times share.
namespace hloscope::cli {

inline constexpr size_t kShownProblems = 10;  ///< Of rows that could not be compared.

struct AccuracyOptions {
  std::string data;       ///< Measured tiles.
  std::string modules;    ///< Their programs.
  std::string workloads;  ///< Or measured workloads.
  std::string ops;        ///< Or measured operators.
  std::string machine;    ///< Empty: the one that the table was measured on.
  accuracy::TimeModel model = accuracy::TimeModel::kSimulator;
  std::string rows;  ///< CSV file of all rows; empty: none.
  bool json = false;
};

/// One per kind of table: print the result.
[[nodiscard]] Status run_tile_accuracy(const AccuracyOptions& options, const sim::Machine& machine);
[[nodiscard]] Status run_workload_accuracy(const AccuracyOptions& options,
                                           const sim::Machine& machine);
[[nodiscard]] Status run_op_accuracy(const AccuracyOptions& options, const sim::Machine& machine);

/// Reads and joins; says on standard error which rows take no part. Error also when no row is left.
[[nodiscard]] Result<accuracy::TileSamples> load_tile_samples(const std::string& data,
                                                              const std::string& modules);

/// {"kernels": [...], "total": {...}}; null for what a kernel has too few tiles for.
[[nodiscard]] nlohmann::ordered_json tile_accuracy_json(const accuracy::TileAccuracy& result);
/// A line per kernel and one for all.
[[nodiscard]] TextTable kernel_table(const accuracy::TileAccuracy& result);
/// Adds model, machine and machine_hash.
void add_origin(nlohmann::ordered_json& out, const AccuracyOptions& options,
                const sim::Machine& machine);

}  // namespace hloscope::cli
