#include <algorithm>
#include <unordered_map>

#include "core/graph/async_pairs.h"
#include "core/graph/kernels.h"
#include "core/graph/program_copier.h"

namespace hloscope::graph {

using hlo::ComputationId;
using hlo::InstructionId;

namespace {

/// The kernel, and for an async pair its updates and done: each has the one before as operand.
std::vector<InstructionId> chain_of(const hlo::Program& program, InstructionId kernel) {
  std::vector<InstructionId> chain = {kernel};
  if (!is_async_start(program[kernel].opcode)) return chain;
  const InstructionId done = async_done_of(program, kernel);
  if (!done.valid()) return chain;
  for (uint32_t i = kernel.value + 1; i <= done.value; ++i) {
    const InstructionId id(i);
    if (is_async_end(program[id].opcode) && async_start_of(program, id) == kernel) {
      chain.push_back(id);
    }
  }
  return chain;
}

std::string unused_computation_name(const hlo::Program& program) {
  std::string name = "main";
  while (program.find_computation(name).valid()) name += ".1";
  return name;
}

}  // namespace

Result<hlo::ProgramPtr> extract(const hlo::Program& program, InstructionId kernel) {
  ProgramCopier copier(program);
  hlo::ProgramBuilder& out = copier.builder();
  out.set_name(out.arena().copy(program[kernel].name));
  copier.copy_module_attributes();
  const std::vector<InstructionId> chain = chain_of(program, kernel);
  for (InstructionId id : chain) {
    for (ComputationId callee : program.called(id)) copier.copy_computation(callee);
  }
  const ComputationId entry =
      out.begin_computation(out.arena().copy(unused_computation_name(program)));
  out.set_entry(entry);

  int64_t parameter_count = 0;
  std::unordered_map<InstructionId, InstructionId> inputs;
  InstructionId previous;
  for (InstructionId id : chain) {
    std::vector<InstructionId> operands;
    for (InstructionId operand : program.operands(id)) {
      if (previous.valid() && operands.empty()) {
        operands.push_back(previous);
        continue;
      }
      InstructionId& input = inputs[operand];
      if (!input.valid()) input = copier.add_input(operand, entry, parameter_count);
      operands.push_back(input);
    }
    previous = copier.add(id, entry, operands);
  }
  out.computation(entry).root = previous;
  return out.finish();
}

}  // namespace hloscope::graph
