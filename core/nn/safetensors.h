#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace hloscope::nn {

/// The element types that are read and written; all little-endian.
enum class ElementType { kF32, kF64, kI64 };

[[nodiscard]] size_t byte_size(ElementType type);
/// "F32" etc.
[[nodiscard]] std::string_view dtype_name(ElementType type);

/// A named array in C order. An empty shape is one number.
struct Tensor {
  std::string name;
  ElementType type = ElementType::kF32;
  std::vector<uint64_t> shape;
  std::string bytes;
  bool operator==(const Tensor&) const = default;
};

[[nodiscard]] Tensor make_tensor(std::string name, std::vector<uint64_t> shape,
                                 std::span<const float> values);
[[nodiscard]] Tensor make_tensor(std::string name, std::vector<uint64_t> shape,
                                 std::span<const double> values);
[[nodiscard]] Tensor make_tensor(std::string name, std::vector<uint64_t> shape,
                                 std::span<const int64_t> values);
/// The numbers of a tensor; T (float, double, int64_t) must be that of its type.
template <typename T>
[[nodiscard]] std::vector<T> tensor_values(const Tensor& tensor);

/// What a .safetensors file holds (huggingface.co/docs/safetensors): 8 bytes with the length of a
/// JSON header, the header, the numbers.
struct SafeTensors {
  std::map<std::string, std::string> metadata;  ///< __metadata__
  std::vector<Tensor> tensors;                  ///< in the order of their bytes in the file

  /// Null where there is none of that name.
  [[nodiscard]] const Tensor* find(std::string_view name) const;
};

/// Reads all of a file; the error names the file and the tensor. Errors: kNotFound, kIo,
/// kInvalidInput (a header longer than the file or 100 MB; JSON that is damaged or of another
/// form; names twice; offsets outside of the file, or that overlap or leave holes; sizes that do
/// not fit their shape), kUnsupported (other element types).
[[nodiscard]] Result<SafeTensors> read_safetensors(const std::string& path);
/// The same from memory; errors carry no file.
[[nodiscard]] Result<SafeTensors> parse_safetensors(std::string_view bytes);

/// The bytes of a file: tensors in order of element size, largest first, then of name, so that the
/// same content gives the same bytes. Error: kInvalidInput (names twice, reserved or not UTF-8;
/// bytes that do not fit the shape).
[[nodiscard]] Result<std::string> format_safetensors(const SafeTensors& content);
/// Takes the place of the file as a whole. Errors: those of format_safetensors; kIo.
[[nodiscard]] Status write_safetensors(const std::string& path, const SafeTensors& content);

}  // namespace hloscope::nn
