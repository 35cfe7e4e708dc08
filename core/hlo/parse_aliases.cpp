#include <fmt/format.h>

#include <set>

#include "core/hlo/parse_instruction.h"
#include "core/hlo/parse_module.h"
#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

// `(NUMBER, {INDEX}` without the closing parenthesis.
bool parse_source(ParseContext& c, BufferAlias& alias) {
  return c.lex.expect('(', "before an aliased operand") && c.lex.integer(alias.parameter) &&
         c.lex.expect(',', "after a number") && c.lex.integer_list(alias.index, true);
}

bool parse_alias(ParseContext& c, bool with_kind, BufferAlias& alias) {
  alias.has_output = true;
  if (!c.lex.integer_list(alias.output, true) || !c.lex.expect(':', "after an output index") ||
      !parse_source(c, alias)) {
    return false;
  }
  if (with_kind && c.lex.eat(',') && !c.lex.eat_word("may-alias") &&
      !c.lex.eat_word("must-alias")) {
    return c.lex.fail_expected("may-alias or must-alias", "here");
  }
  return c.lex.expect(')', "after an aliased operand");
}

// The end of a list entry: "," or the closing brace (not eaten).
bool end_entry(ParseContext& c) {
  return c.lex.eat(',') || c.lex.peek() == '}' || c.lex.fail_expected("'}'", "after a list");
}

bool index_exists(const ShapeTable& shapes, ShapeId shape, const std::vector<int64_t>& index) {
  for (const int64_t i : index) {
    const Shape& tuple = shapes[shape];
    if (!tuple.is_tuple() || i < 0 || i >= static_cast<int64_t>(tuple.elements.size())) {
      return false;
    }
    shape = tuple.elements[static_cast<size_t>(i)];
  }
  return true;
}

}  // namespace

bool skip_alias_list(ParseContext& c, bool with_kind) {
  if (!c.lex.expect('{', "before a list of aliases")) return false;
  while (!c.lex.eat('}')) {
    BufferAlias alias;
    alias.place = c.lex.position();
    if (!parse_alias(c, with_kind, alias) || !end_entry(c)) return false;
    // Aliases of instructions have no kind; XLA looks at them in the verifier.
    if (with_kind) c.aliases.push_back(std::move(alias));
  }
  return true;
}

bool skip_buffer_donors(ParseContext& c) {
  if (!c.lex.expect('{', "before a list of buffer donors")) return false;
  while (!c.lex.eat('}')) {
    BufferAlias donor;
    donor.place = c.lex.position();
    if (!parse_source(c, donor) || !c.lex.expect(')', "after a buffer donor") || !end_entry(c)) {
      return false;
    }
    c.aliases.push_back(std::move(donor));
  }
  return true;
}

bool check_aliases(ParseContext& c) {
  if (c.aliases.empty()) return true;
  const Computation& entry = c.builder.computation(c.builder.entry());
  const ShapeId result = c.builder.instruction(entry.root).shape;
  const std::vector<ShapeId> parameters = parameter_shapes(c, c.builder.entry());
  std::set<std::vector<int64_t>> outputs;
  for (const BufferAlias& alias : c.aliases) {
    if (alias.has_output && !index_exists(c.builder.shapes(), result, alias.output)) {
      return c.lex.fail(alias.place, fmt::format("the result {} has no part {{{}}}",
                                                 c.builder.shapes().text(result, false),
                                                 fmt::join(alias.output, ",")));
    }
    if (alias.has_output && !outputs.insert(alias.output).second) {
      return c.lex.fail(alias.place, "this output is aliased twice");
    }
    if (alias.parameter < 0 || alias.parameter >= static_cast<int64_t>(parameters.size())) {
      return c.lex.fail(alias.place, fmt::format("the entry has no parameter {}", alias.parameter));
    }
    const ShapeId parameter = parameters[static_cast<size_t>(alias.parameter)];
    if (!index_exists(c.builder.shapes(), parameter, alias.index)) {
      return c.lex.fail(alias.place, fmt::format("parameter {} has no part {{{}}}", alias.parameter,
                                                 fmt::join(alias.index, ",")));
    }
  }
  return true;
}

}  // namespace hloscope::hlo
