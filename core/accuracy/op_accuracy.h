#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/accuracy/prediction.h"
#include "core/base/progress.h"
#include "core/measured/tables.h"

namespace hloscope::accuracy {

/// A measured operator and its time by a model.
struct OpTime {
  uint32_t row = 0;           ///< Position in the table.
  std::string_view op_class;  ///< elementwise, matmul, ..., see op_class().
  double measured_ns = 0;
  double time_ns = 0;  ///< Sum over kernels x executions.
};

struct OpClassAccuracy {
  std::string_view op_class;
  ErrorSummary errors;
};

/// A row of which no HLO can be made, and why.
struct SkippedOp {
  uint32_t row = 0;
  std::string reason;
};

struct OpsAccuracy {
  std::vector<OpTime> rows;
  std::vector<SkippedOp> skipped;
  std::vector<OpClassAccuracy> classes;  ///< In the order of op_class(), only those with rows.
  ErrorSummary total;
  size_t distinct_kernels = 0;  ///< Each is timed once.
};

/// matmul, layer_norm, rms_norm, batch_norm, avg_pool, max_pool, and elementwise for all others.
[[nodiscard]] std::string_view op_class(std::string_view op);

/// Builds the kernels of every row and times each with its default tile, see sim::default_bounds().
/// Error: kCancelled.
[[nodiscard]] Result<OpsAccuracy> op_accuracy(std::span<const measured::OpRow> rows,
                                              const sim::Rates& rates, TimeModel model,
                                              const Progress& progress = {});

}  // namespace hloscope::accuracy
