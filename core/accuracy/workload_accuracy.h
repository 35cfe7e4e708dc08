#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/accuracy/prediction.h"
#include "core/base/progress.h"
#include "core/measured/tables.h"
#include "core/sim/tile.h"

namespace hloscope::accuracy {

/// A kernel of a workload with its default tile, see sim::default_bounds().
struct WorkloadKernel {
  std::string what;
  double time_ns = 0;  ///< Of one execution.
  double executions = 1;
  sim::Tile tile;
};

struct WorkloadAccuracy {
  std::string name;
  std::string kind;
  double measured_ns = 0;
  double time_ns = 0;  ///< Sum over kernels x executions.
  double error = 0;    ///< time / measured - 1.
  std::vector<WorkloadKernel> kernels;
  std::vector<std::string> assumptions;  ///< What the row does not say.
};

struct SkippedWorkload {
  std::string name;
  std::string kind;
  std::string reason;
};

struct WorkloadsAccuracy {
  std::vector<WorkloadAccuracy> rows;
  std::vector<SkippedWorkload> skipped;  ///< Kinds without a rule, bad parameters, no time.
  /// Mean |error| of the kinds gemm, conv and attention, whose HLO leaves the least open; none
  /// without such rows.
  std::optional<double> gemm_conv_attention_mape;
  std::optional<double> mape;  ///< Of all rows.
};

/// Builds the HLO of every row and times its kernels. Error: kCancelled.
[[nodiscard]] Result<WorkloadsAccuracy> workload_accuracy(
    std::span<const measured::WorkloadRow> rows, const sim::Rates& rates, TimeModel model,
    const Progress& progress = {});

}  // namespace hloscope::accuracy
