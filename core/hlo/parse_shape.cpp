#include "core/hlo/parse_shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/hlo/similar.h"

namespace hloscope::hlo {

namespace {

// Longer tuples are parsed element by element without a look at the cache: finding their end would
// cost as much.
constexpr std::ptrdiff_t kMaxCachedTupleBytes = 4096;

// The end of the array shape at p, layout included, if it is written in the usual way: no blanks
// or comments inside. Null otherwise.
const char* array_extent(const char* p) {
  while (lex::is(*p, lex::kWord)) ++p;
  if (*p != '[') return nullptr;
  do ++p;
  while (lex::is(*p, lex::kDigit) || *p == ',' || *p == '<' || *p == '=');
  if (*p != ']') return nullptr;
  ++p;
  if (*p == '{') {
    if (!lex::is(p[1], lex::kDigit) && p[1] != ':') return lex::is(p[1], lex::kBlank) ? p : nullptr;
    while (lex::is(*p, lex::kWord) || *p == '{' || *p == ',' || *p == ':' || *p == '(' ||
           *p == ')' || *p == '*') {
      ++p;
    }
    return *p == '}' ? p + 1 : nullptr;
  }
  const char* next = p;
  while (lex::is(*next, lex::kBlank)) ++next;
  return *next == '{' || *next == '/' ? nullptr : p;
}

const char* tuple_extent(const char* p, const char* end) {
  end = std::min(end, p + std::min(end - p, kMaxCachedTupleBytes));
  int depth = 0;
  for (; p < end; ++p) {
    if (*p == '(') ++depth;
    if (*p == ')' && --depth == 0) return p + 1;
    if (*p == '\n') return nullptr;
  }
  return nullptr;
}

std::string_view known_extent(const Lexer& lex) {
  const char* const begin = lex.position();
  const char* const end = *begin == '(' ? tuple_extent(begin, lex.end()) : array_extent(begin);
  if (end == nullptr) return {};
  return {begin, static_cast<size_t>(end - begin)};
}

bool parse_dimension(ParseContext& c, Shape& shape) {
  if (c.lex.eat('?')) {
    shape.dimensions.push_back(kUnboundedSize);
    shape.dynamic_dimensions.push_back(true);
    return true;
  }
  const bool dynamic = c.lex.eat("<=");
  int64_t size = 0;
  if (!c.lex.integer_in(size, 0, INT64_MAX, "a dimension")) return false;
  shape.dimensions.push_back(size);
  shape.dynamic_dimensions.push_back(dynamic);
  return true;
}

bool parse_dimensions(ParseContext& c, Shape& shape) {
  if (!c.lex.expect('[', "behind an element type")) return false;
  if (!c.lex.eat(']')) {
    do {
      if (!parse_dimension(c, shape)) return false;
    } while (c.lex.eat(','));
    if (!c.lex.expect(']', "after the dimensions")) return false;
  }
  const auto& dynamic = shape.dynamic_dimensions;
  if (std::find(dynamic.begin(), dynamic.end(), true) == dynamic.end()) {
    shape.dynamic_dimensions.clear();
  }
  return true;
}

bool check_size(ParseContext& c, const Shape& shape, const char* begin) {
  int64_t bytes = (info(shape.element_type).bits + 7) / 8;
  for (const int64_t size : shape.dimensions) {
    if (size == kUnboundedSize) continue;
    if (__builtin_mul_overflow(bytes, size, &bytes)) {
      return c.lex.fail(begin, "the size of this shape needs more than 64 bits");
    }
  }
  return true;
}

bool parse_array(ParseContext& c, ShapeId& out) {
  const char* const begin = c.lex.position();
  if (!c.lex.at_word()) return c.lex.fail_expected("a shape", "here");
  const std::string_view word = c.lex.take_word();
  const auto type = type_by_name(word);
  if (!type) {
    return fail_unknown_type(c, begin, word);
  }
  Shape shape;
  shape.element_type = *type;
  if (!parse_dimensions(c, shape)) return false;
  if (!shape.is_array() && shape.rank() > 0) {
    return c.lex.fail(begin, fmt::format("{} takes no dimensions", word));
  }
  set_default_layout(shape);
  if (!check_size(c, shape, begin)) return false;
  if (at_layout(c) && !parse_layout(c, shape)) return false;
  out = c.builder.shapes().intern(std::move(shape));
  return true;
}

bool parse_buffer(ParseContext& c, ShapeId& out) {
  const DepthGuard guard(c);
  if (!guard.ok() || !c.lex.eat_word("b") || !c.lex.expect('(', "behind b")) return false;
  const char* const begin = c.lex.position();
  ShapeId inner;
  if (!parse_shape(c, inner)) return false;
  if (!c.builder.shapes()[inner].is_array()) {
    return c.lex.fail(begin, "only an array may stand in b(...)");
  }
  Shape shape;
  shape.element_type = PrimitiveType::kBuffer;
  shape.elements.push_back(inner);
  out = c.builder.shapes().intern(std::move(shape));
  return c.lex.expect(')', "after the shape of a buffer");
}

bool parse_tuple(ParseContext& c, ShapeId& out) {
  const DepthGuard guard(c);
  if (!guard.ok() || !c.lex.expect('(', "before a tuple shape")) return false;
  Shape shape;
  shape.element_type = PrimitiveType::kTuple;
  if (!c.lex.eat(')')) {
    do {
      ShapeId element;
      if (!parse_shape(c, element)) return false;
      shape.elements.push_back(element);
    } while (c.lex.eat(','));
    if (!c.lex.expect(')', "after the elements of a tuple shape")) return false;
  }
  out = c.builder.shapes().intern(std::move(shape));
  return true;
}

bool at_buffer(ParseContext& c) {
  const char* const p = c.lex.position();
  if (p[0] != 'b' || lex::is(p[1], lex::kWord)) return false;
  return *c.lex.token_behind(p + 1) == '(';
}

}  // namespace

bool fail_unknown_type(ParseContext& c, const char* at, std::string_view word) {
  std::vector<std::string_view> names;
  for (int i = 1; i < kPrimitiveTypeCount; ++i) {
    const std::string_view known = name(static_cast<PrimitiveType>(i));
    if (type_by_name(known)) names.push_back(known);
  }
  const auto similar = most_similar(word, names);
  return c.lex.fail(
      at, fmt::format("unknown element type \"{}\"", word),
      similar ? fmt::format("did you mean {}?", *similar) : "was this dumped by a newer XLA?");
}

void set_default_layout(Shape& shape) {
  shape.layout.minor_to_major.clear();
  for (size_t i = shape.rank(); i-- > 0;) {
    shape.layout.minor_to_major.push_back(static_cast<int64_t>(i));
  }
}

bool at_shape(ParseContext& c) {
  const char first = c.lex.peek();
  if (first == '(') return true;
  if (!lex::is(first, lex::kWordStart)) return false;
  if (at_buffer(c)) return true;
  const char* p = c.lex.position();
  while (lex::is(*p, lex::kWord)) ++p;
  return *c.lex.token_behind(p) == '[';
}

bool parse_shape(ParseContext& c, ShapeId& shape) {
  c.lex.skip();
  const char* const begin = c.lex.position();
  const std::string_view extent = known_extent(c.lex);
  if (!extent.empty()) {
    const uint32_t known = c.shape_texts.find(extent);
    if (known != NameTable::kMissing) {
      shape = ShapeId(known);
      c.lex.move_to(begin + extent.size());
      return true;
    }
  }
  const bool parsed = *begin == '('  ? parse_tuple(c, shape)
                      : at_buffer(c) ? parse_buffer(c, shape)
                                     : parse_array(c, shape);
  if (!parsed) return false;
  c.shape_texts.insert(c.lex.since(begin), shape.value);
  return true;
}

}  // namespace hloscope::hlo
