#pragma once

#include "core/hlo/program.h"
#include "core/sim/machine.h"

namespace hloscope::analysis {

/// Products of matrices as the matrix unit (MXU) runs them: the right side is cut in weight tiles
/// of the unit's size, and the rows of the left side stream through each of them.
struct MatrixWork {
  double flops = 0;       ///< As XLA counts, to be told apart from the work of the vector unit.
  double mxu_cycles = 0;  ///< Of one core with all its units, weight tiles padded.

  MatrixWork& operator+=(const MatrixWork& other) {
    flops += other.flops;
    mxu_cycles += other.mxu_cycles;
    return *this;
  }
};

/// Work of a dot, scaled-dot or convolution; nothing for other opcodes. A weight tile takes at
/// least as many cycles as it has rows, as the next one is loaded meanwhile. float32 operands take
/// as many bfloat16 passes as the operand precision or the algorithm says, complex ones four
/// products. Assumed: the side with the fewer cycles streams; small feature groups share a weight
/// tile, and so do window positions of few input features.
[[nodiscard]] MatrixWork matrix_work(const hlo::Program& program, hlo::InstructionId id,
                                     const sim::Machine& machine);

/// Sum over the instruction and, for a fusion, an async wrapper or a call, what it runs inside.
[[nodiscard]] MatrixWork kernel_matrix_work(const hlo::Program& program, hlo::InstructionId kernel,
                                            const sim::Machine& machine);

}  // namespace hloscope::analysis
