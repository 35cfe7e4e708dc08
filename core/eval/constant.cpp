#include "core/eval/constant.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "core/eval/index_walk.h"
#include "core/hlo/element.h"

namespace hloscope::eval {

namespace {

using hlo::PrimitiveType;

// Reads the elements of a literal's text one after the other. The parser has checked the braces.
class ElementReader {
 public:
  ElementReader(std::string_view text, PrimitiveType type) : text_(text), type_(type) {}

  // Nothing at the end, or when the text is no value of the type.
  std::optional<Scalar> next() {
    const std::string_view first = word();
    if (first.empty()) return std::nullopt;
    switch (domain(type_)) {
      case Domain::kInteger:
        return integer(first);
      case Domain::kFloat:
        return part(first);
      case Domain::kComplex:
        break;
    }
    const auto re = part(first);
    const auto im = part(word());
    if (!re || !im) return std::nullopt;
    return Scalar::of(std::complex<double>(re->re, im->re));
  }

 private:
  static bool is_noise(char c) {
    return std::string_view("{}(), \t\r\n").find(c) != std::string_view::npos;
  }

  // The next run of characters of a value. A NaN may carry its payload: nan(0x4).
  std::string_view word() {
    while (at_ < text_.size() && (is_noise(text_[at_]) || text_.substr(at_).starts_with("/*"))) {
      at_ = is_noise(text_[at_]) ? at_ + 1 : std::min(text_.find("*/", at_), text_.size() - 2) + 2;
    }
    const size_t begin = at_;
    while (at_ < text_.size() && !is_noise(text_[at_])) ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    if (found.ends_with("nan") && text_.substr(at_).starts_with("(0x")) {
      at_ = std::min(text_.find(')', at_), text_.size());
    }
    return found;
  }

  [[nodiscard]] std::optional<Scalar> integer(std::string_view text) const {
    if (text == "true" || text == "false") return Scalar::of(int64_t{text == "true"});
    const char* const end = text.data() + text.size();
    int64_t value = 0;
    if (std::from_chars(text.data(), end, value).ec == std::errc()) {
      return Scalar::of(wrapped(type_, value));
    }
    uint64_t large = 0;
    if (std::from_chars(text.data(), end, large).ec != std::errc()) return std::nullopt;
    return Scalar::of(static_cast<int64_t>(large));
  }

  [[nodiscard]] std::optional<Scalar> part(std::string_view text) const {
    const bool negative = text.starts_with('-');
    const std::string_view magnitude = text.substr(negative ? 1 : 0);
    double value = 0;
    if (magnitude == "inf") {
      value = std::numeric_limits<double>::infinity();
    } else if (magnitude == "nan") {
      value = std::numeric_limits<double>::quiet_NaN();
    } else {
      const char* const end = magnitude.data() + magnitude.size();
      const auto error = std::from_chars(magnitude.data(), end, value).ec;
      // The parser lets only numbers too small for a double through.
      if (error == std::errc::result_out_of_range) value = 0;
      if (error == std::errc::invalid_argument) return std::nullopt;
    }
    return Scalar::of(rounded(type_, std::copysign(value, negative ? -1.0 : 1.0)));
  }

  std::string_view text_;
  PrimitiveType type_;
  size_t at_ = 0;
};

Status read_text(std::string_view text, Array& array) {
  ElementReader reader(text, array.type);
  if (!array.dimensions.empty() && text.find('{') == std::string_view::npos) {
    const auto value = reader.next();
    if (value) array.elements.assign(array.elements.size(), *value);
    if (value || array.elements.empty()) return {};
  }
  for (Scalar& element : array.elements) {
    const auto value = reader.next();
    if (!value) return fail(ErrorCode::kInvalidInput, "a constant has fewer values than its shape");
    element = *value;
  }
  return {};
}

Scalar element_from(PrimitiveType type, const char* bytes) {
  switch (domain(type)) {
    case Domain::kInteger:
      return Scalar::of(hlo::integer_element(type, bytes));
    case Domain::kFloat:
      return Scalar::of(hlo::float_element(type, bytes));
    case Domain::kComplex:
      break;
  }
  const char* const second = bytes + hlo::element_bytes(type) / 2;
  return Scalar::of(
      std::complex<double>(hlo::float_element(type, bytes), hlo::float_element(type, second)));
}

// Bytes stand in the order of the layout.
Status read_bytes(std::string_view bytes, const hlo::Shape& shape, Array& array) {
  const size_t width = hlo::element_bytes(array.type);
  if (bytes.size() / width < array.elements.size()) {
    return fail(ErrorCode::kInvalidInput, "a constant has fewer bytes than its shape");
  }
  Dims strides(shape.rank(), 1);
  int64_t stride = 1;
  for (const int64_t d : shape.layout.minor_to_major) {
    strides[static_cast<size_t>(d)] = stride;
    stride *= shape.dimensions[static_cast<size_t>(d)];
  }
  for (IndexWalk at(array.dimensions); !at.done(); at.next()) {
    size_t from = 0;
    for (size_t d = 0; d < strides.size(); ++d) {
      from += static_cast<size_t>(at.index()[d] * strides[d]);
    }
    array.elements[at.position()] = element_from(array.type, bytes.data() + from * width);
  }
  return {};
}

Result<Value> array_literal(const hlo::Program& program, const hlo::Literal& literal) {
  const hlo::Shape& shape = program.shape(literal.shape);
  if (!is_supported(shape.element_type)) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("constants of type {} cannot be evaluated", name(shape.element_type)));
  }
  Array array{shape.element_type, shape.dimensions, {}};
  array.elements.resize(static_cast<size_t>(element_count(shape.dimensions)));
  HLOSCOPE_TRY(literal.form == hlo::Literal::Form::kText ? read_text(literal.data, array)
                                                         : read_bytes(literal.data, shape, array));
  return Value(std::move(array));
}

}  // namespace

Result<Value> literal_value(const hlo::Program& program, uint32_t index) {
  if (index >= program.literals().size()) {
    return fail(ErrorCode::kInvalidInput, "a constant has no value");
  }
  const hlo::Literal& literal = program.literals()[index];
  if (literal.form == hlo::Literal::Form::kElided) {
    return fail(ErrorCode::kInvalidInput, "the values of a constant are not in the file: {...}",
                "print the program with its large constants "
                "(--xla_dump_large_constants, or print_large_constants in Python)");
  }
  if (literal.form != hlo::Literal::Form::kTuple) return array_literal(program, literal);
  std::vector<Value> elements;
  for (const uint32_t child : literal.children) {
    HLOSCOPE_ASSIGN(Value value, literal_value(program, child));
    elements.push_back(std::move(value));
  }
  return Value::tuple(std::move(elements));
}

}  // namespace hloscope::eval
