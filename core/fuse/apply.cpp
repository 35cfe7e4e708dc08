#include "core/fuse/apply.h"

#include <algorithm>
#include <queue>

#include "core/fuse/fusion_writer.h"
#include "core/graph/callee_order.h"

namespace hloscope::fuse {

using hlo::ComputationId;
using hlo::InstructionId;

namespace {

/// Writes the groups of one computation, each as soon as its last member's turn has come and all
/// that it reads is there.
class ScheduleWriter {
 public:
  ScheduleWriter(const FusionState& state, FusionWriter& out)
      : state_(state),
        program_(state.space().program()),
        out_(out),
        waiting_(state.group_limit()) {}

  void write(ComputationId from, ComputationId to) {
    for (InstructionId id : program_[from].instructions) count_needs(id);
    for (InstructionId id : program_[from].instructions) {
      const Group& group = group_of(id);
      if (group.members[0] == id && waiting_[state_.group_of(id)] == 0) push(id);
    }
    while (!ready_.empty()) {
      const InstructionId last = ready_.top();
      ready_.pop();
      const Group& group = group_of(last);
      out_.write(group, to);
      for (InstructionId member : group.members) release_users(member);
    }
    out_.writer().builder().computation(to).root = out_.value(program_[from].root);
  }

 private:
  const Group& group_of(InstructionId id) const { return state_.group(state_.group_of(id)); }
  void push(InstructionId id) { ready_.push(group_of(id).members.back()); }

  void count_needs(InstructionId id) {
    uint32_t& waiting = waiting_[state_.group_of(id)];
    for (InstructionId operand : program_.operands(id)) waiting += is_outside(operand, id);
    for (InstructionId before : state_.space().predecessors(id)) waiting += is_outside(before, id);
  }
  uint32_t is_outside(InstructionId a, InstructionId b) const {
    return state_.group_of(a) != state_.group_of(b) ? 1 : 0;
  }
  void release_users(InstructionId id) {
    for (InstructionId user : program_.users(id)) release(id, user);
    for (InstructionId after : state_.space().successors(id)) release(id, after);
  }
  void release(InstructionId id, InstructionId user) {
    if (is_outside(id, user) != 0 && --waiting_[state_.group_of(user)] == 0) push(user);
  }

  const FusionState& state_;
  const hlo::Program& program_;
  FusionWriter& out_;
  IndexedVector<GroupId, uint32_t> waiting_;  ///< Uses of values that are not written yet.
  std::priority_queue<InstructionId, std::vector<InstructionId>, std::greater<>> ready_;
};

}  // namespace

Result<hlo::ProgramPtr> apply(const FusionState& state) {
  const FusionSpace& space = state.space();
  const hlo::Program& program = space.program();
  FusionWriter out(space);
  out.writer().copy_header();
  out.reserve_computation_names();
  ScheduleWriter schedule(state, out);
  graph::CalleeOrder order(program, graph::Follow::kAll);
  for (ComputationId from : order.visit(program.entry())) {
    const bool runs = space.executions(program[from].root) > 0;
    if (!runs) {
      out.writer().copy_computation(from);
      continue;
    }
    const ComputationId to = out.writer().begin(from);
    schedule.write(from, to);
    if (from == program.entry()) out.writer().builder().set_entry(to);
  }
  return out.writer().builder().finish();
}

Result<hlo::ProgramPtr> apply(const FusionSpace& space, const FusionConfig& config) {
  FusionState state(space);
  state.take(config);
  return apply(state);
}

Result<hlo::ProgramPtr> kernel_program(const FusionSpace& space, const Group& group) {
  const hlo::Program& program = space.program();
  FusionWriter out(space);
  hlo::ProgramBuilder& builder = out.writer().builder();
  builder.set_name(builder.arena().copy(program[group.members.back()].name));
  out.copy_callees(group);
  const ComputationId entry = builder.begin_computation(out.unused_computation_name("main"));
  builder.set_entry(entry);
  int64_t number = 0;
  const auto add_parameter = [&](InstructionId value) {
    hlo::NewInstruction parameter;
    parameter.name = out.writer().unused_name(entry, program[value].name);
    parameter.shape = out.writer().copy_shape(program[value].shape);
    parameter.computation = entry;
    if (program.shape(value).is_token()) {
      parameter.opcode = hlo::Opcode::kAfterAll;
    } else {
      parameter.number = number++;
    }
    out.value(value) = builder.add(parameter);
  };
  for (const Operand& operand : group.facts.operands) add_parameter(operand.value);
  if (group.facts.is_plain) {
    // Scalar constants outside, and whatever something that cannot be fused reads.
    for (InstructionId id : group.members) {
      for (InstructionId operand : program.operands(id)) {
        const bool is_inside =
            std::binary_search(group.members.begin(), group.members.end(), operand);
        if (!is_inside && !out.value(operand).valid()) add_parameter(operand);
      }
    }
  }
  builder.computation(entry).root = out.write(group, entry);
  return builder.finish();
}

}  // namespace hloscope::fuse
