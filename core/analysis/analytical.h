#pragma once

#include <vector>

#include "core/analysis/cost.h"
#include "core/sim/machine.h"

namespace hloscope::analysis {

/// What takes the time of a kernel.
enum class Bound : uint8_t {
  kLaunch,   ///< The fixed cost of a kernel is more than its work.
  kCompute,  ///< The matrix unit.
  kVector,   ///< The vector unit, or its transcendental unit.
  kMemory,   ///< HBM traffic.
  kUnknown,  ///< A custom-call: only its operands and result are known.
};
[[nodiscard]] std::string_view name(Bound bound);

/// One execution of a kernel as the analytical model sees it. Not measured.
///
/// memory = padded bytes / (hbm_bytes_per_s x hbm_efficiency). compute = the longer of the matrix
/// unit (dots and convolutions, see matrix_work.h) and the vector unit (all other FLOPs and the
/// transcendentals, on padded registers). Assumed: collectives cost their bytes at the rate of HBM,
/// as a program says nothing of its network.
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
