#pragma once

#include "core/graph/kernels.h"

namespace hloscope::graph {

/// The instructions that run, in program order, and how often: what control flow has to say.
struct Schedule {
  /// Instructions of scheduled computations that are neither free nor control flow. A computation
  /// stands where it is called first, before the rest of its caller.
  std::vector<hlo::InstructionId> instructions;
  std::vector<hlo::ComputationId> computations;  ///< As KernelList::scheduled.
  IndexedVector<hlo::ComputationId, ComputationUse> uses;
  std::vector<Loop> loops;
};

[[nodiscard]] Schedule schedule(const hlo::Program& program, const KernelOptions& options);

}  // namespace hloscope::graph
