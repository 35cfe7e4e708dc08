#include <fmt/format.h>

#include <algorithm>

#include "core/hlo/parse_shape.h"

namespace hloscope::hlo {

namespace {

constexpr std::string_view kLayoutHint =
    "a layout is {minor_to_major:PARTS}, parts in the order D T L # * E S SC P M";

bool parse_minor_to_major(ParseContext& c, Shape& shape) {
  const char* const begin = c.lex.position();
  std::vector<int64_t>& order = shape.layout.minor_to_major;
  order.clear();
  if (c.lex.at_integer()) {
    do {
      int64_t dimension = 0;
      if (!c.lex.integer(dimension, "a dimension number")) return false;
      order.push_back(dimension);
    } while (c.lex.eat(','));
  }
  if (!shape.is_array() && order.empty()) return true;
  if (order.size() != shape.rank()) {
    return c.lex.fail(begin, fmt::format("the layout lists {} dimensions, but the shape has {}",
                                         order.size(), shape.rank()));
  }
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int64_t>(i)) {
      return c.lex.fail(
          begin, fmt::format("minor_to_major is not a permutation of 0..{}", sorted.size() - 1));
    }
  }
  return true;
}

bool parse_tile(ParseContext& c, std::vector<int64_t>& tile) {
  if (!c.lex.expect('(', "before a tile")) return false;
  do {
    int64_t size = kCombineDimension;
    if (!c.lex.eat('*') && !c.lex.integer_in(size, 1, INT64_MAX, "a tile dimension")) return false;
    tile.push_back(size);
  } while (c.lex.eat(','));
  return c.lex.expect(')', "after a tile");
}

bool parse_tiles(ParseContext& c, Layout& layout) {
  do {
    if (!parse_tile(c, layout.tiles.emplace_back())) return false;
  } while (c.lex.peek() == '(');
  return true;
}

// D(D,C+~): how a sparse array stores each dimension. Read and forgotten, as XLA does.
bool parse_level_types(ParseContext& c) {
  if (!c.lex.expect('(', "before dimension level types")) return false;
  do {
    const std::string_view level = c.lex.peek_word();
    if (level != "D" && level != "C" && level != "S" && level != "H") {
      return c.lex.fail_expected("D, C, S or H", "as a dimension level type");
    }
    if (!c.lex.eat_word(level)) return false;
    (void)c.lex.eat('+');
    (void)c.lex.eat('~');
  } while (c.lex.eat(','));
  return c.lex.expect(')', "after dimension level types");
}

bool parse_number_part(ParseContext& c, int64_t& value, int64_t low) {
  return c.lex.expect('(', "in a layout") &&
         c.lex.integer_in(value, low, INT64_MAX, "this part of a layout") &&
         c.lex.expect(')', "in a layout");
}

bool parse_split_configs(ParseContext& c, Shape& shape) {
  do {
    SplitConfig split;
    c.lex.skip();
    const char* const begin = c.lex.position();
    if (!c.lex.expect('(', "before a split configuration") ||
        !c.lex.integer_in(split.dimension, 0, static_cast<int64_t>(shape.rank()) - 1,
                          "the dimension of a split") ||
        !c.lex.expect(':', "after the dimension of a split")) {
      return false;
    }
    do {
      int64_t point = 0;
      if (!c.lex.integer_in(point, 1, INT64_MAX, "a split point")) return false;
      if (!split.split_indices.empty() && point <= split.split_indices.back()) {
        return c.lex.fail(begin, "the split points are not increasing");
      }
      split.split_indices.push_back(point);
    } while (c.lex.eat(','));
    if (!c.lex.expect(')', "after a split configuration")) return false;
    shape.layout.split_configs.push_back(std::move(split));
  } while (c.lex.peek() == '(');
  return true;
}

bool refuse_sparse(ParseContext& c, std::string_view part) {
  return c.lex.fail_here(
      fmt::format("the layout part \"{}\" is of sparse arrays, which no longer exist", part));
}

bool parse_layout_parts(ParseContext& c, Shape& shape) {
  Layout& layout = shape.layout;
  Lexer& lex = c.lex;
  if (lex.eat_word("D") && !parse_level_types(c)) return false;
  if (lex.eat_word("T") && !parse_tiles(c, layout)) return false;
  if (lex.eat_word("L") && !parse_number_part(c, layout.tail_padding_alignment_in_elements, 1)) {
    return false;
  }
  if (lex.peek() == '#' || lex.peek() == '*') {
    return refuse_sparse(c, std::string_view(lex.position(), 1));
  }
  if (lex.eat_word("E") && !parse_number_part(c, layout.element_size_in_bits, 0)) return false;
  if (lex.eat_word("S") && !parse_number_part(c, layout.memory_space, 0)) return false;
  if (lex.eat_word("SC") && !parse_split_configs(c, shape)) return false;
  if (lex.peek_word() == "P") return refuse_sparse(c, "P");
  return !lex.eat_word("M") || parse_number_part(c, layout.dynamic_shape_metadata_prefix_bytes, 0);
}

}  // namespace

bool at_layout(ParseContext& c) {
  if (c.lex.peek() != '{') return false;
  const char* const p = c.lex.token_behind(c.lex.position() + 1);
  return *p == ':' || lex::is(*p, lex::kDigit) || (*p == '-' && lex::is(p[1], lex::kDigit));
}

bool parse_layout(ParseContext& c, Shape& shape) {
  if (!c.lex.expect('{', "before a layout")) return false;
  c.lex.skip();
  if (!parse_minor_to_major(c, shape)) return false;
  if (c.lex.eat(':') && !parse_layout_parts(c, shape)) return false;
  if (!c.lex.eat('}')) {
    return c.lex.fail_here("expected '}' after a layout", std::string(kLayoutHint));
  }
  shape.has_layout = shape.is_array();
  if (!shape.is_array()) shape.layout = Layout();
  return true;
}

}  // namespace hloscope::hlo
