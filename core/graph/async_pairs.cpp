#include "core/graph/async_pairs.h"

#include "core/graph/value_source.h"

namespace hloscope::graph {

using hlo::InstructionId;
using hlo::Opcode;

namespace {

/// The opcode that ends the pair; kParameter for what starts none.
Opcode done_opcode(Opcode start) {
  switch (start) {
    case Opcode::kAsyncStart:
      return Opcode::kAsyncDone;
    case Opcode::kCopyStart:
      return Opcode::kCopyDone;
    case Opcode::kAllReduceStart:
      return Opcode::kAllReduceDone;
    case Opcode::kAllGatherStart:
      return Opcode::kAllGatherDone;
    case Opcode::kCollectivePermuteStart:
      return Opcode::kCollectivePermuteDone;
    case Opcode::kSend:
      return Opcode::kSendDone;
    case Opcode::kRecv:
      return Opcode::kRecvDone;
    default:
      return Opcode::kParameter;
  }
}

}  // namespace

bool is_async_start(Opcode opcode) {
  return done_opcode(opcode) != Opcode::kParameter;
}

bool is_async_done(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAsyncDone:
    case Opcode::kCopyDone:
    case Opcode::kAllReduceDone:
    case Opcode::kAllGatherDone:
    case Opcode::kCollectivePermuteDone:
    case Opcode::kSendDone:
    case Opcode::kRecvDone:
      return true;
    default:
      return false;
  }
}

bool is_async_end(Opcode opcode) {
  return is_async_done(opcode) || opcode == Opcode::kAsyncUpdate;
}

InstructionId async_start_of(const hlo::Program& program, InstructionId end) {
  InstructionId id = end;
  do {
    if (program.operands(id).empty()) return {};
    id = source_of(program, program.operands(id)[0]).instruction;
  } while (program[id].opcode == Opcode::kAsyncUpdate);
  const Opcode done = done_opcode(program[id].opcode);
  const bool fits = done == program[end].opcode ||
                    (done == Opcode::kAsyncDone && program[end].opcode == Opcode::kAsyncUpdate);
  return fits ? id : InstructionId();
}

InstructionId async_done_of(const hlo::Program& program, InstructionId start) {
  const Opcode done = done_opcode(program[start].opcode);
  if (done == Opcode::kParameter) return {};
  // The done comes after its start, as operands come before their users.
  for (uint32_t i = start.value + 1;
       program[program[start].computation].instructions.contains(InstructionId(i)); ++i) {
    const InstructionId id(i);
    if (program[id].opcode == done && async_start_of(program, id) == start) return id;
  }
  return {};
}

}  // namespace hloscope::graph
