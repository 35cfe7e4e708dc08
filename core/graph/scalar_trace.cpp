#include "core/graph/scalar_trace.h"

#include "core/hlo/literal.h"

namespace hloscope::graph {

using hlo::AttrKey;
using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

bool is_whole_number(hlo::PrimitiveType type) {
  return hlo::is_integral(type) || type == hlo::PrimitiveType::kPred;
}

}  // namespace

ScalarTracer::ScalarTracer(const hlo::Program& program) : program_(program), frames_(1) {}

ScalarTracer::FrameId ScalarTracer::enter(InstructionId caller, FrameId parent) {
  frames_.push_back({caller, parent});
  return static_cast<FrameId>(frames_.size() - 1);
}

bool ScalarTracer::enter_callee(Value& value) {
  const InstructionId caller = value.source.instruction;
  if (program_.called(caller).size() != 1) return false;
  value.source.instruction = program_[program_.called(caller)[0]].root;
  value.frame = enter(caller, value.frame);
  return true;
}

bool ScalarTracer::leave_to_operand(Value& value) {
  const Frame frame = frames_[value.frame];
  if (!frame.caller.valid()) return false;
  const Opcode caller = program_[frame.caller].opcode;
  if (caller != Opcode::kFusion && caller != Opcode::kCall) return false;
  const auto operands = program_.operands(frame.caller);
  const auto number = static_cast<size_t>(program_[value.source.instruction].number);
  if (number >= operands.size()) return false;
  value.source.instruction = operands[number];
  value.frame = frame.parent;
  return true;
}

bool ScalarTracer::step(Value& value) {
  if (--steps_left_ < 0) return false;
  if (step_to_source(program_, value.source)) return true;
  const InstructionId id = value.source.instruction;
  switch (program_[id].opcode) {
    case Opcode::kConvert:
      if (!is_whole_number(program_.shape(id).element_type) ||
          !is_whole_number(program_.shape(program_.operands(id)[0]).element_type)) {
        return false;
      }
      [[fallthrough]];
    case Opcode::kCopy:
    case Opcode::kReshape:
      value.source.instruction = program_.operands(id)[0];
      return true;
    case Opcode::kFusion:
    case Opcode::kCall:
      return enter_callee(value);
    case Opcode::kParameter:
      return leave_to_operand(value);
    default:
      return false;
  }
}

ScalarTracer::Value ScalarTracer::resolve(Value value) {
  while (step(value)) {
  }
  return value;
}

bool ScalarTracer::leave_loop(Value& value, InstructionId loop, FrameId parent) {
  const ComputationId body = program_.computation(loop, AttrKey::kBody);
  const FrameId frame = enter(loop, parent);
  const Value next = resolve({{program_[body].root, value.source.path}, frame});
  const bool unchanged = program_[next.source.instruction].opcode == Opcode::kParameter &&
                         next.frame == frame && next.source.path == value.source.path;
  if (!unchanged) return false;
  value.source.instruction = program_.operands(loop)[0];
  value.frame = parent;
  return true;
}

bool ScalarTracer::leave_computation(Value& value) {
  const InstructionId id = value.source.instruction;
  if (program_[id].opcode == Opcode::kWhile) return leave_loop(value, id, value.frame);
  if (program_[id].opcode != Opcode::kParameter) return false;
  Frame frame = frames_[value.frame];
  if (!frame.caller.valid()) {
    const auto callers = program_.callers(program_[id].computation);
    if (callers.size() != 1) return false;
    frame = {callers[0], kRoot};
  }
  switch (program_[frame.caller].opcode) {
    case Opcode::kWhile:
      return leave_loop(value, frame.caller, frame.parent);
    case Opcode::kFusion:
    case Opcode::kCall:
      value.frame = enter(frame.caller, frame.parent);
      return leave_to_operand(value);
    default:
      return false;
  }
}

std::optional<int64_t> ScalarTracer::constant(Value value) {
  do {
    value = resolve(std::move(value));
    if (program_[value.source.instruction].opcode == Opcode::kConstant) {
      if (!value.source.path.empty()) return std::nullopt;
      return hlo::scalar_integer(program_, value.source.instruction);
    }
  } while (leave_computation(value));
  return std::nullopt;
}

bool ScalarTracer::take_off_constant(Linear& linear) {
  const InstructionId id = linear.base.source.instruction;
  const Opcode opcode = program_[id].opcode;
  if (opcode != Opcode::kAdd && opcode != Opcode::kSubtract) return false;
  const auto operands = program_.operands(id);
  const FrameId frame = linear.base.frame;
  InstructionId rest = operands[0];
  std::optional<int64_t> known = constant({{operands[1], {}}, frame});
  if (!known && opcode == Opcode::kAdd) {
    rest = operands[1];
    known = constant({{operands[0], {}}, frame});
  }
  if (!known) return false;
  const bool overflows = opcode == Opcode::kAdd
                             ? __builtin_add_overflow(linear.offset, *known, &linear.offset)
                             : __builtin_sub_overflow(linear.offset, *known, &linear.offset);
  if (overflows) return false;
  linear.base = {{rest, {}}, frame};
  return true;
}

ScalarTracer::Linear ScalarTracer::linear(Value value) {
  Linear result{std::move(value), 0};
  do {
    result.base = resolve(std::move(result.base));
  } while (take_off_constant(result));
  return result;
}

}  // namespace hloscope::graph
