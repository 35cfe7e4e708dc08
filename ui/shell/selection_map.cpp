#include "ui/shell/selection_map.h"

#include <algorithm>

namespace hloscope::ui {

namespace {

using hlo::InstructionId;

InstructionId namesake(const hlo::Program& to, InstructionId id, const hlo::Program& from) {
  const std::string_view name = from[id].name;
  const auto computation = to.find_computation(from[from[id].computation].name);
  if (computation.valid()) {
    const auto& instructions = to[computation].instructions;
    const auto found =
        std::find_if(instructions.begin(), instructions.end(),
                     [&to, name](InstructionId candidate) { return to[candidate].name == name; });
    if (found != instructions.end()) return *found;
  }
  return to.find_instruction(name);
}

/// What a fusion computes, of several results the last; invalid for other instructions.
InstructionId lastResult(const hlo::Program& program, InstructionId id) {
  if (program[id].opcode != hlo::Opcode::kFusion) return {};
  const InstructionId root = program[program.computation(id, hlo::AttrKey::kCalls)].root;
  const bool is_tuple = program[root].opcode == hlo::Opcode::kTuple;
  return is_tuple && !program.operands(root).empty() ? program.operands(root).back() : root;
}

}  // namespace

Selection selectionIn(const analysis::ModuleReport& to, const Selection& selection,
                      const analysis::ModuleReport& from) {
  if (to.module.program == from.module.program) return selection;
  InstructionId id = selection.instruction;
  if (!id.valid() && selection.kernel.valid()) {
    id = from.kernels.kernels[selection.kernel].instruction;
  }
  if (!id.valid()) return {};
  const hlo::Program& old = *from.module.program;
  Selection result;
  result.instruction = namesake(*to.module.program, id, old);
  if (const InstructionId inner = lastResult(old, id);
      !result.instruction.valid() && inner.valid()) {
    result.instruction = namesake(*to.module.program, inner, old);
  }
  if (result.instruction.valid()) result.kernel = to.kernels.kernel_of[result.instruction];
  return result;
}

}  // namespace hloscope::ui
