#include <fmt/format.h>

#include "core/hlo/parse_instruction.h"

namespace hloscope::hlo {

namespace {

bool check_arity(ParseContext& c, const Rhs& rhs) {
  const int arity = info(rhs.opcode).arity;
  if (arity < 0 || rhs.operands.size() == static_cast<size_t>(arity)) return true;
  return c.lex.fail(rhs.opcode_place,
                    fmt::format("{} takes {} operand{}, but has {}", rhs.opcode_text, arity,
                                arity == 1 ? "" : "s", rhs.operands.size()));
}

bool check_required(ParseContext& c, const Rhs& rhs) {
  const AttrSet& required = attribute_rule(rhs.opcode).required;
  if (rhs.attributes.seen.contains(required)) return true;
  AttrSet missing;
  required.for_each([&](AttrKey key) {
    if (!rhs.attributes.seen.has(key)) missing.add(key);
  });
  return c.lex.fail(rhs.opcode_place,
                    fmt::format("{} needs the attribute {}", rhs.opcode_text, names_of(missing)));
}

}  // namespace

bool check_instruction(ParseContext& c, Rhs& rhs) {
  if (!check_required(c, rhs) || !check_arity(c, rhs)) return false;
  const bool in_chain = rhs.opcode == Opcode::kAsyncUpdate || rhs.opcode == Opcode::kAsyncDone;
  return !in_chain || check_async_chain(c, rhs);
}

}  // namespace hloscope::hlo
