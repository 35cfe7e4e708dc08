#include "core/hlo/parse_instruction.h"

#include <fmt/format.h>

#include <array>

#include "core/hlo/async_sugar.h"
#include "core/hlo/parse_literal.h"
#include "core/hlo/parse_shape.h"
#include "core/hlo/similar.h"

namespace hloscope::hlo {

namespace {

struct OldOpcode {
  std::string_view name;
  Opcode opcode;
  std::string_view direction;  // of a comparison
};

// Opcodes of older dumps, and what took their place.
constexpr OldOpcode kOldOpcodes[] = {
    {"cross-replica-sum", Opcode::kAllReduce, ""},
    {"all-reduce-scatter", Opcode::kReduceScatter, ""},
    {"generate-token", Opcode::kAfterAll, ""},
    {"equal-to", Opcode::kCompare, "EQ"},
    {"not-equal-to", Opcode::kCompare, "NE"},
    {"greater-than", Opcode::kCompare, "GT"},
    {"greater-than-or-equal-to", Opcode::kCompare, "GE"},
    {"less-than", Opcode::kCompare, "LT"},
    {"less-than-or-equal-to", Opcode::kCompare, "LE"},
};

const NameTable& opcode_table() {
  static const auto* const kOpcodes = [] {
    auto* table = new NameTable();
    for (uint32_t i = 0; i < kOpcodeCount; ++i) {
      table->insert(name(static_cast<Opcode>(i)), i);
    }
    return table;
  }();
  return *kOpcodes;
}

bool find_opcode(std::string_view word, Rhs& rhs) {
  const uint32_t found = opcode_table().find(word);
  if (found == NameTable::kMissing) return false;
  rhs.opcode = static_cast<Opcode>(found);
  return true;
}

bool find_sugar(std::string_view word, Rhs& rhs) {
  constexpr std::pair<std::string_view, AsyncSugar> kSuffixes[] = {{"-start", AsyncSugar::kStart},
                                                                   {"-update", AsyncSugar::kUpdate},
                                                                   {"-done", AsyncSugar::kDone}};
  for (const auto& [suffix, sugar] : kSuffixes) {
    if (!word.ends_with(suffix)) continue;
    if (!find_opcode(word.substr(0, word.size() - suffix.size()), rhs)) return false;
    rhs.sugar = sugar;
    return !has_native_pair(rhs.opcode);
  }
  return false;
}

bool find_old_opcode(std::string_view word, Rhs& rhs) {
  for (const OldOpcode& old : kOldOpcodes) {
    if (old.name != word) continue;
    rhs.opcode = old.opcode;
    if (!old.direction.empty()) {
      rhs.attributes.seen.add(AttrKey::kDirection);
      rhs.attributes.add(Attribute::of_text(AttrKey::kDirection, AttrKind::kText, old.direction),
                         word.data());
    }
    return true;
  }
  return false;
}

std::string hint_about(std::string_view word) {
  std::array<std::string_view, kOpcodeCount> names;
  for (size_t i = 0; i < names.size(); ++i) names[i] = name(static_cast<Opcode>(i));
  const auto similar = most_similar(word, names);
  return similar ? fmt::format("did you mean {}?", *similar) : "was this dumped by a newer XLA?";
}

bool parse_opcode(ParseContext& c, Rhs& rhs) {
  if (!c.lex.at_word()) {
    return c.lex.fail_expected(rhs.has_shape ? "an opcode" : "a shape or an opcode", "here");
  }
  rhs.opcode_place = c.lex.position();
  rhs.opcode_text = c.lex.take_word();
  if (find_opcode(rhs.opcode_text, rhs) || find_sugar(rhs.opcode_text, rhs)) return true;
  if (!c.options.strict && find_old_opcode(rhs.opcode_text, rhs)) return true;
  if (type_by_name(rhs.opcode_text)) {
    return c.lex.fail_expected("'['", fmt::format("behind {}", rhs.opcode_text));
  }
  if (!rhs.has_shape && c.lex.peek() == '[') {
    return fail_unknown_type(c, rhs.opcode_place, rhs.opcode_text);
  }
  return c.lex.fail(rhs.opcode_place, fmt::format("unknown opcode \"{}\"", rhs.opcode_text),
                    hint_about(rhs.opcode_text));
}

bool parse_arguments(ParseContext& c, Rhs& rhs) {
  if (rhs.sugar != AsyncSugar::kNone) return parse_operands(c, rhs);
  if (rhs.opcode == Opcode::kParameter) {
    return c.lex.expect('(', "before the parameter number") &&
           c.lex.integer_in(rhs.number, 0, INT32_MAX, "a parameter number") &&
           c.lex.expect(')', "after the parameter number");
  }
  if (rhs.opcode == Opcode::kConstant) {
    if (!rhs.has_shape) {
      return c.lex.fail(rhs.opcode_place, "a constant needs its shape before the opcode");
    }
    return c.lex.expect('(', "before the value of a constant") &&
           parse_literal(c, rhs.shape, rhs.literal) &&
           c.lex.expect(')', "after the value of a constant");
  }
  return parse_operands(c, rhs);
}

}  // namespace

bool parse_rhs(ParseContext& c, Rhs& rhs, bool with_attributes) {
  if (!rhs.has_shape && at_shape(c)) {
    if (!parse_shape(c, rhs.shape)) return false;
    rhs.has_shape = true;
  }
  if (!parse_opcode(c, rhs) || !parse_arguments(c, rhs)) return false;
  rhs.end = c.lex.position();
  if (!with_attributes) return true;
  const AttrSet allowed =
      rhs.sugar == AsyncSugar::kNone ? attribute_rule(rhs.opcode).allowed : async_attributes(rhs);
  return parse_attributes(c, rhs, allowed);
}

bool add_instruction(ParseContext& c, Rhs& rhs, std::string_view name, InstructionId& id) {
  if (rhs.sugar != AsyncSugar::kNone) {
    if (!expand_async_sugar(c, rhs)) return false;
  } else if (!check_instruction(c, rhs)) {
    return false;
  }
  if (!infer_shape(c, rhs)) return false;
  NewInstruction instruction;
  instruction.name = name;
  instruction.opcode = rhs.opcode;
  instruction.shape = rhs.shape;
  instruction.computation = c.scope().computation;
  instruction.number = rhs.opcode == Opcode::kGetTupleElement ? rhs.attributes.index : rhs.number;
  instruction.literal = rhs.literal;
  instruction.span = {c.lex.offset(rhs.begin), static_cast<uint32_t>(rhs.end - rhs.begin),
                      c.lex.line_of(rhs.begin)};
  instruction.operands = rhs.operands;
  instruction.attributes = rhs.attributes.items;
  id = c.builder.add(instruction);
  c.scope().last = id;
  return true;
}

bool parse_instruction(ParseContext& c) {
  c.lex.skip();
  const RhsLease rhs(c, c.lex.position());
  const bool root = *rhs->begin == 'R' && c.lex.eat_word("ROOT");
  if (root && c.scope().root.valid()) {
    return c.lex.fail(rhs->begin, "this computation has a ROOT already");
  }
  std::string_view name;
  if (!parse_name(c, name, "the name of an instruction") || !check_new_name(c, name) ||
      !c.lex.expect('=', "behind the name of an instruction") || !parse_rhs(c, *rhs, true)) {
    return false;
  }
  InstructionId id;
  if (!add_instruction(c, *rhs, name, id)) return false;
  if (!c.scope().names.insert(name, id.value)) {
    return c.lex.fail(name.data(), fmt::format("instruction \"{}\" is defined twice", name));
  }
  if (root) c.scope().root = id;
  return true;
}

}  // namespace hloscope::hlo
