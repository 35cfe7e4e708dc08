#pragma once

#include "core/hlo/program.h"
#include "core/sim/kernel_model.h"

namespace hloscope::sim {

/// Vector operations of one opcode per f32 register of its result. Add, multiply, compare, select,
/// logic, shift and convert take 1; division 14 and exp, log and tanh 1.4, with one pass through
/// the transcendental unit (fitted to TPU v4 operator rows); random bits 13 (fitted to a TPU v3
/// kernel). Other counts beyond 1 are assumed from the cost classes of the Pallas documentation.
[[nodiscard]] UnitWork elementwise_work(hlo::Opcode opcode, hlo::PrimitiveType type);

/// VALU operations that move one row to another sublane: rotate and select.
inline constexpr double kRowMoveOps = 2;

/// Operations that one application of a reducer takes: the instructions of its computation.
[[nodiscard]] double reducer_operations(const hlo::Program& program, hlo::InstructionId id);

}  // namespace hloscope::sim
