#pragma once

#include "core/analysis/shape_sizes.h"

namespace hloscope::analysis {

struct Traffic {
  Bytes read;
  Bytes written;
};

/// Bytes that an instruction moves between its operands, its result and memory. Parts that are
/// read or written partially (slice, gather, scatter, ...) count what is touched. Not for those
/// that run a computation in place of themselves (fusion, call, while, conditional, async-start):
/// see cost().
[[nodiscard]] Traffic own_traffic(const hlo::Program& program,
                                  const IndexedVector<hlo::ShapeId, ShapeSize>& sizes,
                                  hlo::InstructionId id);

}  // namespace hloscope::analysis
