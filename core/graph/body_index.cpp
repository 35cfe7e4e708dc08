#include "core/graph/body_index.h"

namespace hloscope::graph {

using hlo::ComputationId;
using hlo::InstructionId;

BodyIndex::BodyIndex(const hlo::Program& program)
    : program_(program),
      order_(program, Follow::kInlined),
      counts_(program.computation_count(), 0) {}

void BodyIndex::count(ComputationId computation) {
  uint32_t total = 0;
  for (InstructionId id : program_[computation].instructions) {
    if (program_[id].opcode == hlo::Opcode::kParameter) continue;
    ++total;
    if (!inlines_callees(program_[id].opcode)) continue;
    for (ComputationId callee : program_.called(id)) total += counts_[callee];
  }
  counts_[computation] = total;
}

uint32_t BodyIndex::add(KernelList& list, KernelId id) {
  const ComputationId body = list.kernels[id].body;
  if (!body.valid()) return 1;
  for (ComputationId computation : order_.visit(body)) {
    count(computation);
    // A computation that also runs by itself keeps the kernels that it has there.
    if (list.computations[computation].is_scheduled) continue;
    for (InstructionId inner : program_[computation].instructions) list.kernel_of[inner] = id;
  }
  return counts_[body];
}

}  // namespace hloscope::graph
