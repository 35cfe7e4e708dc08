#include <fmt/format.h>

#include <algorithm>

#include "core/hlo/inferrer.h"
#include "core/hlo/parse_instruction.h"
#include "core/hlo/parse_shape.h"

namespace hloscope::hlo {

namespace {

ShapeId array_of(ParseContext& c, PrimitiveType type, std::vector<int64_t> dimensions = {}) {
  Shape shape;
  shape.element_type = type;
  shape.dimensions = std::move(dimensions);
  shape.has_layout = true;
  set_default_layout(shape);
  return c.builder.shapes().intern(std::move(shape));
}

ShapeId tuple_of(ParseContext& c, std::vector<ShapeId> elements) {
  Shape shape;
  shape.element_type = PrimitiveType::kTuple;
  shape.elements = std::move(elements);
  return c.builder.shapes().intern(std::move(shape));
}

ShapeId operand_shape(ParseContext& c, const Rhs& rhs, size_t i) {
  return c.builder.instruction(rhs.operands[i]).shape;
}

// Opcodes whose shape XLA computes whatever the text says; invalid for others. A written shape
// that agrees is kept, since it may hold memory spaces.
ShapeId fixed_shape(ParseContext& c, const Rhs& rhs) {
  const auto element = [&](ShapeId tuple, size_t i) {
    const Shape& shape = c.builder.shapes()[tuple];
    return shape.is_tuple() && i < shape.elements.size() ? shape.elements[i] : tuple;
  };
  const ShapeId token = array_of(c, PrimitiveType::kToken);
  switch (rhs.opcode) {
    case Opcode::kAfterAll:
    case Opcode::kSendDone:
    case Opcode::kOutfeed:
      return token;
    case Opcode::kAddDependency:
      return operand_shape(c, rhs, 0);
    case Opcode::kSend:
      return tuple_of(c, {operand_shape(c, rhs, 0), array_of(c, PrimitiveType::kU32), token});
    case Opcode::kRecv:
      return tuple_of(c, {element(rhs.shape, 0), array_of(c, PrimitiveType::kU32), token});
    case Opcode::kRecvDone:
      return tuple_of(c, {element(operand_shape(c, rhs, 0), 0), token});
    case Opcode::kInfeed:
      return tuple_of(c, {element(rhs.shape, 0), token});
    default:
      return {};
  }
}

bool has_fixed_shape(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAfterAll:
    case Opcode::kAddDependency:
    case Opcode::kOutfeed:
    case Opcode::kSend:
    case Opcode::kSendDone:
    case Opcode::kRecv:
    case Opcode::kRecvDone:
    case Opcode::kInfeed:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool infer_shape(ParseContext& c, Rhs& rhs) {
  if (has_fixed_shape(rhs.opcode)) {
    if (!rhs.has_shape && !info(rhs.opcode).shape_may_be_omitted) {
      return c.lex.fail(rhs.opcode_place, fmt::format("{} needs its shape", rhs.opcode_text));
    }
    const ShapeId fixed = fixed_shape(c, rhs);
    if (!rhs.has_shape || !c.builder.shapes().compatible(rhs.shape, fixed)) rhs.shape = fixed;
    return true;
  }
  if (rhs.has_shape) return true;
  if (!info(rhs.opcode).shape_may_be_omitted) {
    return c.lex.fail(rhs.opcode_place, fmt::format("{} needs its shape", rhs.opcode_text),
                      "write it before the opcode");
  }
  std::vector<ShapeId> shapes;
  for (const InstructionId id : rhs.operands) shapes.push_back(c.builder.instruction(id).shape);
  rhs.shape = Inferrer(c.builder, rhs, shapes).infer();
  return rhs.shape.valid() ||
         c.lex.fail(
             rhs.opcode_place,
             fmt::format("the shape of {} cannot be inferred from its operands", rhs.opcode_text),
             "write it before the opcode");
}

}  // namespace hloscope::hlo
