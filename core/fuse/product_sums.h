#pragma once

#include "core/hlo/program.h"

namespace hloscope::fuse {

// A reduction behind a dot or convolution makes its sums tile by tile. Sums over rows and batch can
// be carried from tile to tile. Sums over output features need all features of a row at once: then
// the right operand is read again for every few rows, unless all of it stays in VMEM.

/// Whether `reduction`, whose input has the shape of the result of `product`, sums over elements of
/// different output features.
[[nodiscard]] bool sums_features(const hlo::Program& program, hlo::InstructionId product,
                                 hlo::InstructionId reduction);

/// Whether the right operand of `product`, of one batch position, fits in VMEM.
[[nodiscard]] bool right_operand_fits(const hlo::Program& program, hlo::InstructionId product,
                                      double vmem_bytes);

}  // namespace hloscope::fuse
