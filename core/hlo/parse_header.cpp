#include <fmt/format.h>

#include "core/hlo/parse_instruction.h"
#include "core/hlo/parse_module.h"
#include "core/hlo/parse_shape.h"
#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

bool skip_entry_layout(ParseContext& c) {
  ShapeId shape;
  if (!c.lex.expect('{', "before the entry layout") ||
      !c.lex.expect('(', "before the parameter shapes")) {
    return false;
  }
  if (!c.lex.eat(')')) {
    do {
      if (!parse_shape(c, shape)) return false;
    } while (c.lex.eat(','));
    if (!c.lex.expect(')', "after the parameter shapes")) return false;
  }
  return c.lex.expect("->", "before the result shape") && parse_shape(c, shape) &&
         c.lex.expect('}', "after the entry layout");
}

// `{"old" {0}} : {"new"}, "text of a module"`, without commas between the entries.
bool skip_recovery_table(ParseContext& c) {
  if (!c.lex.expect('{', "before the recovery table")) return false;
  while (!c.lex.eat('}')) {
    if (!skip_original_array(c) || !c.lex.expect(':', "in the recovery table") ||
        !skip_original_array(c)) {
      return false;
    }
    if (c.lex.eat(',') && !c.lex.skip_quoted("the quoted text of a module")) return false;
  }
  return true;
}

bool skip_debug_entry(ParseContext& c) {
  if (!c.lex.expect('{', "before a debug attribute")) return false;
  while (!c.lex.eat('}')) {
    std::string_view part;
    int64_t number = 0;
    bool flag = false;
    c.lex.skip();
    const char* const begin = c.lex.position();
    if (!c.lex.attribute_name(part, "a part of the debug attributes")) return false;
    bool good = false;
    if (part == "log_mode") {
      good = c.lex.eat_word("default") || c.lex.eat_word("fusion_debugger") ||
             c.lex.fail_expected("default or fusion_debugger", "here");
    } else if (part == "partitioned") {
      good = c.lex.boolean(flag);
    } else if (part == "callback_id" || part == "op_id") {
      good = c.lex.integer(number);
    } else {
      good = c.lex.fail(begin, fmt::format("unknown part \"{}\" of debug attributes", part));
    }
    if (!good) return false;
    (void)c.lex.eat(',');
  }
  return true;
}

bool skip_debug_attributes(ParseContext& c) {
  if (!c.lex.expect('{', "before debug attributes")) return false;
  if (c.lex.eat('}')) return true;
  do {
    if (!skip_original_array(c) || !c.lex.expect(':', "in debug attributes")) return false;
    const bool list = c.lex.eat('(');
    if (list && c.lex.eat(')')) continue;
    do {
      if (!skip_debug_entry(c)) return false;
    } while (list && c.lex.eat(','));
    if (list && !c.lex.expect(')', "after a list of debug attributes")) return false;
  } while (c.lex.eat(','));
  return c.lex.expect('}', "after debug attributes");
}

bool skip_header_value(ParseContext& c, AttrKey key) {
  switch (key) {
    case AttrKey::kInputOutputAlias:
      return skip_alias_list(c, true);
    case AttrKey::kBufferDonor:
      return skip_buffer_donors(c);
    case AttrKey::kEntryComputationLayout:
      return skip_entry_layout(c);
    case AttrKey::kAllowSpmdShardingPropagationToParameters:
    case AttrKey::kAllowSpmdShardingPropagationToOutput:
      return skip_bool_list(c, true);
    case AttrKey::kFrontendAttributes:
      return skip_frontend_attributes(c);
    case AttrKey::kOriginRecoveryTable:
      return skip_recovery_table(c);
    case AttrKey::kDebugAttributes:
      return skip_debug_attributes(c);
    default:
      return c.lex.fail_here("this attribute has no value grammar");
  }
}

bool parse_header_value(ParseContext& c, AttrKey key) {
  if (kind(key) == AttrKind::kBool) {
    bool value = false;
    if (!c.lex.boolean(value)) return false;
    c.builder.add_module_attribute(Attribute::of_int(key, AttrKind::kBool, value ? 1 : 0));
    return true;
  }
  if (kind(key) == AttrKind::kInt) {
    int64_t value = 0;
    if (!c.lex.integer(value)) return false;
    c.builder.add_module_attribute(Attribute::of_int(key, AttrKind::kInt, value));
    return true;
  }
  c.lex.skip();
  const char* const begin = c.lex.position();
  if (!skip_header_value(c, key)) return false;
  c.builder.add_module_attribute(Attribute::of_text(key, AttrKind::kRaw, c.lex.since(begin)));
  return true;
}

bool parse_unknown_header(ParseContext& c, std::string_view word) {
  std::string message = fmt::format("unknown attribute \"{}\" of the module", word);
  if (c.options.strict) {
    return c.lex.fail(word.data(), std::move(message),
                      fmt::format("known: {}", names_of(module_attribute_set())));
  }
  Attribute attribute = Attribute::of_int(AttrKey::kUnknown, AttrKind::kInt, 0);
  if (!parse_unknown_value(c, word.data(), attribute)) return false;
  c.warn(word.data(), std::move(message), "kept as text; was this dumped by a newer XLA?");
  c.builder.add_module_attribute(attribute);
  return true;
}

bool parse_header_attribute(ParseContext& c, AttrSet& seen) {
  std::string_view word;
  if (!c.lex.attribute_name(word)) return false;
  const auto key = attribute_by_name(word);
  if (!key) return parse_unknown_header(c, word);
  if (!module_attribute_set().has(*key)) {
    return c.lex.fail(word.data(), fmt::format("a module has no attribute \"{}\"", word),
                      fmt::format("allowed: {}", names_of(module_attribute_set())));
  }
  if (seen.has(*key)) {
    return c.lex.fail(word.data(), fmt::format("attribute \"{}\" is given twice", word));
  }
  seen.add(*key);
  return parse_header_value(c, *key);
}

}  // namespace

bool parse_module_header(ParseContext& c) {
  if (!c.lex.eat_word("HloModule")) return c.lex.fail_expected("HloModule", "here");
  std::string_view name;
  if (!parse_name(c, name, "the name of the module")) return false;
  c.builder.set_name(name);
  AttrSet seen;
  while (c.lex.eat(',')) {
    if (!parse_header_attribute(c, seen)) return false;
  }
  return true;
}

}  // namespace hloscope::hlo
