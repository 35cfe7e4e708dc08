#include "core/eval/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <limits>

namespace hloscope::eval {

namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

int64_t saturated_sum(int64_t a, int64_t b) {
  return a > kMost - b ? kMost : a + b;
}

// FNV-1a over 64-bit words.
struct Fold {
  uint64_t state = 0xcbf29ce484222325ULL;
  void add(uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) {
      state = (state ^ (word >> shift & 255)) * 0x100000001b3ULL;
    }
  }
};

uint64_t word_of(double value) {
  return std::isnan(value) ? 0x7ff8000000000000ULL : std::bit_cast<uint64_t>(value);
}

void fold(Fold& into, const Value& value) {
  if (!value.is_array()) {
    into.add(value.elements().size());
    for (const Value& element : value.elements()) fold(into, element);
    return;
  }
  const Array& array = value.array();
  into.add(static_cast<uint64_t>(array.type));
  for (const int64_t size : array.dimensions) into.add(static_cast<uint64_t>(size));
  const Domain kind = domain(array.type);
  for (const Scalar& element : array.elements) {
    into.add(kind == Domain::kInteger ? static_cast<uint64_t>(element.i) : word_of(element.re));
    if (kind == Domain::kComplex) into.add(word_of(element.im));
  }
}

std::string float_text(hlo::PrimitiveType type, double value) {
  if (std::isnan(value)) return "nan";
  const int bits = hlo::info(type).bits;
  if (type == hlo::PrimitiveType::kF64 || type == hlo::PrimitiveType::kC128) {
    return fmt::format("{:.17g}", value);
  }
  return fmt::format("{:.{}g}", value, bits >= 32 ? 9 : 6);
}

}  // namespace

int64_t Value::element_count() const {
  if (array_) return static_cast<int64_t>(array_->elements.size());
  int64_t sum = 0;
  for (const Value& element : elements_) sum = saturated_sum(sum, element.element_count());
  return sum;
}

int64_t element_count(const Dims& dimensions) {
  int64_t product = 1;
  bool is_huge = false;
  for (const int64_t size : dimensions) {
    if (size == 0) return 0;
    is_huge = is_huge || size < 0 || product > kMost / size;
    if (!is_huge) product *= size;
  }
  return is_huge ? kMost : product;
}

int64_t element_count(const hlo::ShapeTable& shapes, hlo::ShapeId id) {
  const hlo::Shape& shape = shapes[id];
  if (shape.is_array()) return element_count(shape.dimensions);
  int64_t sum = 0;
  for (const hlo::ShapeId element : shape.elements) {
    sum = saturated_sum(sum, element_count(shapes, element));
  }
  return sum;
}

bool fits(const Value& value, const hlo::ShapeTable& shapes, hlo::ShapeId id) {
  const hlo::Shape& shape = shapes[id];
  if (shape.is_array()) {
    return value.is_array() && value.array().type == shape.element_type &&
           value.array().dimensions == shape.dimensions;
  }
  if (!shape.is_tuple()) return shape.is_token() && !value.is_array() && !value.is_tuple();
  if (!value.is_tuple() || value.elements().size() != shape.elements.size()) return false;
  for (size_t i = 0; i < shape.elements.size(); ++i) {
    if (!fits(value.elements()[i], shapes, shape.elements[i])) return false;
  }
  return true;
}

std::string shape_text(const Value& value) {
  if (value.is_array()) {
    return fmt::format("{}[{}]", name(value.array().type),
                       fmt::join(value.array().dimensions, ","));
  }
  if (!value.is_tuple()) return "token[]";
  std::vector<std::string> parts;
  for (const Value& element : value.elements()) parts.push_back(shape_text(element));
  return fmt::format("({})", fmt::join(parts, ", "));
}

std::string element_text(hlo::PrimitiveType type, Scalar value) {
  switch (domain(type)) {
    case Domain::kFloat:
      return float_text(type, value.re);
    case Domain::kComplex:
      return fmt::format("({}, {})", float_text(type, value.re), float_text(type, value.im));
    case Domain::kInteger:
      break;
  }
  if (type == hlo::PrimitiveType::kPred) return value.i != 0 ? "true" : "false";
  if (type == hlo::PrimitiveType::kU64) return fmt::format("{}", static_cast<uint64_t>(value.i));
  return fmt::format("{}", value.i);
}

std::string checksum(const Value& value) {
  Fold into;
  fold(into, value);
  return fmt::format("{:016x}", into.state);
}

}  // namespace hloscope::eval
