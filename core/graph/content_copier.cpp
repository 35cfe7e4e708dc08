#include "core/graph/content_copier.h"

namespace hloscope::graph {

using hlo::Attribute;
using hlo::AttrKey;
using hlo::AttrKind;
using hlo::ComputationId;
using hlo::InstructionId;
using hlo::ShapeId;

ContentCopier::ContentCopier(const hlo::Program& source, hlo::ProgramBuilder& out)
    : source_(source),
      out_(out),
      shapes_(source.shapes().size()),
      computations_(source.computation_count()),
      literals_(source.literals().size(), ~0U) {}

ComputationId ContentCopier::begin(ComputationId from) {
  const hlo::Computation& old = source_[from];
  const ComputationId id = out_.begin_computation(out_.arena().copy(old.name));
  out_.computation(id).execution_thread = out_.arena().copy(old.execution_thread);
  out_.computation(id).is_async_wrapper = old.is_async_wrapper;
  return computations_[from] = id;
}

hlo::NewInstruction ContentCopier::instruction(InstructionId id, ComputationId target) {
  const hlo::Instruction& from = source_[id];
  hlo::NewInstruction copy;
  copy.opcode = from.opcode;
  copy.shape = shape(from.shape);
  copy.computation = target;
  copy.number = from.number;
  copy.literal = from.literal == ~0U ? ~0U : literal(from.literal);
  return copy;
}

ShapeId ContentCopier::shape(ShapeId id) {
  if (shapes_[id].valid()) return shapes_[id];
  hlo::Shape copy = source_.shape(id);
  for (ShapeId& element : copy.elements) element = shape(element);
  return shapes_[id] = out_.shapes().intern(std::move(copy));
}

uint32_t ContentCopier::literal(uint32_t index) {
  if (literals_[index] != ~0U) return literals_[index];
  hlo::Literal copy = source_.literals()[index];
  copy.shape = shape(copy.shape);
  copy.data = out_.arena().copy(copy.data);
  for (uint32_t& child : copy.children) child = literal(child);
  return literals_[index] = out_.add_literal(std::move(copy));
}

Attribute ContentCopier::attribute(const Attribute& attribute) {
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
      return Attribute::of_int(key, kind, literal(static_cast<uint32_t>(attribute.integer())));
    default:
      break;
  }
  std::vector<int64_t> values(source_.ints(attribute).begin(), source_.ints(attribute).end());
  for (int64_t& value : values) {
    const auto index = static_cast<uint32_t>(value);
    if (kind == AttrKind::kComputations) value = computations_[ComputationId(index)].value;
    if (kind == AttrKind::kShapes) value = shape(ShapeId(index)).value;
  }
  return out_.ints(key, kind, values);
}

}  // namespace hloscope::graph
