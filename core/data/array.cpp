#include "core/data/array.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace hloscope::data {

namespace {

struct TypeInfo {
  std::string_view descr;
  size_t bytes;
};
// In the order of ElementType.
constexpr std::array<TypeInfo, 11> kTypes = {{{"|b1", 1},
                                              {"|i1", 1},
                                              {"<i2", 2},
                                              {"<i4", 4},
                                              {"<i8", 8},
                                              {"|u1", 1},
                                              {"<u2", 2},
                                              {"<u4", 4},
                                              {"<u8", 8},
                                              {"<f4", 4},
                                              {"<f8", 8}}};

template <typename T>
Array make(ElementType type, Shape shape, std::span<const T> values) {
  Array out{type, std::move(shape), std::string(values.size_bytes(), '\0')};
  if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), values.size_bytes());
  return out;
}

// Calls use(i, value) for each element.
template <typename T, typename Use>
Status for_each(const Array& array, Use use) {
  const size_t count = array.bytes.size() / sizeof(T);
  for (size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, array.bytes.data() + i * sizeof(T), sizeof(T));
    HLOSCOPE_TRY(use(i, value));
  }
  return {};
}

template <typename T>
Result<std::vector<float>> floats_from(const Array& array) {
  std::vector<float> out(array.bytes.size() / sizeof(T));
  HLOSCOPE_TRY(for_each<T>(array, [&out](size_t i, T value) -> Status {
    out[i] = static_cast<float>(value);
    if (std::isfinite(out[i])) return {};
    return fail(ErrorCode::kInvalidInput,
                fmt::format("element {} is {}, not a finite number", i, value));
  }));
  return out;
}

template <typename T>
Result<std::vector<int64_t>> integers_from(const Array& array) {
  std::vector<int64_t> out(array.bytes.size() / sizeof(T));
  HLOSCOPE_TRY(for_each<T>(array, [&out](size_t i, T value) -> Status {
    out[i] = static_cast<int64_t>(+value);  // An int8_t is a number, not a character.
    if (std::is_signed_v<T> || out[i] >= 0) return {};
    return fail(ErrorCode::kInvalidInput, fmt::format("element {} is {}, too large", i, value));
  }));
  return out;
}

}  // namespace

std::string_view descr(ElementType type) {
  return kTypes[static_cast<size_t>(type)].descr;
}

size_t byte_size(ElementType type) {
  return kTypes[static_cast<size_t>(type)].bytes;
}

std::string text(const Shape& shape) {
  std::string out = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

Result<size_t> element_count(const Shape& shape) {
  constexpr auto kMost = static_cast<size_t>(std::numeric_limits<int64_t>::max());
  // A zero anywhere makes the array empty, however large the rest is.
  for (const size_t size : shape) {
    if (size == 0) return size_t{0};
  }
  size_t count = 1;
  for (const size_t size : shape) {
    if (count > kMost / size) {
      return fail(ErrorCode::kInvalidInput, fmt::format("the shape {} is too large", text(shape)));
    }
    count *= size;
  }
  return count;
}

Array array_of(Shape shape, std::span<const float> values) {
  return make(ElementType::kFloat32, std::move(shape), values);
}
Array array_of(Shape shape, std::span<const int64_t> values) {
  return make(ElementType::kInt64, std::move(shape), values);
}
Array array_of(Shape shape, std::span<const int32_t> values) {
  return make(ElementType::kInt32, std::move(shape), values);
}
Array array_of(Shape shape, std::span<const uint8_t> values) {
  return make(ElementType::kUint8, std::move(shape), values);
}

Result<std::vector<float>> floats(const Array& array) {
  if (array.type == ElementType::kFloat32) return floats_from<float>(array);
  if (array.type == ElementType::kFloat64) return floats_from<double>(array);
  return fail(ErrorCode::kInvalidInput,
              fmt::format("has the type {}, expected <f4 or <f8", descr(array.type)));
}

Result<std::vector<int64_t>> integers(const Array& array) {
  switch (array.type) {
    case ElementType::kBool:
    case ElementType::kUint8:
      return integers_from<uint8_t>(array);
    case ElementType::kInt8:
      return integers_from<int8_t>(array);
    case ElementType::kInt16:
      return integers_from<int16_t>(array);
    case ElementType::kInt32:
      return integers_from<int32_t>(array);
    case ElementType::kInt64:
      return integers_from<int64_t>(array);
    case ElementType::kUint16:
      return integers_from<uint16_t>(array);
    case ElementType::kUint32:
      return integers_from<uint32_t>(array);
    case ElementType::kUint64:
      return integers_from<uint64_t>(array);
    case ElementType::kFloat32:
    case ElementType::kFloat64:
      break;
  }
  return fail(ErrorCode::kInvalidInput,
              fmt::format("has the type {}, expected integers", descr(array.type)));
}

}  // namespace hloscope::data
