#pragma once

#include <string_view>

#include "core/hlo/program.h"

namespace hloscope::graph {

/// The tile that a program says a kernel is to run with: the value of its frontend attribute
/// `hloscope_tile`, as a tuned program has it. Empty where it has none.
[[nodiscard]] std::string_view written_tile(const hlo::Program& program, hlo::InstructionId kernel);

}  // namespace hloscope::graph
