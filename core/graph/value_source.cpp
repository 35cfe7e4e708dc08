#include "core/graph/value_source.h"

namespace hloscope::graph {

using hlo::InstructionId;
using hlo::Opcode;

bool step_to_source(const hlo::Program& program, ValueSource& source) {
  const auto operands = program.operands(source.instruction);
  if (operands.empty()) return false;
  switch (program[source.instruction].opcode) {
    case Opcode::kGetTupleElement:
      source.path.push_back(program[source.instruction].number);
      source.instruction = operands[0];
      return true;
    case Opcode::kTuple: {
      if (source.path.empty()) return false;
      const auto element = static_cast<size_t>(source.path.back());
      if (element >= operands.size()) return false;
      source.path.pop_back();
      source.instruction = operands[element];
      return true;
    }
    case Opcode::kBitcast:
    case Opcode::kOptBarrier:
    case Opcode::kDomain:
    case Opcode::kAddDependency:
      source.instruction = operands[0];
      return true;
    default:
      return false;
  }
}

ValueSource source_of(const hlo::Program& program, InstructionId id) {
  ValueSource source{id, {}};
  while (step_to_source(program, source)) {
  }
  return source;
}

}  // namespace hloscope::graph
