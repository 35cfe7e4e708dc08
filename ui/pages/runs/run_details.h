#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "db/run_kernels.h"
#include "db/runs.h"
#include "ui/models/plain_table.h"

namespace hloscope::ui {

/// One run, or two that are compared: B against A.
struct RunPair {
  db::RunInfo a;
  std::optional<db::RunInfo> b;
};
using RunKernels = std::shared_ptr<const std::vector<db::RunKernel>>;

/// Every property with its values; what differs is marked.
[[nodiscard]] PlainTable propertyTable(const RunPair& runs);
/// Kernel by kernel.
[[nodiscard]] PlainTable kernelTable(const RunPair& runs, const RunKernels& kernels);
inline constexpr int kRatioColumn = 4;  ///< Of two runs, with a tint.
/// What the table is first sorted by: time or difference, times executions.
[[nodiscard]] int weightColumn(const RunPair& runs);

/// "12 kernels, total 152.3 µs", or both totals with their ratio.
[[nodiscard]] QString totalsText(const RunPair& runs, const std::vector<db::RunKernel>& kernels);

}  // namespace hloscope::ui
