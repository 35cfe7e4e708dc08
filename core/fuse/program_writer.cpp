#include "core/fuse/program_writer.h"

#include <fmt/format.h>

#include "core/graph/callee_order.h"

namespace hloscope::fuse {

using hlo::Attribute;
using hlo::AttrKey;
using hlo::AttrKind;
using hlo::ComputationId;
using hlo::InstructionId;
using hlo::ShapeId;

ProgramWriter::ProgramWriter(const hlo::Program& source)
    : source_(source),
      shapes_(source.shapes().size()),
      computations_(source.computation_count()),
      literals_(source.literals().size(), ~0U),
      instructions_(source.instruction_count()) {}

void ProgramWriter::copy_header() {
  out_.reserve(source_.instruction_count());
  out_.set_name(out_.arena().copy(source_.name()));
  for (const Attribute& attribute : source_.module_attributes()) {
    out_.add_module_attribute(copy_attribute(attribute));
  }
  copy_stack_frames();
}

void ProgramWriter::copy_stack_frames() {
  hlo::StackFrameIndex& frames = out_.stack_frames();
  frames = source_.stack_frames();
  for (std::string_view& name : frames.file_names) name = out_.arena().copy(name);
  for (std::string_view& name : frames.function_names) name = out_.arena().copy(name);
}

ComputationId ProgramWriter::begin(ComputationId from) {
  const hlo::Computation& old = source_[from];
  const ComputationId id = out_.begin_computation(out_.arena().copy(old.name));
  out_.computation(id).execution_thread = out_.arena().copy(old.execution_thread);
  out_.computation(id).is_async_wrapper = old.is_async_wrapper;
  return computations_[from] = id;
}

void ProgramWriter::copy_computation(ComputationId root) {
  graph::CalleeOrder order(source_, graph::Follow::kAll);
  for (ComputationId from : order.visit(root)) {
    if (!computations_[from].valid()) copy_instructions(from, begin(from));
  }
}

void ProgramWriter::copy_instructions(ComputationId from, ComputationId to) {
  std::vector<InstructionId> operands;
  std::vector<InstructionId> predecessors;
  for (InstructionId id : source_[from].instructions) {
    operands.clear();
    predecessors.clear();
    for (InstructionId operand : source_.operands(id)) operands.push_back(instructions_[operand]);
    for (int64_t before : source_.ints(id, AttrKey::kControlPredecessors)) {
      predecessors.push_back(instructions_[InstructionId(static_cast<uint32_t>(before))]);
    }
    instructions_[id] = add(id, to, operands, predecessors);
  }
  out_.computation(to).root = instructions_[source_[from].root];
}

InstructionId ProgramWriter::add(InstructionId id, ComputationId target,
                                 std::span<const InstructionId> operands,
                                 std::span<const InstructionId> predecessors) {
  const hlo::Instruction& from = source_[id];
  std::vector<Attribute> attributes;
  for (const Attribute& attribute : source_.attributes(id)) {
    if (attribute.kind() == AttrKind::kInstructions) {
      if (!predecessors.empty()) {
        attributes.push_back(out_.ids(attribute.key(), attribute.kind(), predecessors));
      }
      continue;
    }
    attributes.push_back(copy_attribute(attribute));
  }
  hlo::NewInstruction copy;
  copy.name = unused_name(target, from.name);
  copy.opcode = from.opcode;
  copy.shape = copy_shape(from.shape);
  copy.computation = target;
  copy.number = from.number;
  copy.literal = from.literal == ~0U ? ~0U : copy_literal(from.literal);
  copy.operands = operands;
  copy.attributes = attributes;
  return out_.add(copy);
}

std::string_view ProgramWriter::unused_name(ComputationId target, std::string_view wanted) {
  if (names_.size() <= target.value) names_.resize(target.value + 1);
  std::unordered_set<std::string_view>& used = names_[target.value];
  std::string name(wanted);
  for (int i = 1; used.contains(name); ++i) name = fmt::format("{}.{}", wanted, i);
  return *used.insert(out_.arena().copy(name)).first;
}

ShapeId ProgramWriter::copy_shape(ShapeId id) {
  if (shapes_[id].valid()) return shapes_[id];
  hlo::Shape shape = source_.shape(id);
  for (ShapeId& element : shape.elements) element = copy_shape(element);
  return shapes_[id] = out_.shapes().intern(std::move(shape));
}

uint32_t ProgramWriter::copy_literal(uint32_t index) {
  if (literals_[index] != ~0U) return literals_[index];
  hlo::Literal literal = source_.literals()[index];
  literal.shape = copy_shape(literal.shape);
  literal.data = out_.arena().copy(literal.data);
  for (uint32_t& child : literal.children) child = copy_literal(child);
  return literals_[index] = out_.add_literal(std::move(literal));
}

Attribute ProgramWriter::copy_attribute(const Attribute& attribute) {
  const AttrKey key = attribute.key();
  const AttrKind kind = attribute.kind();
  switch (kind) {
    case AttrKind::kBool:
    case AttrKind::kInt:
    case AttrKind::kDouble:
      return attribute;
    case AttrKind::kText:
    case AttrKind::kRaw:
      return Attribute::of_text(key, kind, out_.arena().copy(attribute.text()));
    case AttrKind::kLiteral:
      return Attribute::of_int(key, kind, copy_literal(static_cast<uint32_t>(attribute.integer())));
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

}  // namespace hloscope::fuse
