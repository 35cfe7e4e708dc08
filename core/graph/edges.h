#pragma once

#include "core/graph/kernels.h"

namespace hloscope::graph {

/// Fills the operands and users of all kernels.
void connect(const hlo::Program& program, KernelList& list);

}  // namespace hloscope::graph
