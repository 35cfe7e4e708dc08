#pragma once

#include <vector>

#include "core/hlo/program.h"

namespace hloscope::graph {

/// Where a value comes from within its computation: an instruction, and the tuple indices (last one
/// is the outermost) that lead from its result to the value.
struct ValueSource {
  hlo::InstructionId instruction;
  std::vector<int64_t> path;
};

/// Follows instructions that pass a value on unchanged: get-tuple-element, tuple (when an element
/// is asked for), bitcast, opt-barrier, domain, add-dependency. Stops at anything else.
[[nodiscard]] ValueSource source_of(const hlo::Program& program, hlo::InstructionId id);

/// One step of that walk; false when `source` is where the value comes from.
bool step_to_source(const hlo::Program& program, ValueSource& source);

}  // namespace hloscope::graph
