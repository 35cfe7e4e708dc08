#include "core/nn/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/file_bytes.h"
#include "core/base/write_file.h"
#include "core/nn/safetensors_header.h"

namespace hloscope::nn {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

namespace {

constexpr size_t kLengthBytes = 8;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // as the reference implementation
constexpr std::string_view kOtherTypes[] = {"BOOL", "U8",  "I8",   "F8_E5M2", "F8_E4M3", "I16",
                                            "U16",  "F16", "BF16", "I32",     "U32",     "U64"};

tl::unexpected<Error> bad_tensor(std::string_view name, std::string_view what) {
  return fail(ErrorCode::kInvalidInput, fmt::format("tensor '{}': {}", name, what));
}

Result<ElementType> element_type(const TensorEntry& entry) {
  for (const ElementType type : {ElementType::kF32, ElementType::kF64, ElementType::kI64}) {
    if (entry.dtype == dtype_name(type)) return type;
  }
  if (std::ranges::find(kOtherTypes, entry.dtype) != std::end(kOtherTypes)) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("tensor '{}': dtype {} is not read", entry.name, entry.dtype),
                "convert it to F32, F64 or I64 before saving");
  }
  return bad_tensor(entry.name, fmt::format("unknown dtype '{}'", entry.dtype));
}

// The bytes that a shape needs; nothing if they cannot be counted in 64 bits.
std::optional<uint64_t> bytes_of(const std::vector<uint64_t>& shape, ElementType type) {
  uint64_t bytes = byte_size(type);
  if (std::ranges::find(shape, uint64_t{0}) != shape.end()) return 0;
  for (const uint64_t size : shape) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) return std::nullopt;
  }
  return bytes;
}

Result<Tensor> take_tensor(const TensorEntry& entry, std::string_view data) {
  HLOSCOPE_ASSIGN(const ElementType type, element_type(entry));
  const auto [begin, end] = entry.data_offsets;
  if (begin > end || end > data.size()) {
    return bad_tensor(entry.name, fmt::format("data_offsets [{}, {}] are outside of the {} bytes "
                                              "of data",
                                              begin, end, data.size()));
  }
  const std::optional<uint64_t> needed = bytes_of(entry.shape, type);
  if (!needed) return bad_tensor(entry.name, "the product of its shape is too large");
  if (*needed != end - begin) {
    return bad_tensor(entry.name,
                      fmt::format("its shape [{}] of {} needs {} bytes, but it has {}",
                                  fmt::join(entry.shape, ","), entry.dtype, *needed, end - begin));
  }
  return Tensor{entry.name, type, entry.shape, std::string(data.substr(begin, end - begin))};
}

// Every byte of the data must belong to one tensor; sorts the entries by offset.
Status check_cover(std::vector<TensorEntry>& entries, size_t data_bytes) {
  std::ranges::stable_sort(entries, {}, &TensorEntry::data_offsets);
  uint64_t expected = 0;
  for (const TensorEntry& entry : entries) {
    const auto [begin, end] = entry.data_offsets;
    if (begin > end) return bad_tensor(entry.name, "data_offsets end before they begin");
    if (begin < expected) {
      return bad_tensor(entry.name, fmt::format("begins at byte {}, inside of another tensor that "
                                                "ends at {}",
                                                begin, expected));
    }
    if (begin > expected) {
      return bad_tensor(entry.name, fmt::format("begins at byte {}, but the tensor before it ends "
                                                "at {}",
                                                begin, expected));
    }
    expected = end;
  }
  if (expected == data_bytes) return {};
  return fail(ErrorCode::kInvalidInput,
              fmt::format("the tensors need {} bytes of data, but the file has {}{}", expected,
                          data_bytes, expected > data_bytes ? ": it is cut" : ""));
}

struct Parts {
  std::string_view header;
  std::string_view data;
};

Result<Parts> split(std::string_view bytes) {
  if (bytes.size() < kLengthBytes) {
    return fail(ErrorCode::kInvalidInput, "is no .safetensors file: it has fewer than 8 bytes");
  }
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  bytes.remove_prefix(kLengthBytes);
  if (length > kMaxHeaderBytes) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("the header is said to have {} bytes; 100 MB are allowed", length),
                "is it a .safetensors file?");
  }
  if (length > bytes.size()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("the header is said to have {} bytes, but {} follow: the file is cut",
                            length, bytes.size()));
  }
  return Parts{bytes.substr(0, length), bytes.substr(length)};
}

template <typename T>
Tensor tensor_of(std::string name, std::vector<uint64_t> shape, std::span<const T> values) {
  constexpr ElementType kType = std::is_same_v<T, float>    ? ElementType::kF32
                                : std::is_same_v<T, double> ? ElementType::kF64
                                                            : ElementType::kI64;
  std::string bytes(values.size_bytes(), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size_bytes());
  return {std::move(name), kType, std::move(shape), std::move(bytes)};
}

Status check_tensors(std::span<const Tensor* const> sorted) {
  std::vector<std::string_view> names;
  for (const Tensor* tensor : sorted) {
    if (tensor->name == "__metadata__") return bad_tensor(tensor->name, "the name is reserved");
    if (bytes_of(tensor->shape, tensor->type) != tensor->bytes.size()) {
      return bad_tensor(tensor->name, "its bytes do not fit its shape");
    }
    names.push_back(tensor->name);
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
    return bad_tensor(*twice, "the name is there twice");
  }
  return {};
}

nlohmann::ordered_json header_of(const SafeTensors& content,
                                 std::span<const Tensor* const> sorted) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!content.metadata.empty()) header["__metadata__"] = content.metadata;
  uint64_t at = 0;
  for (const Tensor* tensor : sorted) {
    nlohmann::ordered_json& entry = header[tensor->name];
    entry["dtype"] = dtype_name(tensor->type);
    entry["shape"] = tensor->shape;
    entry["data_offsets"] = {at, at + tensor->bytes.size()};
    at += tensor->bytes.size();
  }
  return header;
}

}  // namespace

size_t byte_size(ElementType type) {
  return type == ElementType::kF32 ? 4 : 8;
}

std::string_view dtype_name(ElementType type) {
  constexpr std::string_view kNames[] = {"F32", "F64", "I64"};
  return kNames[static_cast<size_t>(type)];
}

Tensor make_tensor(std::string name, std::vector<uint64_t> shape, std::span<const float> values) {
  return tensor_of(std::move(name), std::move(shape), values);
}
Tensor make_tensor(std::string name, std::vector<uint64_t> shape, std::span<const double> values) {
  return tensor_of(std::move(name), std::move(shape), values);
}
Tensor make_tensor(std::string name, std::vector<uint64_t> shape, std::span<const int64_t> values) {
  return tensor_of(std::move(name), std::move(shape), values);
}

template <typename T>
std::vector<T> tensor_values(const Tensor& tensor) {
  assert(byte_size(tensor.type) == sizeof(T));
  std::vector<T> values(tensor.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}
template std::vector<float> tensor_values(const Tensor&);
template std::vector<double> tensor_values(const Tensor&);
template std::vector<int64_t> tensor_values(const Tensor&);

const Tensor* SafeTensors::find(std::string_view name) const {
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

Result<SafeTensors> parse_safetensors(std::string_view bytes) {
  HLOSCOPE_ASSIGN(const Parts parts, split(bytes));
  HLOSCOPE_ASSIGN(SafeTensorsHeader header, parse_safetensors_header(parts.header));
  HLOSCOPE_TRY(check_cover(header.tensors, parts.data.size()));
  SafeTensors content;
  content.metadata = std::move(header.metadata);
  for (const TensorEntry& entry : header.tensors) {
    HLOSCOPE_ASSIGN(Tensor tensor, take_tensor(entry, parts.data));
    content.tensors.push_back(std::move(tensor));
  }
  return content;
}

Result<SafeTensors> read_safetensors(const std::string& path) {
  HLOSCOPE_ASSIGN(const std::string bytes, read_file_bytes(path));
  Result<SafeTensors> content = parse_safetensors(bytes);
  if (!content) content.error().file = path;
  return content;
}

Result<std::string> format_safetensors(const SafeTensors& content) {
  std::vector<const Tensor*> sorted;
  for (const Tensor& tensor : content.tensors) sorted.push_back(&tensor);
  std::ranges::stable_sort(sorted, [](const Tensor* a, const Tensor* b) {
    const size_t size_a = byte_size(a->type);
    const size_t size_b = byte_size(b->type);
    return size_a != size_b ? size_a > size_b : a->name < b->name;
  });
  HLOSCOPE_TRY(check_tensors(sorted));
  std::string header;
  try {
    header = header_of(content, sorted).dump();
  } catch (const nlohmann::json::exception&) {
    return fail(ErrorCode::kInvalidInput, "a name or a value of the metadata is not UTF-8");
  }
  header.resize((header.size() + 7) / 8 * 8, ' ');  // so that the numbers are aligned
  if (header.size() > kMaxHeaderBytes) {
    return fail(ErrorCode::kInvalidInput, "the header would be longer than 100 MB");
  }
  const uint64_t length = header.size();
  std::string out(kLengthBytes, '\0');
  std::memcpy(out.data(), &length, kLengthBytes);
  out += header;
  for (const Tensor* tensor : sorted) out += tensor->bytes;
  return out;
}

Status write_safetensors(const std::string& path, const SafeTensors& content) {
  HLOSCOPE_ASSIGN(const std::string bytes, format_safetensors(content));
  return write_file(path, bytes);
}

}  // namespace hloscope::nn
