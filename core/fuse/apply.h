#pragma once

#include "core/base/result.h"
#include "core/fuse/fusion_state.h"

namespace hloscope::fuse {

/// The program of the space with the kernels of a state as fusions `fusion.1`, `fusion.2`, ... that
/// call `fused_computation.1`, ...: kind=kOutput with a dot or convolution inside, kInput with a
/// reduction, else kLoop. Several results come as a tuple. Scalar constants stand inside, equal
/// instructions of a fusion once. Shapes, layouts and metadata stay; a fusion has the metadata of
/// its product, else of its last result. Kernels stand in an order that respects control
/// dependencies, otherwise near that of the program. Errors: check_structure().
[[nodiscard]] Result<hlo::ProgramPtr> apply(const FusionState& state);
/// The same for FusionState::take(config).
[[nodiscard]] Result<hlo::ProgramPtr> apply(const FusionSpace& space, const FusionConfig& config);

/// One kernel alone as a program: its operands are parameters of the entry, the kernel is its root.
/// Equal to graph::extract() of it from apply(), up to names. Errors: check_structure().
[[nodiscard]] Result<hlo::ProgramPtr> kernel_program(const FusionSpace& space, const Group& group);

}  // namespace hloscope::fuse
