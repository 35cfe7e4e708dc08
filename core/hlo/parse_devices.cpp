#include <algorithm>

#include "core/hlo/parse_values.h"

namespace hloscope::hlo {

namespace {

bool is_permutation(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

}  // namespace

bool parse_bracketed(ParseContext& c, std::vector<int64_t>& values, std::string_view what) {
  if (!c.lex.expect('[', what)) return false;
  do {
    int64_t value = 0;
    if (!c.lex.integer(value)) return false;
    values.push_back(value);
  } while (c.lex.eat(','));
  return c.lex.expect(']', what);
}

int64_t product_of_sizes(const std::vector<int64_t>& factors) {
  int64_t result = 1;
  for (const int64_t factor : factors) {
    if (factor <= 0 || __builtin_mul_overflow(result, factor, &result)) return -1;
  }
  return result;
}

bool skip_iota_devices(ParseContext& c, int64_t count) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  std::vector<int64_t> reshape;
  if (!parse_bracketed(c, reshape, "around the dimensions of an iota device list")) return false;
  std::vector<int64_t> transpose;
  if (reshape.size() > 1) {
    if (!c.lex.eat_word("T")) return c.lex.fail_expected("T", "and a permutation");
    if (!c.lex.expect('(', "before a permutation")) return false;
    do {
      int64_t value = 0;
      if (!c.lex.integer(value)) return false;
      transpose.push_back(value);
    } while (c.lex.eat(','));
    if (!c.lex.expect(')', "after a permutation")) return false;
    if (transpose.size() != reshape.size() || !is_permutation(transpose)) {
      return c.lex.fail(begin, "the T of a device list is not a permutation of its dimensions");
    }
  }
  if (product_of_sizes(reshape) != count || count < 0) {
    return c.lex.fail(begin, "the number of devices does not match the dimensions before it");
  }
  return true;
}

}  // namespace hloscope::hlo
