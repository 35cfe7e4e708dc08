#pragma once

#include "core/analysis/shape_sizes.h"

namespace hloscope::analysis {

struct Work {
  double flops = 0;
  double transcendentals = 0;
};

/// Work of an instruction by itself; 0 for those that run a computation (fusion, call, while, map,
/// reduce, ...), and -1 FLOP for a custom-call.
[[nodiscard]] Work own_work(const hlo::Program& program,
                            const IndexedVector<hlo::ShapeId, ShapeSize>& sizes,
                            hlo::InstructionId id);

/// How often map, reduce, reduce-window, scatter and scan apply their computation; for
/// select-and-scatter the scatter computation. 0 for other opcodes.
[[nodiscard]] double applications(const hlo::Program& program,
                                  const IndexedVector<hlo::ShapeId, ShapeSize>& sizes,
                                  hlo::InstructionId id);

/// How often select-and-scatter applies its select computation.
[[nodiscard]] double select_applications(const hlo::Program& program,
                                         const IndexedVector<hlo::ShapeId, ShapeSize>& sizes,
                                         hlo::InstructionId id);

}  // namespace hloscope::analysis
