#pragma once

#include <span>
#include <vector>

#include "core/graph/kernels.h"

namespace hloscope::cli {

/// How often each kernel runs when the program runs once, by KernelId, so that the sum of time x
/// executions is graph::total(). kMean: as Kernel::executions says (`kernels` by that rule).
/// kMaximum: every conditional takes the branch with the largest sum of `kernel_ns` (the first of
/// equals), the others do not run.
[[nodiscard]] std::vector<double> branch_executions(const hlo::Program& program,
                                                    const graph::KernelList& kernels,
                                                    std::span<const double> kernel_ns,
                                                    graph::BranchRule branches);

}  // namespace hloscope::cli
