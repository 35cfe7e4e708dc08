#pragma once

#include <string>

#include "core/base/result.h"
#include "core/hlo/program.h"

namespace hloscope::hlo {

/// An error at the instruction: with its position where it comes from text, else with its name.
[[nodiscard]] Error structure_error(const Program& program, InstructionId id, std::string message,
                                    std::string hint = {});

/// Called computations: present where the opcode needs them, as many parameters as the opcode
/// gives them, of the right shapes, and never recursive.
[[nodiscard]] Status check_calls(const Program& program);

}  // namespace hloscope::hlo
