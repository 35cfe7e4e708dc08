#include "core/analysis/fusion_traffic.h"

#include <algorithm>
#include <utility>

namespace hloscope::analysis {

namespace {

using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

constexpr std::string_view kCustomKind = "kCustom";

bool is_update(const hlo::Program& program, InstructionId id) {
  return program[id].opcode == Opcode::kDynamicUpdateSlice && program.operands(id).size() > 1;
}

// The element of a tuple that is taken out of `value`, or `value` itself when nothing takes it.
InstructionId element_of(const hlo::Program& program, InstructionId value, size_t index) {
  for (InstructionId user : program.users(value)) {
    const hlo::Instruction& i = program[user];
    if (i.opcode == Opcode::kGetTupleElement && i.number == static_cast<int64_t>(index)) {
      return user;
    }
  }
  return value;
}

}  // namespace

FusionTraffic::FusionTraffic(const hlo::Program& program,
                             const IndexedVector<hlo::ShapeId, ShapeSize>& sizes)
    : program_(program),
      sizes_(sizes),
      known_(program.computation_count(), 0),
      reads_(program.instruction_count()) {}

Traffic FusionTraffic::of(InstructionId fusion) {
  const auto called = program_.called(fusion);
  if (called.empty()) return own_traffic(program_, sizes_, fusion);
  const ComputationId body = called.front();
  // A custom fusion around a gather or scatter counts as that instruction alone.
  if (const InstructionId core = custom_core(program_, fusion); core.valid()) {
    return own_traffic(program_, sizes_, core);
  }
  read_parameters(body);
  Traffic traffic{.read = read_of_constants(body), .written = written(fusion, program_[body].root)};
  for (InstructionId parameter : program_.parameters(body)) {
    const hlo::ShapeId shape = program_[parameter].shape;
    traffic.read +=
        program_.shape(shape).is_tuple() ? read_of_leaves(parameter, shape) : reads_[parameter];
  }
  return traffic;
}

void FusionTraffic::read_parameters(ComputationId body) {
  if (std::exchange(known_[body], 1) != 0) return;
  for (InstructionId parameter : program_.parameters(body)) {
    reads_[parameter] = read_of(parameter);
  }
}

Bytes FusionTraffic::read_of(InstructionId value) const {
  const Bytes whole = size(value).whole;
  Bytes read;
  bool shared = false;  // Some user reads all of it: the others can share that.
  const auto read_whole = [&] {
    if (!std::exchange(shared, true)) read += whole;
  };
  InstructionId previous;
  for (InstructionId user : program_.users(value)) {
    if (user == std::exchange(previous, user)) continue;
    const bool is_first = program_.operands(user).front() == value;
    switch (program_[user].opcode) {
      case Opcode::kFusion:
        read += read_by_nested(value, user);
        break;
      case Opcode::kSlice:
        read += size(user).whole;
        break;
      case Opcode::kDynamicSlice:
        is_first ? void(read += size(user).whole) : read_whole();
        break;
      case Opcode::kDynamicUpdateSlice:
        if (!is_first) read_whole();
        break;
      case Opcode::kBroadcast:
      case Opcode::kReshape:
        read += whole;
        break;
      default:
        read_whole();
    }
  }
  return read;
}

Bytes FusionTraffic::read_by_nested(InstructionId value, InstructionId fusion) const {
  const auto called = program_.called(fusion);
  Bytes read;
  if (called.empty()) return read;
  const auto operands = program_.operands(fusion);
  const auto parameters = program_.parameters(called.front());
  const auto root_operands = program_.operands(program_[called.front()].root);
  for (size_t i = 0; i < std::min(operands.size(), parameters.size()); ++i) {
    if (operands[i] != value) continue;
    const Bytes inside = reads_[parameters[i]];
    if (root_operands.empty() || root_operands.front() == parameters[i]) {
      read += read_through(fusion, inside);
    } else if (!program_.users(fusion).empty()) {
      read += inside;
    }
  }
  return read;
}

Bytes FusionTraffic::read_through(InstructionId fusion, const Bytes& inside) const {
  Bytes read;
  bool shared = false;
  const auto read_once = [&](const Bytes& bytes) {
    if (!std::exchange(shared, true)) read += bytes;
  };
  InstructionId previous;
  for (InstructionId user : program_.users(fusion)) {
    if (user == std::exchange(previous, user)) continue;
    const bool is_first = program_.operands(user).front() == fusion;
    switch (program_[user].opcode) {
      case Opcode::kSlice:
        read += size(user).whole;
        break;
      case Opcode::kDynamicSlice:
        is_first ? void(read += size(user).whole) : read_once(size(fusion).whole);
        break;
      case Opcode::kDynamicUpdateSlice:
        if (!is_first) read_once(size(fusion).whole);
        break;
      default:
        read_once(inside);
    }
  }
  return read;
}

Bytes FusionTraffic::read_of_leaves(InstructionId value, hlo::ShapeId shape) const {
  const std::vector<hlo::ShapeId>& elements = program_.shape(shape).elements;
  Bytes read;
  for (size_t i = 0; i < elements.size(); ++i) {
    const InstructionId element = element_of(program_, value, i);
    read += program_.shape(elements[i]).is_tuple() ? read_of_leaves(element, elements[i])
                                                   : read_of(element);
  }
  return read;
}

Bytes FusionTraffic::read_of_constants(ComputationId body) const {
  Bytes read;
  for (InstructionId id : program_[body].instructions) {
    if (program_[id].opcode == Opcode::kConstant && size(id).leaf_elements > 1) {
      read += size(id).leaves;
    }
  }
  return read;
}

Bytes FusionTraffic::written(InstructionId fusion, InstructionId root) const {
  if (is_update(program_, root)) return size(program_.operands(root)[1]).whole;
  if (program_[root].opcode != Opcode::kTuple) return size(fusion).leaves;
  Bytes written;
  for (InstructionId part : program_.operands(root)) {
    written +=
        is_update(program_, part) ? size(program_.operands(part)[1]).whole : size(part).leaves;
  }
  return written;
}

InstructionId custom_core(const hlo::Program& program, InstructionId fusion) {
  if (program.text(fusion, hlo::AttrKey::kKind) != kCustomKind) return {};
  const auto called = program.called(fusion);
  if (called.empty()) return {};
  for (InstructionId id : program[called.front()].instructions) {
    const Opcode opcode = program[id].opcode;
    if (opcode == Opcode::kGather || opcode == Opcode::kScatter) return id;
  }
  return {};
}

}  // namespace hloscope::analysis
