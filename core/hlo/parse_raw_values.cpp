#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

enum class Sub : uint8_t { kString, kInt32, kBool, kProfileTypes };
struct SubAttribute {
  std::string_view name;
  Sub kind;
};

// preserve_layout is of dumps of 2023-07 to 2025-01.
constexpr std::array<SubAttribute, 13> kMetadata = {{
    {"op_type", Sub::kString},
    {"op_name", Sub::kString},
    {"source_file", Sub::kString},
    {"source_line", Sub::kInt32},
    {"source_end_line", Sub::kInt32},
    {"source_column", Sub::kInt32},
    {"source_end_column", Sub::kInt32},
    {"profile_type", Sub::kProfileTypes},
    {"deduplicated_name", Sub::kString},
    {"scheduling_name", Sub::kString},
    {"stack_frame_id", Sub::kInt32},
    {"metadata_payload", Sub::kString},
    {"preserve_layout", Sub::kBool},
}};

// Numbers of xla.ProfileType.
bool skip_profile_types(ParseContext& c) {
  constexpr int64_t kLastProfileType = 3;
  c.lex.skip();
  const char* const begin = c.lex.position();
  c.ints.clear();
  if (!c.lex.integer_list(c.ints)) return false;
  return std::all_of(c.ints.begin(), c.ints.end(),
                     [](int64_t type) { return type >= 0 && type <= kLastProfileType; }) ||
         c.lex.fail(begin, "profile types are 0 to 3");
}

bool skip_sub_value(ParseContext& c, Sub kind) {
  int64_t number = 0;
  bool flag = false;
  switch (kind) {
    case Sub::kString:
      return c.lex.skip_quoted();
    case Sub::kInt32:
      return c.lex.integer_in(number, INT32_MIN, INT32_MAX, "this number");
    case Sub::kBool:
      return c.lex.boolean(flag);
    case Sub::kProfileTypes:
      return skip_profile_types(c);
  }
  return false;
}

}  // namespace

bool skip_metadata(ParseContext& c) {
  if (!c.lex.expect('{', "before metadata")) return false;
  uint32_t seen = 0;
  while (!c.lex.eat('}')) {
    std::string_view word;
    c.lex.skip();
    const char* const begin = c.lex.position();
    if (!c.lex.attribute_name(word, "a part of the metadata")) return false;
    size_t i = 0;
    while (i < kMetadata.size() && kMetadata[i].name != word) ++i;
    if (i == kMetadata.size()) {
      return c.lex.fail(begin, fmt::format("unknown part \"{}\" of metadata", word),
                        "was this dumped by a newer XLA?");
    }
    if ((seen >> i & 1) != 0) return c.lex.fail(begin, fmt::format("\"{}\" is given twice", word));
    seen |= 1U << i;
    if (!skip_sub_value(c, kMetadata[i].kind)) return false;
    (void)c.lex.eat(',');
  }
  return true;
}

bool skip_frontend_attributes(ParseContext& c) {
  if (!c.lex.expect('{', "before frontend attributes")) return false;
  if (c.lex.eat('}')) return true;
  do {
    std::string_view name;
    if (!c.lex.attribute_name(name, "a frontend attribute")) return false;
    std::string_view json;
    const bool is_json = c.lex.peek() == '{';
    if (is_json ? !c.lex.json_dict(json) : !c.lex.skip_quoted()) return false;
  } while (c.lex.eat(','));
  return c.lex.expect('}', "after frontend attributes");
}

bool skip_statistics(ParseContext& c) {
  if (!c.lex.expect('{', "before statistics")) return false;
  if (c.lex.eat('}')) return true;
  std::string_view name;
  int64_t index = 0;
  if (!c.lex.attribute_name(name, "visualizing_index") || !c.lex.integer(index)) return false;
  while (c.lex.eat(',')) {
    double value = 0;
    if (!c.lex.attribute_name(name, "a statistic") || !c.lex.number(value)) return false;
  }
  return c.lex.expect('}', "after statistics");
}

bool skip_result_accuracy(ParseContext& c) {
  if (!c.lex.expect('{', "before a result accuracy")) return false;
  if (c.lex.eat_attribute("mode")) {
    std::string_view word = c.lex.peek_word();
    const std::string lower = [word] {
      std::string s(word);
      for (char& x : s) x = static_cast<char>(x >= 'A' && x <= 'Z' ? x + 32 : x);
      return s;
    }();
    if (lower != "default" && lower != "highest") {
      return c.lex.fail_expected("default or highest", "as the accuracy mode");
    }
    word = c.lex.take_word();
    return c.lex.expect('}', "after a result accuracy");
  }
  if (!c.lex.eat_attribute("tolerance")) return c.lex.fail_expected("mode= or tolerance=", "here");
  if (!c.lex.expect('{', "before a tolerance")) return false;
  if (!c.lex.eat('}')) {
    do {
      std::string_view part;
      double value = 0;
      c.lex.skip();
      const char* const begin = c.lex.position();
      if (!c.lex.attribute_name(part, "atol, rtol or ulps")) return false;
      if (part != "atol" && part != "rtol" && part != "ulps") {
        return c.lex.fail(begin, fmt::format("unknown tolerance \"{}\"", part));
      }
      if (!c.lex.number(value)) return false;
      if (value < 0) return c.lex.fail(begin, "a tolerance may not be negative");
    } while (c.lex.eat(','));
    if (!c.lex.expect('}', "after a tolerance")) return false;
  }
  return c.lex.expect('}', "after a result accuracy");
}

bool skip_original_array(ParseContext& c) {
  if (!c.lex.expect('{', "before an original array")) return false;
  if (c.lex.eat('}')) return true;
  if (!c.lex.skip_quoted("the quoted name of an instruction")) return false;
  if (c.lex.peek() == '{') {
    c.ints.clear();
    if (!c.lex.integer_list(c.ints, true)) return false;
  }
  return c.lex.expect('}', "after an original array");
}

namespace {

bool skip_original_tree(ParseContext& c) {
  const DepthGuard guard(c);
  if (!guard.ok()) return false;
  if (c.lex.peek() == '{') return skip_original_array(c);
  if (!c.lex.expect('(', "before an original value")) return false;
  while (!c.lex.eat(')')) {
    if (!skip_original_tree(c)) return false;
    (void)c.lex.eat(',');
  }
  return true;
}

}  // namespace

bool skip_origin(ParseContext& c) {
  if (!c.lex.expect('{', "before an original value")) return false;
  if (c.lex.eat('}')) return true;
  if (c.lex.eat('[')) {
    if (!c.lex.eat_word("synthetic_call")) return c.lex.fail_expected("synthetic_call", "here");
    if (!c.lex.expect(']', "after synthetic_call")) return false;
  } else if (!skip_original_tree(c)) {
    return false;
  }
  return c.lex.expect('}', "after an original value");
}

bool skip_bool_list(ParseContext& c, bool bare) {
  bool value = false;
  if (bare && c.lex.peek() != '{') return c.lex.boolean(value);
  if (!c.lex.expect('{', "before a list of true and false")) return false;
  if (c.lex.eat('}')) return true;
  do {
    if (!c.lex.boolean(value)) return false;
  } while (c.lex.eat(','));
  return c.lex.expect('}', "after a list of true and false");
}

bool skip_list_of_lists(ParseContext& c) {
  if (!c.lex.expect('{', "before a list of lists")) return false;
  if (c.lex.eat('}')) return true;
  do {
    c.ints.clear();
    if (!c.lex.integer_list(c.ints)) return false;
  } while (c.lex.eat(','));
  return c.lex.expect('}', "after a list of lists");
}

}  // namespace hloscope::hlo
