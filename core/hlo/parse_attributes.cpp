#include <fmt/format.h>

#include "core/hlo/parse_computation.h"
#include "core/hlo/parse_instruction.h"
#include "core/hlo/parse_literal.h"
#include "core/hlo/parse_shape.h"
#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

AttrKey find_key(std::string_view word) {
  static const auto* const kKeys = [] {
    auto* table = new NameTable();
    for (uint32_t key = 1; key < kAttrKeyCount; ++key) {
      table->insert(name(static_cast<AttrKey>(key)), key);
    }
    return table;
  }();
  const uint32_t key = kKeys->find(word);
  return key == NameTable::kMissing ? AttrKey::kUnknown : static_cast<AttrKey>(key);
}

bool parse_computations(ParseContext& c, AttrKey key, Attribute& out) {
  std::vector<ComputationId> ids;
  const bool list = key == AttrKey::kBranchComputations || key == AttrKey::kCalledComputations;
  if (list && !c.lex.expect('{', "before a list of computations")) return false;
  if (!list || !c.lex.eat('}')) {
    do {
      if (!parse_computation_reference(c, ids.emplace_back())) return false;
    } while (list && c.lex.eat(','));
    if (list && !c.lex.expect('}', "after a list of computations")) return false;
  }
  out = c.builder.ids<ComputationId>(key, AttrKind::kComputations, ids);
  return true;
}

bool parse_instructions(ParseContext& c, AttrKey key, Attribute& out) {
  std::vector<InstructionId> ids;
  if (!c.lex.expect('{', "before a list of instructions")) return false;
  do {
    std::string_view word;
    if (!parse_name(c, word, "an instruction") || !find_operand(c, word, ids.emplace_back())) {
      return false;
    }
  } while (c.lex.eat(','));
  if (!c.lex.expect('}', "after a list of instructions")) return false;
  out = c.builder.ids<InstructionId>(key, AttrKind::kInstructions, ids);
  return true;
}

bool parse_shapes(ParseContext& c, AttrKey key, Attribute& out) {
  std::vector<ShapeId> ids;
  const bool list = key == AttrKey::kOperandLayoutConstraints;
  if (list && !c.lex.expect('{', "before a list of shapes")) return false;
  if (!list || !c.lex.eat('}')) {
    do {
      if (!parse_shape(c, ids.emplace_back())) return false;
    } while (list && c.lex.eat(','));
    if (list && !c.lex.expect('}', "after a list of shapes")) return false;
  }
  out = c.builder.ids<ShapeId>(key, AttrKind::kShapes, ids);
  return true;
}

bool parse_number(ParseContext& c, AttrKey key, Attribute& out) {
  if (kind(key) == AttrKind::kBool) {
    bool value = false;
    if (!c.lex.boolean(value)) return false;
    out = Attribute::of_int(key, AttrKind::kBool, value ? 1 : 0);
    return true;
  }
  if (kind(key) == AttrKind::kDouble) {
    double value = 0;
    if (!c.lex.number(value)) return false;
    out = Attribute::of_double(key, value);
    return true;
  }
  int64_t value = 0;
  const bool narrow = key == AttrKey::kCrossProgramPrefetchIndex;
  if (narrow ? !c.lex.integer_in(value, INT32_MIN, INT32_MAX, "a 32-bit number")
             : !c.lex.integer(value)) {
    return false;
  }
  out = Attribute::of_int(key, AttrKind::kInt, value);
  return true;
}

bool parse_ints(ParseContext& c, AttrKey key, Attribute& out) {
  c.ints.clear();
  if (!c.lex.integer_list(c.ints)) return false;
  out = c.builder.ints(key, AttrKind::kInts, c.ints);
  return true;
}

bool parse_literal_value(ParseContext& c, AttrKey key, Attribute& out) {
  uint32_t literal = 0;
  if (!parse_shaped_literal(c, literal)) return false;
  out = Attribute::of_int(key, AttrKind::kLiteral, literal);
  return true;
}

bool parse_value(ParseContext& c, Opcode opcode, AttrKey key, Attribute& out) {
  switch (kind(key)) {
    case AttrKind::kBool:
    case AttrKind::kInt:
    case AttrKind::kDouble:
      return parse_number(c, key, out);
    case AttrKind::kInts:
      return key == AttrKey::kSliceSizes && opcode != Opcode::kGather ? parse_raw_value(c, key, out)
                                                                      : parse_ints(c, key, out);
    case AttrKind::kIntPairs:
      return parse_int_pairs(c, key, out);
    case AttrKind::kWindow:
      return parse_window(c, out);
    case AttrKind::kPadding:
      return parse_padding(c, out);
    case AttrKind::kSlice:
      return parse_slice(c, out);
    case AttrKind::kText:
      return parse_text_value(c, opcode, key, out);
    case AttrKind::kRaw:
      return parse_raw_value(c, key, out);
    case AttrKind::kComputations:
      return parse_computations(c, key, out);
    case AttrKind::kInstructions:
      return parse_instructions(c, key, out);
    case AttrKind::kShapes:
      return parse_shapes(c, key, out);
    case AttrKind::kLiteral:
      return parse_literal_value(c, key, out);
  }
  return false;
}

bool parse_unknown(ParseContext& c, Rhs& rhs, std::string_view word, const AttrSet& allowed) {
  std::string message = fmt::format("unknown attribute \"{}\" of {}", word, rhs.opcode_text);
  std::string hint =
      fmt::format("known here: {}; was this dumped by another version of XLA?", names_of(allowed));
  if (c.options.strict) return c.lex.fail(word.data(), std::move(message), std::move(hint));
  Attribute attribute = Attribute::of_int(AttrKey::kUnknown, AttrKind::kInt, 0);
  if (!parse_unknown_value(c, word.data(), attribute)) return false;
  c.warn(word.data(), std::move(message), "kept as text; was this dumped by a newer XLA?");
  rhs.attributes.add(attribute, word.data());
  return true;
}

bool check_allowed(ParseContext& c, const Rhs& rhs, AttrKey key, std::string_view word,
                   const AttrSet& allowed) {
  if (!allowed.has(key)) {
    return c.lex.fail(word.data(), fmt::format("{} has no attribute \"{}\"", rhs.opcode_text, word),
                      fmt::format("allowed: {}", names_of(allowed)));
  }
  return !rhs.attributes.seen.has(key) ||
         c.lex.fail(word.data(), fmt::format("attribute \"{}\" is given twice", word));
}

bool parse_attribute(ParseContext& c, Rhs& rhs, const AttrSet& allowed) {
  std::string_view word;
  if (!c.lex.attribute_name(word)) return false;
  AttrKey key = find_key(word);
  if (key == AttrKey::kUnknown) {
    key = renamed_attribute(word);
    if (key == AttrKey::kUnknown || !allowed.has(key) || c.options.strict) {
      return parse_unknown(c, rhs, word, allowed);
    }
  }
  if (!check_allowed(c, rhs, key, word, allowed)) return false;
  rhs.attributes.seen.add(key);
  if (key == AttrKey::kIndex) {
    return c.lex.integer(rhs.attributes.index, "the index of a tuple element");
  }
  Attribute attribute = Attribute::of_int(key, AttrKind::kInt, 0);
  if (!parse_value(c, rhs.opcode, key, attribute)) return false;
  rhs.attributes.add(attribute, word.data());
  return true;
}

}  // namespace

bool parse_attributes(ParseContext& c, Rhs& rhs, const AttrSet& allowed) {
  while (c.lex.eat(',')) {
    if (!parse_attribute(c, rhs, allowed)) return false;
    rhs.end = c.lex.position();
  }
  return true;
}

}  // namespace hloscope::hlo
