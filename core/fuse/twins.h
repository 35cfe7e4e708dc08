#pragma once

#include "core/fuse/opcode_rules.h"

namespace hloscope::fuse {

/// Same opcode, shape, literal and attributes (metadata aside); operands are not looked at.
[[nodiscard]] bool same_operation(const hlo::Program& program, hlo::InstructionId a,
                                  hlo::InstructionId b);

/// For every instruction that can be fused and that has an equal one in its computation (the same
/// operation on equal operands): the first of them; invalid for all others.
[[nodiscard]] IndexedVector<hlo::InstructionId, hlo::InstructionId> find_twins(
    const hlo::Program& program, const IndexedVector<hlo::InstructionId, Role>& roles);

}  // namespace hloscope::fuse
