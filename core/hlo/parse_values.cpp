#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

bool skip_raw(ParseContext& c, AttrKey key) {
  switch (key) {
    case AttrKey::kMetadata:
      return skip_metadata(c);
    case AttrKey::kSharding:
      return skip_sharding(c);
    case AttrKey::kFrontendAttributes:
      return skip_frontend_attributes(c);
    case AttrKey::kReplicaGroups:
      return skip_replica_groups(c);
    case AttrKey::kStatistics:
      return skip_statistics(c);
    case AttrKey::kParameterReplication:
      return skip_bool_list(c, false);
    case AttrKey::kOrigin:
      return skip_origin(c);
    case AttrKey::kResultAccuracy:
      return skip_result_accuracy(c);
    case AttrKey::kOutputToOperandAliasing:
      return skip_alias_list(c, false);
    case AttrKey::kSparsityConfig:
      return skip_sparsity_config(c);
    case AttrKey::kDomain:
      return skip_domain(c);
    case AttrKey::kSliceSizes:
      return skip_list_of_lists(c);
    default:
      return c.lex.fail_here("this attribute has no value grammar");
  }
}

}  // namespace

bool parse_raw_value(ParseContext& c, AttrKey key, Attribute& out) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  if (!skip_raw(c, key)) return false;
  out = Attribute::of_text(key, AttrKind::kRaw, c.lex.since(begin));
  return true;
}

bool parse_unknown_value(ParseContext& c, const char* begin, Attribute& out) {
  const char* const value = c.lex.position();
  const char* p = value;
  int depth = 0;
  for (; p < c.lex.end(); ++p) {
    if (*p == '"' || *p == '\'') {
      c.lex.move_to(p);
      if (!c.lex.skip_quoted()) return false;
      p = c.lex.position() - 1;
    } else if (*p == '{' || *p == '(' || *p == '[') {
      ++depth;
    } else if (*p == '}' || *p == ')' || *p == ']') {
      if (--depth < 0) break;
    } else if (depth == 0 && (*p == ',' || *p == '\n')) {
      break;
    }
  }
  if (depth > 0) return c.lex.fail(value, "this value is not closed", "is the file complete?");
  while (p > value && lex::is(p[-1], lex::kBlank)) --p;
  c.lex.move_to(p);
  if (p == value) return c.lex.fail_expected("a value", "behind '='");
  out = Attribute::of_text(AttrKey::kUnknown, AttrKind::kRaw, c.lex.since(begin));
  return true;
}

}  // namespace hloscope::hlo
