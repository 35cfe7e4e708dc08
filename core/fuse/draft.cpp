#include "core/fuse/draft.h"

#include "core/fuse/program_writer.h"
#include "core/graph/callee_order.h"

namespace hloscope::fuse {

using hlo::ComputationId;
using hlo::InstructionId;

Draft::Draft(const hlo::Program& program)
    : source(program), computations(program.computation_count()) {
  // One node per instruction, so the ids are equal.
  const auto id_of = [](InstructionId id) { return DraftId(id.value); };
  for (InstructionId id : program.instructions()) {
    DraftNode node{id};
    for (InstructionId operand : program.operands(id)) node.operands.push_back(id_of(operand));
    for (int64_t before : program.ints(id, hlo::AttrKey::kControlPredecessors)) {
      node.predecessors.emplace_back(static_cast<uint32_t>(before));
    }
    computations[program[id].computation].order.push_back(nodes.push_back(std::move(node)));
  }
  for (ComputationId id : program.computations()) computations[id].root = id_of(program[id].root);
}

IndexedVector<DraftId, uint8_t> controlled(const Draft& draft) {
  IndexedVector<DraftId, uint8_t> out(draft.nodes.size(), 0);
  for (const DraftComputation& computation : draft.computations) {
    for (DraftId id : computation.order) {
      for (DraftId before : draft.nodes[id].predecessors) out[id] = out[before] = 1;
    }
  }
  return out;
}

namespace {

IndexedVector<ComputationId, uint8_t> needed_computations(const Draft& draft) {
  IndexedVector<ComputationId, uint8_t> needed(draft.computations.size(), 0);
  std::vector<ComputationId> open = {draft.source.entry()};
  needed[draft.source.entry()] = 1;
  while (!open.empty()) {
    const ComputationId id = open.back();
    open.pop_back();
    for (DraftId node : draft.computations[id].order) {
      for (ComputationId callee : draft.source.called(draft.nodes[node].origin)) {
        if (needed[callee] == 0) open.push_back(callee);
        needed[callee] = 1;
      }
    }
  }
  return needed;
}

void write_computation(const Draft& draft, ComputationId from, ProgramWriter& writer,
                       IndexedVector<DraftId, InstructionId>& written) {
  const ComputationId to = writer.begin(from);
  std::vector<InstructionId> operands;
  std::vector<InstructionId> predecessors;
  for (DraftId id : draft.computations[from].order) {
    operands.clear();
    predecessors.clear();
    for (DraftId operand : draft.nodes[id].operands) operands.push_back(written[operand]);
    for (DraftId before : draft.nodes[id].predecessors) predecessors.push_back(written[before]);
    written[id] = writer.add(draft.nodes[id].origin, to, operands, predecessors);
  }
  writer.builder().computation(to).root = written[draft.computations[from].root];
}

}  // namespace

Result<hlo::ProgramPtr> write(const Draft& draft) {
  ProgramWriter writer(draft.source);
  writer.copy_header();
  const auto needed = needed_computations(draft);
  IndexedVector<DraftId, InstructionId> written(draft.nodes.size());
  // What a call brought in was called by its callee, which comes before its callers as well.
  graph::CalleeOrder order(draft.source, graph::Follow::kAll);
  const ComputationId entry = draft.source.entry();
  ComputationId new_entry;
  for (ComputationId id : order.visit(entry)) {
    if (needed[id] == 0) continue;
    write_computation(draft, id, writer, written);
  }
  new_entry = ComputationId(writer.builder().computation_count() - 1);  // The last one of visit().
  writer.builder().set_entry(new_entry);
  return writer.builder().finish();
}

}  // namespace hloscope::fuse
