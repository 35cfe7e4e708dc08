#pragma once

#include "core/hlo/program.h"

namespace hloscope::sim {

/// An instruction that takes no time although it stands as a kernel: a mark for the compiler
/// (custom-calls Sharding, SPMDFullToShardShape, ...), or a transpose or reshape whose bytes stay
/// where they are in tiled layouts. A compiler makes bitcasts of them.
[[nodiscard]] bool takes_no_time(const hlo::Program& program, hlo::InstructionId kernel);

/// A custom-call that only marks a value for the compiler.
[[nodiscard]] bool is_mark(const hlo::Program& program, hlo::InstructionId id);

}  // namespace hloscope::sim
