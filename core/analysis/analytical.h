#pragma once

#include <vector>

#include "core/analysis/cost.h"
#include "core/sim/machine.h"

namespace hloscope::analysis {

enum class Bound : uint8_t { kLaunch, kCompute, kVector, kMemory, kUnknown };
[[nodiscard]] std::string_view name(Bound bound);

/// One execution of a kernel as the analytical model sees it. Not measured.
struct AnalyticalTime {
  double time_ns = 0;  ///< launch + max(compute, memory)
  double compute_ns = 0;
  double memory_ns = 0;
  Bound bound = Bound::kUnknown;
};

[[nodiscard]] AnalyticalTime analytical_time(const hlo::Program& program,
                                             const graph::Kernel& kernel, const Cost& cost,
                                             const sim::Machine& machine);
/// All kernels; each distinct one is computed once.
[[nodiscard]] IndexedVector<graph::KernelId, AnalyticalTime> analytical_times(
    const hlo::Program& program, const graph::KernelList& kernels, const ProgramCost& cost,
    const sim::Machine& machine);

}  // namespace hloscope::analysis
