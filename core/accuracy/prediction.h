#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/program.h"
#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"

namespace hloscope::accuracy {

/// The model whose times are held against measured ones.
enum class TimeModel : uint8_t {
  kSimulator,
  kAnalytical,
};
/// "simulator", "analytical".
[[nodiscard]] std::string_view name(TimeModel model);

/// Time of one kernel with one tile, ns. `bounds` by LoopId. Never a measured time.
[[nodiscard]] double predict_ns(const sim::KernelModel& kernel, const std::vector<int64_t>& bounds,
                                const sim::Rates& rates, TimeModel model);

/// The kernel of a program that holds one; of several, the one that gives the program's result.
/// Error: kInvalidInput when there is none, or when the result comes from no single kernel.
[[nodiscard]] Result<hlo::InstructionId> only_kernel(const hlo::Program& program);

/// |estimate - truth| / truth of a set of pairs, as fractions; 0 without pairs.
struct ErrorSummary {
  size_t n = 0;
  double mean = 0;
  double median = 0;
  double p90 = 0;  ///< Percentiles between two values are interpolated.
};
/// Truths are above zero.
[[nodiscard]] ErrorSummary summarise(std::span<const double> estimate,
                                     std::span<const double> truth);

}  // namespace hloscope::accuracy
