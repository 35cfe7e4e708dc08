#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/eval/scalar.h"
#include "core/hlo/shape.h"

namespace hloscope::eval {

using Dims = std::vector<int64_t>;

/// A dense array in row-major order, whatever layout its shape has.
struct Array {
  hlo::PrimitiveType type{};
  Dims dimensions;
  std::vector<Scalar> elements;  ///< As many as the product of the dimensions.
};

/// What an instruction gives: an array, a tuple of values, or a token. Cheap to copy: arrays are
/// shared and never changed.
class Value {
 public:
  Value() = default;  ///< A token.
  explicit Value(std::shared_ptr<const Array> array) : array_(std::move(array)) {}
  explicit Value(Array array) : array_(std::make_shared<const Array>(std::move(array))) {}
  static Value tuple(std::vector<Value> elements) {
    Value value;
    value.is_tuple_ = true;
    value.elements_ = std::move(elements);
    return value;
  }

  [[nodiscard]] bool is_array() const { return array_ != nullptr; }
  [[nodiscard]] bool is_tuple() const { return is_tuple_; }
  [[nodiscard]] const Array& array() const { return *array_; }  ///< Only where is_array().
  [[nodiscard]] const std::vector<Value>& elements() const { return elements_; }
  /// Elements of all arrays in it.
  [[nodiscard]] int64_t element_count() const;

 private:
  std::shared_ptr<const Array> array_;
  bool is_tuple_ = false;
  std::vector<Value> elements_;
};

/// Product of the dimensions, at most INT64_MAX; negative (unbounded) ones count as INT64_MAX.
[[nodiscard]] int64_t element_count(const Dims& dimensions);
/// Elements of all arrays of a shape, at most INT64_MAX.
[[nodiscard]] int64_t element_count(const hlo::ShapeTable& shapes, hlo::ShapeId id);

/// Whether the value has the types and dimensions of the shape; layouts do not count.
[[nodiscard]] bool fits(const Value& value, const hlo::ShapeTable& shapes, hlo::ShapeId id);

/// `f32[2,3]`, `(f32[], s32[4])`, `token[]`.
[[nodiscard]] std::string shape_text(const Value& value);
/// One element as text: `1.5`, `-3`, `true`, `(1, -2)`; as many digits as the type needs to be read
/// back.
[[nodiscard]] std::string element_text(hlo::PrimitiveType type, Scalar value);
/// 16 hexadecimal digits that depend on the shape and every bit of the value. NaNs count as equal.
[[nodiscard]] std::string checksum(const Value& value);

}  // namespace hloscope::eval
