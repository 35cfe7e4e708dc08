#include "core/graph/program_copier.h"

#include <algorithm>

namespace hloscope::graph {

using hlo::Attribute;
using hlo::AttrKey;
using hlo::AttrKind;
using hlo::ComputationId;
using hlo::InstructionId;
using hlo::ShapeId;

std::string without_stack_frame(std::string_view metadata) {
  static constexpr std::string_view kKey = "stack_frame_id=";
  std::string out(metadata);
  const size_t key = out.rfind(kKey);
  if (key == std::string::npos) return out;
  const size_t end = std::min(out.find_first_not_of("0123456789", key + kKey.size()), out.size());
  // Inside of a string it is a user's text; there a quote follows somewhere.
  if (out.find('"', end) != std::string::npos) return out;
  const size_t begin = out.find_last_not_of(' ', key - 1) + 1;
  out.erase(begin, end - begin);
  return out;
}

ProgramCopier::ProgramCopier(const hlo::Program& source)
    : source_(source),
      order_(source, Follow::kAll),
      shapes_(source.shapes().size()),
      computations_(source.computation_count()),
      instructions_(source.instruction_count()) {}

void ProgramCopier::copy_module_attributes() {
  for (const Attribute& attribute : source_.module_attributes()) {
    switch (attribute.key()) {
      case AttrKey::kIsScheduled:
      case AttrKey::kReplicaCount:
      case AttrKey::kNumPartitions:
        out_.add_module_attribute(attribute);
        break;
      default:
        break;
    }
  }
}

void ProgramCopier::copy_computation(ComputationId id) {
  for (ComputationId from : order_.visit(id)) {
    const ComputationId to = out_.begin_computation(out_.arena().copy(source_[from].name));
    computations_[from] = to;
    copy_instructions(from, to);
    hlo::Computation& copy = out_.computation(to);
    copy.root = instructions_[source_[from].root];
    copy.execution_thread = out_.arena().copy(source_[from].execution_thread);
    copy.is_async_wrapper = source_[from].is_async_wrapper;
  }
}

void ProgramCopier::copy_instructions(ComputationId from, ComputationId to) {
  std::vector<InstructionId> operands;
  for (InstructionId id : source_[from].instructions) {
    operands.clear();
    for (InstructionId operand : source_.operands(id)) operands.push_back(instructions_[operand]);
    add(id, to, operands);
  }
}

InstructionId ProgramCopier::add(InstructionId id, ComputationId target,
                                 std::span<const InstructionId> operands) {
  const hlo::Instruction& from = source_[id];
  std::vector<Attribute> attributes;
  for (const Attribute& attribute : source_.attributes(id)) {
    if (attribute.kind() == AttrKind::kInstructions && copied_instructions(attribute).empty()) {
      continue;
    }
    attributes.push_back(copy_attribute(attribute));
  }
  hlo::NewInstruction copy;
  copy.name = out_.arena().copy(from.name);
  copy.opcode = from.opcode;
  copy.shape = copy_shape(from.shape);
  copy.computation = target;
  copy.number = from.number;
  copy.literal = from.literal == ~0U ? ~0U : copy_literal(from.literal);
  copy.operands = operands;
  copy.attributes = attributes;
  return instructions_[id] = out_.add(copy);
}

InstructionId ProgramCopier::add_input(InstructionId id, ComputationId target, int64_t& count) {
  hlo::NewInstruction input;
  input.name = out_.arena().copy(source_[id].name);
  input.shape = copy_shape(source_[id].shape);
  input.computation = target;
  if (source_.shape(id).is_token()) {
    input.opcode = hlo::Opcode::kAfterAll;
  } else {
    input.opcode = hlo::Opcode::kParameter;
    input.number = count++;
  }
  return out_.add(input);
}

ShapeId ProgramCopier::copy_shape(ShapeId id) {
  if (shapes_[id].valid()) return shapes_[id];
  hlo::Shape shape = source_.shape(id);
  for (ShapeId& element : shape.elements) element = copy_shape(element);
  return shapes_[id] = out_.shapes().intern(std::move(shape));
}

uint32_t ProgramCopier::copy_literal(uint32_t index) {
  hlo::Literal literal = source_.literals()[index];
  literal.shape = copy_shape(literal.shape);
  literal.data = out_.arena().copy(literal.data);
  for (uint32_t& child : literal.children) child = copy_literal(child);
  return out_.add_literal(std::move(literal));
}

std::vector<InstructionId> ProgramCopier::copied_instructions(const Attribute& attribute) const {
  std::vector<InstructionId> copied;
  for (int64_t id : source_.ints(attribute)) {
    const InstructionId copy = instructions_[InstructionId(static_cast<uint32_t>(id))];
    if (copy.valid()) copied.push_back(copy);
  }
  return copied;
}

Attribute ProgramCopier::copy_attribute(const Attribute& attribute) {
  const AttrKey key = attribute.key();
  const AttrKind kind = attribute.kind();
  switch (kind) {
    case AttrKind::kBool:
    case AttrKind::kInt:
    case AttrKind::kDouble:
      return attribute;
    case AttrKind::kText:
    case AttrKind::kRaw: {
      const bool is_metadata = key == AttrKey::kMetadata;
      const std::string text =
          is_metadata ? without_stack_frame(attribute.text()) : std::string(attribute.text());
      return Attribute::of_text(key, kind, out_.arena().copy(text));
    }
    case AttrKind::kLiteral:
      return Attribute::of_int(key, kind, copy_literal(static_cast<uint32_t>(attribute.integer())));
    case AttrKind::kInstructions:
      return out_.ids(key, kind, std::span<const InstructionId>(copied_instructions(attribute)));
    default:
      break;
  }
  std::vector<int64_t> values(source_.ints(attribute).begin(), source_.ints(attribute).end());
  for (int64_t& value : values) {
    const auto index = static_cast<uint32_t>(value);
    if (kind == AttrKind::kComputations) value = computations_[ComputationId(index)].value;
    if (kind == AttrKind::kShapes) value = copy_shape(ShapeId(index)).value;
  }
  return out_.ints(key, kind, values);
}

}  // namespace hloscope::graph
