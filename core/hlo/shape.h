#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/index.h"

namespace hloscope::hlo {

/// Values are those of xla.PrimitiveType (xla/xla_data.proto).
enum class PrimitiveType : uint8_t {
  kInvalid = 0,
  kPred = 1,
  kS8 = 2,
  kS16 = 3,
  kS32 = 4,
  kS64 = 5,
  kU8 = 6,
  kU16 = 7,
  kU32 = 8,
  kU64 = 9,
  kF16 = 10,
  kF32 = 11,
  kF64 = 12,
  kTuple = 13,
  kOpaque = 14,
  kC64 = 15,
  kBf16 = 16,
  kToken = 17,
  kC128 = 18,
  kF8e5m2 = 19,
  kF8e4m3fn = 20,
  kS4 = 21,
  kU4 = 22,
  kF8e4m3b11fnuz = 23,
  kF8e5m2fnuz = 24,
  kF8e4m3fnuz = 25,
  kS2 = 26,
  kU2 = 27,
  kF8e4m3 = 28,
  kF8e3m4 = 29,
  kS1 = 30,
  kU1 = 31,
  kF4e2m1fn = 32,
  kF8e8m0fnu = 33,
  kBuffer = 34,
  kF6e3m2fn = 35,
  kF6e2m3fn = 36,
};
inline constexpr int kPrimitiveTypeCount = 37;

enum class TypeClass : uint8_t { kNone, kPred, kSigned, kUnsigned, kFloat, kComplex };

struct PrimitiveTypeInfo {
  std::string_view name;  ///< Lower case, as in HLO text; empty for kInvalid.
  int bits;               ///< 0 for types without a size (tuple, token, opaque).
  TypeClass type_class;
};

[[nodiscard]] const PrimitiveTypeInfo& info(PrimitiveType type);
[[nodiscard]] inline std::string_view name(PrimitiveType type) {
  return info(type).name;
}
/// The types that can be written in text: not tuple, not buffer.
[[nodiscard]] std::optional<PrimitiveType> type_by_name(std::string_view name);
[[nodiscard]] bool is_floating(PrimitiveType type);
[[nodiscard]] bool is_integral(PrimitiveType type);  ///< Signed or unsigned, not pred.
[[nodiscard]] bool is_complex(PrimitiveType type);

struct ShapeTag;
using ShapeId = Index<ShapeTag>;

/// The value that stands for an unbounded dynamic dimension ("?").
inline constexpr int64_t kUnboundedSize = INT64_MIN;
/// The value of a tile dimension "*" (merge with the next more minor one).
inline constexpr int64_t kCombineDimension = INT64_MIN;

struct SplitConfig {
  int64_t dimension = 0;
  std::vector<int64_t> split_indices;
  bool operator==(const SplitConfig&) const = default;
};

/// xla.LayoutProto. Default-constructed values are the ones that the text leaves out.
struct Layout {
  std::vector<int64_t> minor_to_major;
  std::vector<std::vector<int64_t>> tiles;
  int64_t tail_padding_alignment_in_elements = 1;
  PrimitiveType index_type = PrimitiveType::kInvalid;
  PrimitiveType pointer_type = PrimitiveType::kInvalid;
  int64_t element_size_in_bits = 0;
  int64_t memory_space = 0;
  std::vector<SplitConfig> split_configs;
  int64_t dynamic_shape_metadata_prefix_bytes = 0;
  bool operator==(const Layout&) const = default;
};

/// An immutable, interned shape. Arrays always have a full minor_to_major: the descending default
/// where the source wrote none (has_layout tells the two apart).
struct Shape {
  PrimitiveType element_type = PrimitiveType::kInvalid;
  bool has_layout = false;
  std::vector<int64_t> dimensions;
  std::vector<bool> dynamic_dimensions;  ///< Empty when no dimension is dynamic.
  Layout layout;
  std::vector<ShapeId> elements;  ///< Of a tuple; the one shape inside of a buffer.

  [[nodiscard]] bool is_tuple() const { return element_type == PrimitiveType::kTuple; }
  [[nodiscard]] bool is_token() const { return element_type == PrimitiveType::kToken; }
  [[nodiscard]] bool is_opaque() const { return element_type == PrimitiveType::kOpaque; }
  [[nodiscard]] bool is_buffer() const { return element_type == PrimitiveType::kBuffer; }
  [[nodiscard]] bool is_array() const { return info(element_type).bits > 0; }
  [[nodiscard]] size_t rank() const { return dimensions.size(); }
  [[nodiscard]] bool is_dynamic(size_t i) const {
    return i < dynamic_dimensions.size() && dynamic_dimensions[i];
  }
  /// Product of the dimensions (bounds of dynamic ones, 0 if unbounded); 1 for a scalar, 0 for
  /// what is not an array.
  [[nodiscard]] int64_t element_count() const;
  bool operator==(const Shape&) const = default;
};

/// Shapes stored once; equal shapes have equal ids.
class ShapeTable {
 public:
  /// Elements of a tuple must have been interned in this table before.
  ShapeId intern(Shape shape);
  [[nodiscard]] const Shape& operator[](ShapeId id) const { return shapes_[id]; }
  [[nodiscard]] size_t size() const { return shapes_.size(); }

  /// Bytes without padding, as XLA counts them: 8 per tuple element (one pointer each), sub-byte
  /// types packed and rounded up, 0 for token and opaque.
  [[nodiscard]] int64_t byte_size(ShapeId id) const;
  /// Number of leaves (arrays, tokens, opaques, buffers) of a possibly nested tuple.
  [[nodiscard]] int64_t leaf_count(ShapeId id) const;
  /// Equal up to layout.
  [[nodiscard]] bool compatible(ShapeId a, ShapeId b) const;
  /// HLO text, e.g. `bf16[8,128]{1,0:T(8,128)(2,1)}`; index comments every 5 tuple elements.
  [[nodiscard]] std::string text(ShapeId id, bool with_layout = true) const;

 private:
  void append_text(std::string& out, ShapeId id, bool with_layout) const;
  static uint64_t hash_of(const Shape& shape);

  IndexedVector<ShapeId, Shape> shapes_;
  std::unordered_multimap<uint64_t, ShapeId> by_hash_;
};

}  // namespace hloscope::hlo
