#include <fmt/format.h>

#include <array>

#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

// Whether the list of numbers goes on with "x" and a number, without a blank.
bool eat_times(Lexer& lex) {
  const char* const p = lex.position();
  if (p[0] != 'x' || !(lex::is(p[1], lex::kDigit) || p[1] == '-')) return false;
  lex.move_to(p + 1);
  return true;
}

// One number of a list such as 3x3 or 0_1x0_1, without the checks for what follows it.
bool list_number(ParseContext& c, int64_t& value) {
  const char* const begin = c.lex.position();
  const bool negative = *begin == '-';
  const char* p = begin + (negative ? 1 : 0);
  if (!lex::is(*p, lex::kDigit)) return c.lex.fail_expected("a number", "here");
  int64_t magnitude = 0;
  for (; lex::is(*p, lex::kDigit); ++p) {
    if (__builtin_mul_overflow(magnitude, 10, &magnitude) ||
        __builtin_add_overflow(magnitude, *p - '0', &magnitude)) {
      return c.lex.fail(begin, "this number is too large");
    }
  }
  value = negative ? -magnitude : magnitude;
  c.lex.move_to(p);
  return true;
}

bool parse_dxd(ParseContext& c, std::vector<int64_t>& values) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  do {
    int64_t value = 0;
    if (!list_number(c, value)) return false;
    if (value < 0) return c.lex.fail(begin, "only the padding of a window may be negative");
    values.push_back(value);
  } while (eat_times(c.lex));
  return true;
}

bool eat_underscore(Lexer& lex) {
  if (*lex.position() != '_') return false;
  lex.move_to(lex.position() + 1);
  return true;
}

// low_high[_interior] x ...; appends three numbers per dimension.
bool parse_pads(ParseContext& c, bool interior_allowed, std::vector<int64_t>& values) {
  c.lex.skip();
  do {
    const char* const begin = c.lex.position();
    int64_t low = 0;
    int64_t high = 0;
    int64_t interior = 0;
    if (!list_number(c, low)) return false;
    if (!eat_underscore(c.lex)) return c.lex.fail(begin, "expected padding as low_high");
    if (!list_number(c, high)) return false;
    if (eat_underscore(c.lex)) {
      if (!interior_allowed) {
        return c.lex.fail(begin, "the padding of a window has no interior part");
      }
      if (!list_number(c, interior)) return false;
    }
    values.insert(values.end(), {low, high, interior});
  } while (eat_times(c.lex));
  return true;
}

enum WindowPart { kSize, kStride, kPad, kLhsDilate, kRhsDilate, kReversal, kPartCount };
constexpr std::array<std::string_view, kPartCount> kPartNames = {
    "size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
using WindowParts = std::array<std::vector<int64_t>, kPartCount>;

bool parse_window_part(ParseContext& c, WindowParts& parts) {
  std::string_view word;
  c.lex.skip();
  const char* const begin = c.lex.position();
  if (!c.lex.attribute_name(word, "a part of the window")) return false;
  for (size_t i = 0; i < kPartCount; ++i) {
    if (kPartNames[i] != word) continue;
    if (!parts[i].empty()) return c.lex.fail(begin, fmt::format("\"{}\" is given twice", word));
    return i == kPad ? parse_pads(c, false, parts[i]) : parse_dxd(c, parts[i]);
  }
  return c.lex.fail(begin, fmt::format("unknown part \"{}\" of a window", word),
                    fmt::format("a window has {}", fmt::join(kPartNames, ", ")));
}

bool check_window_ranks(ParseContext& c, const WindowParts& parts, const char* begin) {
  const size_t rank = parts[kSize].size();
  for (size_t i = 0; i < kPartCount; ++i) {
    const size_t count = parts[i].size() / (i == kPad ? 3 : 1);
    if (count != 0 && count != rank) {
      return c.lex.fail(begin, fmt::format("\"{}=\" has {} entries, but \"size=\" has {}",
                                           kPartNames[i], count, rank));
    }
  }
  return true;
}

}  // namespace

bool parse_window(ParseContext& c, Attribute& out) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  if (!c.lex.expect('{', "before a window")) return false;
  WindowParts parts;
  while (!c.lex.eat('}')) {
    if (!parse_window_part(c, parts)) return false;
  }
  if (!check_window_ranks(c, parts, begin)) return false;
  const auto value = [&parts](WindowPart part, size_t i, int64_t absent) {
    return parts[part].empty() ? absent : parts[part][i];
  };
  c.ints.clear();
  for (size_t i = 0; i < parts[kSize].size(); ++i) {
    c.ints.insert(c.ints.end(), {parts[kSize][i], value(kStride, i, 1), value(kPad, 3 * i, 0),
                                 value(kPad, 3 * i + 1, 0), value(kLhsDilate, i, 1),
                                 value(kRhsDilate, i, 1), value(kReversal, i, 0)});
  }
  out = c.builder.ints(AttrKey::kWindow, AttrKind::kWindow, c.ints);
  return true;
}

bool parse_padding(ParseContext& c, Attribute& out) {
  c.ints.clear();
  if (!parse_pads(c, true, c.ints)) return false;
  out = c.builder.ints(AttrKey::kPadding, AttrKind::kPadding, c.ints);
  return true;
}

bool parse_slice(ParseContext& c, Attribute& out) {
  c.ints.clear();
  if (!c.lex.expect('{', "before the ranges of a slice")) return false;
  while (c.lex.peek() == '[') {
    int64_t start = 0;
    int64_t limit = 0;
    int64_t stride = 1;
    if (!c.lex.expect('[', "before a range") || !c.lex.integer(start) ||
        !c.lex.expect(':', "after the start of a range") || !c.lex.integer(limit)) {
      return false;
    }
    if (c.lex.eat(':') && !c.lex.integer(stride)) return false;
    if (!c.lex.expect(']', "after a range")) return false;
    c.ints.insert(c.ints.end(), {start, limit, stride});
    if (!c.lex.eat(',')) break;
    if (c.lex.peek() != '[') return c.lex.fail_expected("'['", "before a range");
  }
  if (!c.lex.expect('}', "after the ranges of a slice")) return false;
  out = c.builder.ints(AttrKey::kSlice, AttrKind::kSlice, c.ints);
  return true;
}

bool parse_int_pairs(ParseContext& c, AttrKey key, Attribute& out) {
  c.ints.clear();
  if (!c.lex.expect('{', "before a list of pairs")) return false;
  if (!c.lex.eat('}')) {
    do {
      c.lex.skip();
      const char* const begin = c.lex.position();
      const size_t before = c.ints.size();
      if (!c.lex.integer_list(c.ints)) return false;
      if (c.ints.size() != before + 2) return c.lex.fail(begin, "expected a pair {source,target}");
    } while (c.lex.eat(','));
    if (!c.lex.expect('}', "after a list of pairs")) return false;
  }
  out = c.builder.ints(key, AttrKind::kIntPairs, c.ints);
  return true;
}

}  // namespace hloscope::hlo
