#include "core/graph/callee_order.h"

namespace hloscope::graph {

using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

bool inlines_callees(Opcode opcode) {
  switch (opcode) {
    case Opcode::kFusion:
    case Opcode::kCall:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kAsyncStart:
      return true;
    default:
      return false;
  }
}

CalleeOrder::CalleeOrder(const hlo::Program& program, Follow follow)
    : program_(program), follow_(follow), seen_(program.computation_count(), 0) {}

ComputationId CalleeOrder::next_callee(Frame& frame) const {
  const auto& instructions = program_[frame.computation].instructions;
  for (; frame.instruction < instructions.size(); ++frame.instruction, frame.callee = 0) {
    const InstructionId id = instructions[frame.instruction];
    const auto called = program_.called(id);
    if (called.empty()) continue;
    if (follow_ == Follow::kInlined && !inlines_callees(program_[id].opcode)) continue;
    if (frame.callee < called.size()) return called[frame.callee++];
  }
  return {};
}

const std::vector<ComputationId>& CalleeOrder::visit(ComputationId root) {
  order_.clear();
  if (!root.valid() || seen_[root]) return order_;
  seen_[root] = 1;
  std::vector<Frame> stack = {{root, 0, 0}};
  while (!stack.empty()) {
    const ComputationId callee = next_callee(stack.back());
    if (!callee.valid()) {
      order_.push_back(stack.back().computation);
      stack.pop_back();
    } else if (!seen_[callee]) {
      seen_[callee] = 1;
      stack.push_back({callee, 0, 0});
    }
  }
  return order_;
}

}  // namespace hloscope::graph
