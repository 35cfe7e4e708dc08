#include "core/eval/json_values.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace hloscope::eval {

namespace {

using nlohmann::json;

std::optional<double> number(const json& from) {
  if (from.is_number()) return from.get<double>();
  if (!from.is_string()) return std::nullopt;
  const auto& text = from.get_ref<const std::string&>();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

std::optional<Scalar> integer(hlo::PrimitiveType type, const json& from) {
  if (type == hlo::PrimitiveType::kPred && from.is_boolean()) {
    return Scalar::of(int64_t{from.get<bool>()});
  }
  if (!from.is_number_integer()) return std::nullopt;
  // Above int64 JSON numbers are unsigned.
  const bool is_large = from.is_number_unsigned() &&
                        from.get<uint64_t>() > uint64_t{std::numeric_limits<int64_t>::max()};
  const int64_t value = is_large ? static_cast<int64_t>(from.get<uint64_t>()) : from.get<int64_t>();
  const bool is_u64 = type == hlo::PrimitiveType::kU64;
  const bool in_range =
      is_u64 ? is_large || value >= 0 : !is_large && wrapped(type, value) == value;
  return in_range ? std::optional(Scalar::of(value)) : std::nullopt;
}

// Reads the elements of one array.
class ArrayReader {
 public:
  explicit ArrayReader(Array& into) : into_(into) {}

  bool read(const json& from) {
    const bool is_flat = from.is_array() && into_.dimensions.size() > 1 &&
                         from.size() == into_.elements.size() && !holds_lists(from);
    return (is_flat ? list(from, into_.dimensions.size() - 1, into_.elements.size())
                    : nested(from, 0)) &&
           next_ == into_.elements.size();
  }

 private:
  // A list of numbers or, of complex ones, of pairs.
  [[nodiscard]] bool holds_lists(const json& from) const {
    if (from.empty() || !from[0].is_array()) return false;
    const bool is_pair =
        domain(into_.type) == Domain::kComplex && from[0].size() == 2 && !from[0][0].is_array();
    return !is_pair;
  }

  bool nested(const json& from, size_t level) {
    if (level == into_.dimensions.size()) return element(from);
    return list(from, level, static_cast<size_t>(into_.dimensions[level]));
  }

  bool list(const json& from, size_t level, size_t size) {
    if (!from.is_array() || from.size() != size) return false;
    for (const json& item : from) {
      if (!nested(item, level + 1)) return false;
    }
    return true;
  }

  bool element(const json& from) {
    std::optional<Scalar> value;
    if (domain(into_.type) == Domain::kInteger) {
      value = integer(into_.type, from);
    } else if (domain(into_.type) == Domain::kComplex && from.is_array()) {
      if (from.size() != 2) return false;
      const auto re = number(from[0]);
      const auto im = number(from[1]);
      if (re && im) value = fitted(into_.type, Scalar::of(std::complex<double>(*re, *im)));
    } else if (const auto re = number(from)) {
      value = fitted(into_.type, Scalar::of(std::complex<double>(*re, 0)));
    }
    if (!value || next_ == into_.elements.size()) return false;
    into_.elements[next_++] = *value;
    return true;
  }

  Array& into_;
  size_t next_ = 0;
};

// The elements that a JSON value holds: more than a shape may ask for are then never made.
size_t count_of(const json& from) {
  if (!from.is_array()) return 1;
  size_t count = 0;
  for (const json& item : from) count += count_of(item);
  return count;
}

std::optional<Value> value_from(const hlo::ShapeTable& shapes, hlo::ShapeId id, const json& from) {
  const hlo::Shape& shape = shapes[id];
  if (shape.is_tuple()) {
    if (!from.is_array() || from.size() != shape.elements.size()) return std::nullopt;
    std::vector<Value> elements;
    for (size_t i = 0; i < shape.elements.size(); ++i) {
      auto element = value_from(shapes, shape.elements[i], from[i]);
      if (!element) return std::nullopt;
      elements.push_back(std::move(*element));
    }
    return Value::tuple(std::move(elements));
  }
  if (!shape.is_array() || !is_supported(shape.element_type)) return std::nullopt;
  const auto count = static_cast<size_t>(element_count(shape.dimensions));
  if (count > count_of(from)) return std::nullopt;
  Array array{shape.element_type, shape.dimensions, {}};
  array.elements.resize(count);
  if (!ArrayReader(array).read(from)) return std::nullopt;
  return Value(std::move(array));
}

}  // namespace

Result<std::vector<Value>> arguments_from_json(const hlo::Program& program, std::string_view text) {
  const json list = json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto parameters = program.parameters(program.entry());
  if (list.is_discarded()) return fail(ErrorCode::kInvalidInput, "the arguments are not JSON");
  if (!list.is_array() || list.size() != parameters.size()) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("the arguments are not a list of {}, one per parameter", parameters.size()));
  }
  std::vector<Value> out;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const hlo::ShapeId shape = program[parameters[i]].shape;
    auto value = value_from(program.shapes(), shape, list[i]);
    if (!value) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("argument {} (\"{}\") is not a {}", i, program[parameters[i]].name,
                              program.shapes().text(shape, false)),
                  "nested lists of numbers in the type's range, as deep as the dimensions, or one "
                  "flat list");
    }
    out.push_back(std::move(*value));
  }
  return out;
}

}  // namespace hloscope::eval
