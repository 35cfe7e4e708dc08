#pragma once

#include <cstdint>
#include <optional>

#include "core/hlo/program.h"

namespace hloscope::hlo {

/// The value of a constant that holds exactly one integer or pred (0 or 1), in any form that a file
/// may give it. Nothing for other instructions, elided values, other types and other sizes.
[[nodiscard]] std::optional<int64_t> scalar_integer(const Program& program, InstructionId constant);

/// The same for floating-point constants. A value from text is the number as written there, before
/// it is rounded to the type.
[[nodiscard]] std::optional<double> scalar_number(const Program& program, InstructionId constant);

}  // namespace hloscope::hlo
