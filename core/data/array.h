#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace hloscope::data {

static_assert(std::endian::native == std::endian::little,
              "arrays are kept and written little-endian");

/// The element types of .npy files that are read and written.
enum class ElementType : uint8_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat32,
  kFloat64,
};

/// NumPy's name, e.g. "<f4".
[[nodiscard]] std::string_view descr(ElementType type);
[[nodiscard]] size_t byte_size(ElementType type);

/// Sizes of an array, outermost first; empty for a single number.
using Shape = std::vector<size_t>;
/// "(3163, 140)", "(9,)", "()": as NumPy writes them.
[[nodiscard]] std::string text(const Shape& shape);
/// Error: kInvalidInput when the product does not fit 63 bits.
[[nodiscard]] Result<size_t> element_count(const Shape& shape);

/// An array of numbers as it stands in a file: little-endian, in C order (last index fastest).
struct Array {
  ElementType type = ElementType::kFloat32;
  Shape shape;
  std::string bytes;
};

[[nodiscard]] Array array_of(Shape shape, std::span<const float> values);
[[nodiscard]] Array array_of(Shape shape, std::span<const int64_t> values);
[[nodiscard]] Array array_of(Shape shape, std::span<const int32_t> values);
[[nodiscard]] Array array_of(Shape shape, std::span<const uint8_t> values);

/// The values of a float array. Errors: kInvalidInput for integers, NaN, infinity and doubles that
/// float32 cannot hold.
[[nodiscard]] Result<std::vector<float>> floats(const Array& array);
/// The values of an integer or bool array of any width. Errors: kInvalidInput for floats and for
/// values of uint64 from 2^63 on.
[[nodiscard]] Result<std::vector<int64_t>> integers(const Array& array);

}  // namespace hloscope::data
