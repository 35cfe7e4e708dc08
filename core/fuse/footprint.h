#pragma once

#include "core/fuse/group_body.h"

namespace hloscope::fuse {

/// A test that costs nothing and is right for most fusions: one instruction; fusions of elementwise
/// operations, broadcasts and reductions, whose smallest tile is one tile of the layout per operand
/// and result (at most 19 operands, 2 buffers of 4 to 32 KiB each); and whatever fits as a whole.
[[nodiscard]] bool surely_fits(const FusionSpace& space, const Group& group);

/// VMEM in bytes of the smallest tile of the fusion, by the same kernel model that times it: what
/// reshapes, transposes, windows, gathers ... need of their operands for one tile depends on all
/// that lies in between, so an estimate from operand sizes would be wrong either way. Some 0.05 ms.
/// The group is not plain.
[[nodiscard]] double least_footprint(const FusionSpace& space, const Group& group,
                                     GroupBodies& bodies);

}  // namespace hloscope::fuse
