#include "core/hlo/parse_literal.h"

#include <fmt/format.h>

#include "core/hlo/parse_shape.h"

namespace hloscope::hlo {

namespace {

// Where a dense literal stands: how many items each open brace level has so far.
class DenseLiteral {
 public:
  DenseLiteral(ParseContext& c, const Shape& shape) : c_(c), shape_(shape) {}

  bool parse() {
    if (shape_.rank() == 0) return skip_scalar(c_, shape_.element_type);
    // A lone value fills the whole array.
    if (c_.lex.peek() != '{') return skip_scalar(c_, shape_.element_type);
    do {
      if (!step()) return false;
    } while (!counts_.empty());
    return true;
  }

 private:
  bool step() {
    const char next = c_.lex.peek();
    if (next == '{') return open();
    if (next == '}') return close();
    if (next == ',') {
      c_.lex.move_to(c_.lex.position() + 1);
      return true;
    }
    if (counts_.size() != shape_.rank()) {
      return c_.lex.fail_here(
          fmt::format("expected {} levels of braces for this shape, but a value stands at level {}",
                      shape_.rank(), counts_.size()));
    }
    return count_item() && skip_scalar(c_, shape_.element_type);
  }

  bool open() {
    if (counts_.size() == shape_.rank()) {
      return c_.lex.fail_here(fmt::format("more than {} levels of braces", shape_.rank()));
    }
    if (!counts_.empty() && !count_item()) return false;
    counts_.push_back(0);
    return c_.lex.expect('{', "in a literal");
  }

  bool close() {
    const int64_t expected = shape_.dimensions[counts_.size() - 1];
    if (counts_.back() != expected) {
      return c_.lex.fail_here(fmt::format("dimension {} has {} items, but the shape has {}",
                                          counts_.size() - 1, counts_.back(), expected));
    }
    counts_.pop_back();
    return c_.lex.expect('}', "in a literal");
  }

  bool count_item() {
    const int64_t expected = shape_.dimensions[counts_.size() - 1];
    if (++counts_.back() <= expected) return true;
    return c_.lex.fail_here(fmt::format("dimension {} has more items than the {} of the shape",
                                        counts_.size() - 1, expected));
  }

  ParseContext& c_;
  const Shape& shape_;
  std::vector<int64_t> counts_;
};

bool eat_elided(ParseContext& c) {
  if (c.lex.peek() != '{') return false;
  const char* const begin = c.lex.position();
  if (c.lex.eat('{') && c.lex.eat("...") && c.lex.eat('}')) return true;
  c.lex.move_to(begin);
  return false;
}

bool parse_array_literal(ParseContext& c, Literal& literal) {
  // A copy: the table may grow while nested shapes are read, and shapes are small.
  const Shape shape = c.builder.shapes()[literal.shape];
  if (!shape.is_array()) {
    return c.lex.fail_here(
        fmt::format("a constant cannot be of type {}", name(shape.element_type)));
  }
  if (shape.rank() > 0 && eat_elided(c)) {
    literal.form = Literal::Form::kElided;
    return true;
  }
  const char* const begin = c.lex.position();
  if (!DenseLiteral(c, shape).parse()) return false;
  literal.form = Literal::Form::kText;
  literal.data = c.lex.since(begin);
  return true;
}

bool parse_tuple_literal(ParseContext& c, Literal& literal) {
  literal.form = Literal::Form::kTuple;
  const std::vector<ShapeId> elements = c.builder.shapes()[literal.shape].elements;
  // Large constants are printed as {...} whatever their shape, although XLA cannot read that.
  if (eat_elided(c)) {
    literal.form = Literal::Form::kElided;
    return true;
  }
  if (!c.lex.expect('(', "before the parts of a tuple constant")) return false;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i > 0 && !c.lex.expect(',', "between the parts of a tuple constant")) return false;
    uint32_t child = 0;
    if (!parse_literal(c, elements[i], child)) return false;
    literal.children.push_back(child);
  }
  return c.lex.expect(')', "after the parts of a tuple constant");
}

// Until 2018-12 constants repeated their shape: constant(f32[2,2] {{1,2},{3,4}}).
bool at_repeated_shape(ParseContext& c) {
  const char* p = c.lex.position();
  while (*p == '(' || lex::is(*p, lex::kBlank)) ++p;
  if (!lex::is(*p, lex::kWordStart)) return false;
  while (lex::is(*p, lex::kWord)) ++p;
  return *p == '[';
}

bool skip_repeated_shape(ParseContext& c, ShapeId expected) {
  c.lex.skip();
  if (!at_repeated_shape(c)) return true;
  const char* const begin = c.lex.position();
  ShapeId shape;
  if (!parse_shape(c, shape)) return false;
  const ShapeTable& shapes = c.builder.shapes();
  return shapes.compatible(shape, expected) ||
         c.lex.fail(begin, fmt::format("the shape in the constant is not the {} of the instruction",
                                       shapes.text(expected)));
}

}  // namespace

bool parse_literal(ParseContext& c, ShapeId shape, uint32_t& out) {
  const DepthGuard guard(c);
  if (!guard.ok() || !skip_repeated_shape(c, shape)) return false;
  Literal literal;
  literal.shape = shape;
  const bool parsed = c.builder.shapes()[shape].is_tuple() ? parse_tuple_literal(c, literal)
                                                           : parse_array_literal(c, literal);
  if (!parsed) return false;
  out = c.builder.add_literal(std::move(literal));
  return true;
}

bool parse_shaped_literal(ParseContext& c, uint32_t& out) {
  const DepthGuard guard(c);
  if (!guard.ok()) return false;
  Literal literal;
  if (c.lex.peek() != '(') {
    if (!parse_shape(c, literal.shape) || !parse_array_literal(c, literal)) return false;
    out = c.builder.add_literal(std::move(literal));
    return true;
  }
  literal.form = Literal::Form::kTuple;
  Shape shape;
  shape.element_type = PrimitiveType::kTuple;
  if (!c.lex.expect('(', "before a tuple literal")) return false;
  if (!c.lex.eat(')')) {
    do {
      uint32_t child = 0;
      if (!parse_shaped_literal(c, child)) return false;
      literal.children.push_back(child);
      shape.elements.push_back(c.builder.literals()[child].shape);
    } while (c.lex.eat(','));
    if (!c.lex.expect(')', "after a tuple literal")) return false;
  }
  literal.shape = c.builder.shapes().intern(std::move(shape));
  out = c.builder.add_literal(std::move(literal));
  return true;
}

}  // namespace hloscope::hlo
