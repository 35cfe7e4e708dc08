#include "core/graph/program_copier.h"

#include <algorithm>

namespace hloscope::graph {

using hlo::Attribute;
using hlo::AttrKey;
using hlo::AttrKind;
using hlo::ComputationId;
using hlo::InstructionId;

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
      contents_(source, out_),
      order_(source, Follow::kAll),
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
    const ComputationId to = contents_.begin(from);
    copy_instructions(from, to);
    out_.computation(to).root = instructions_[source_[from].root];
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
  std::vector<Attribute> attributes;
  for (const Attribute& attribute : source_.attributes(id)) {
    if (attribute.kind() == AttrKind::kInstructions && copied_instructions(attribute).empty()) {
      continue;
    }
    attributes.push_back(copy_attribute(attribute));
  }
  hlo::NewInstruction copy = contents_.instruction(id, target);
  copy.name = out_.arena().copy(source_[id].name);
  copy.operands = operands;
  copy.attributes = attributes;
  return instructions_[id] = out_.add(copy);
}

InstructionId ProgramCopier::add_input(InstructionId id, ComputationId target, int64_t& count) {
  hlo::NewInstruction input;
  input.name = out_.arena().copy(source_[id].name);
  input.shape = contents_.shape(source_[id].shape);
  input.computation = target;
  if (source_.shape(id).is_token()) {
    input.opcode = hlo::Opcode::kAfterAll;
  } else {
    input.opcode = hlo::Opcode::kParameter;
    input.number = count++;
  }
  return out_.add(input);
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
  if (attribute.kind() == AttrKind::kInstructions) {
    return out_.ids(attribute.key(), attribute.kind(),
                    std::span<const InstructionId>(copied_instructions(attribute)));
  }
  if (attribute.key() != AttrKey::kMetadata) return contents_.attribute(attribute);
  const std::string text = without_stack_frame(attribute.text());
  return Attribute::of_text(attribute.key(), attribute.kind(), out_.arena().copy(text));
}

}  // namespace hloscope::graph
