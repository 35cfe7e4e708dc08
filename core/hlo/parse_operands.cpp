#include <fmt/format.h>

#include "core/hlo/parse_instruction.h"
#include "core/hlo/parse_shape.h"

namespace hloscope::hlo {

namespace {

bool check_operand_shape(ParseContext& c, InstructionId id, ShapeId written, const char* place) {
  const ShapeTable& shapes = c.builder.shapes();
  const ShapeId actual = c.builder.instruction(id).shape;
  return shapes.compatible(written, actual) ||
         c.lex.fail(place, fmt::format("the operand is written as {}, but \"{}\" is {}",
                                       shapes.text(written, false), c.builder.instruction(id).name,
                                       shapes.text(actual, false)));
}

// The get-tuple-element behind `%x#1`: one for every operand and index, made when first used.
bool tuple_element(ParseContext& c, InstructionId& id, int64_t index, const char* place) {
  const Shape& shape = c.builder.shapes()[c.builder.instruction(id).shape];
  if (!shape.is_tuple() || index < 0 || index >= static_cast<int64_t>(shape.elements.size())) {
    return c.lex.fail(place, fmt::format("there is no element {} in {}", index,
                                         c.builder.shapes().text(c.builder.instruction(id).shape)));
  }
  const uint64_t key = uint64_t{id.value} << 32 | static_cast<uint64_t>(index);
  if (const auto known = c.scope().elements.find(key); known != c.scope().elements.end()) {
    id = known->second;
    return true;
  }
  NewInstruction element;
  element.opcode = Opcode::kGetTupleElement;
  element.shape = shape.elements[static_cast<size_t>(index)];
  element.computation = c.scope().computation;
  element.number = index;
  element.operands = std::span(&id, 1);
  const InstructionId made = c.builder.add(element);
  c.scope().elements.emplace(key, made);
  c.scope().unnamed.emplace_back(made, "get-tuple-element");
  id = made;
  return true;
}

bool parse_elements(ParseContext& c, InstructionId& id) {
  while (c.lex.peek() == '#') {
    const char* const place = c.lex.position();
    int64_t index = 0;
    if (!c.lex.eat('#') || !c.lex.integer(index, "a tuple index")) return false;
    if (!tuple_element(c, id, index, place)) return false;
  }
  return true;
}

// Nested operands and the parameters of the single form are added before their user.
bool parse_nested(ParseContext& c, const ShapeId* shape, const char* begin, InstructionId& id) {
  const DepthGuard guard(c, 8);
  if (!guard.ok()) return false;
  const RhsLease rhs(c, begin);
  if (shape != nullptr) {
    rhs->has_shape = true;
    rhs->shape = *shape;
  }
  if (!parse_rhs(c, *rhs, false) || !add_instruction(c, *rhs, {}, id)) return false;
  c.scope().unnamed.emplace_back(id,
                                 c.builder.arena().copy(fmt::format("{}.anon", rhs->opcode_text)));
  return true;
}

InstructionId make_parameter(ParseContext& c, ShapeId shape, std::string_view name) {
  NewInstruction parameter;
  parameter.name = name;
  parameter.opcode = Opcode::kParameter;
  parameter.shape = shape;
  parameter.computation = c.scope().computation;
  parameter.number = c.single_parameters++;
  const InstructionId id = c.builder.add(parameter);
  if (name.empty()) {
    c.scope().unnamed.emplace_back(id,
                                   c.builder.arena().copy(fmt::format("_{}", parameter.number)));
  } else {
    c.scope().names.insert(name, id.value);
  }
  return id;
}

bool at_nested(ParseContext& c) {
  const char* p = c.lex.position();
  if (!lex::is(*p, lex::kWordStart)) return false;
  while (lex::is(*p, lex::kWord)) ++p;
  return *c.lex.token_behind(p) == '(';
}

bool parse_named(ParseContext& c, const ShapeId* shape, const char* begin, InstructionId& id) {
  std::string_view name;
  if (!parse_name(c, name, "an operand")) return false;
  const bool makes_parameter = c.single_form && c.scope_depth == 1 && shape != nullptr &&
                               c.scope().names.find(name) == NameTable::kMissing;
  if (makes_parameter) {
    id = make_parameter(c, *shape, name);
    return true;
  }
  return find_operand(c, name, id) && parse_elements(c, id) &&
         (shape == nullptr || check_operand_shape(c, id, *shape, begin));
}

bool parse_operand(ParseContext& c, InstructionId& id) {
  const char first = c.lex.peek();
  const char* const begin = c.lex.position();
  if (first == '%') return parse_named(c, nullptr, begin, id);
  ShapeId shape;
  const bool shaped = at_shape(c);
  if (shaped && !parse_shape(c, shape)) return false;
  const char next = c.lex.peek();
  if (shaped && c.single_form && c.scope_depth == 1 && (next == ',' || next == ')')) {
    id = make_parameter(c, shape, {});
    return true;
  }
  const ShapeId* const written = shaped ? &shape : nullptr;
  return at_nested(c) ? parse_nested(c, written, begin, id) : parse_named(c, written, begin, id);
}

}  // namespace

bool parse_operands(ParseContext& c, Rhs& rhs) {
  if (!c.lex.expect('(', "before the operands")) return false;
  for (;;) {
    // XLA takes any number of commas.
    while (c.lex.eat(',')) {
    }
    if (c.lex.eat(')')) return true;
    InstructionId id;
    if (!parse_operand(c, id)) return false;
    rhs.operands.push_back(id);
    const char next = c.lex.peek();
    if (next != ',' && next != ')') return c.lex.fail_expected("')'", "after the operands");
  }
}

}  // namespace hloscope::hlo
