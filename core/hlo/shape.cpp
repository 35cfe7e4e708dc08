#include "core/hlo/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/base/hash.h"

namespace hloscope::hlo {

namespace {

using enum TypeClass;

constexpr std::array<PrimitiveTypeInfo, kPrimitiveTypeCount> kTypes = {{
    {"", 0, kNone},
    {"pred", 8, kPred},
    {"s8", 8, kSigned},
    {"s16", 16, kSigned},
    {"s32", 32, kSigned},
    {"s64", 64, kSigned},
    {"u8", 8, kUnsigned},
    {"u16", 16, kUnsigned},
    {"u32", 32, kUnsigned},
    {"u64", 64, kUnsigned},
    {"f16", 16, kFloat},
    {"f32", 32, kFloat},
    {"f64", 64, kFloat},
    {"tuple", 0, kNone},
    {"opaque", 0, kNone},
    {"c64", 64, kComplex},
    {"bf16", 16, kFloat},
    {"token", 0, kNone},
    {"c128", 128, kComplex},
    {"f8e5m2", 8, kFloat},
    {"f8e4m3fn", 8, kFloat},
    {"s4", 4, kSigned},
    {"u4", 4, kUnsigned},
    {"f8e4m3b11fnuz", 8, kFloat},
    {"f8e5m2fnuz", 8, kFloat},
    {"f8e4m3fnuz", 8, kFloat},
    {"s2", 2, kSigned},
    {"u2", 2, kUnsigned},
    {"f8e4m3", 8, kFloat},
    {"f8e3m4", 8, kFloat},
    {"s1", 1, kSigned},
    {"u1", 1, kUnsigned},
    {"f4e2m1fn", 4, kFloat},
    {"f8e8m0fnu", 8, kFloat},
    {"buffer", 0, kNone},
    {"f6e3m2fn", 6, kFloat},
    {"f6e2m3fn", 6, kFloat},
}};

// XLA prints "/*index=N*/" before every fifth element of a tuple shape.
constexpr size_t kIndexCommentInterval = 5;

std::string tile_text(const std::vector<int64_t>& tile) {
  std::string out = "(";
  for (size_t i = 0; i < tile.size(); ++i) {
    if (i > 0) out += ',';
    out += tile[i] == kCombineDimension ? "*" : fmt::format("{}", tile[i]);
  }
  return out + ")";
}

std::string layout_properties(const Layout& layout) {
  std::string out;
  if (!layout.tiles.empty()) {
    out += "T";
    for (const auto& tile : layout.tiles) out += tile_text(tile);
  }
  if (layout.tail_padding_alignment_in_elements != 1) {
    out += fmt::format("L({})", layout.tail_padding_alignment_in_elements);
  }
  if (layout.index_type != PrimitiveType::kInvalid)
    out += fmt::format("#({})", name(layout.index_type));
  if (layout.pointer_type != PrimitiveType::kInvalid) {
    out += fmt::format("*({})", name(layout.pointer_type));
  }
  if (layout.element_size_in_bits != 0) out += fmt::format("E({})", layout.element_size_in_bits);
  if (layout.memory_space != 0) out += fmt::format("S({})", layout.memory_space);
  if (!layout.split_configs.empty()) {
    out += "SC";
    for (const SplitConfig& split : layout.split_configs) {
      out += fmt::format("({}:{})", split.dimension, fmt::join(split.split_indices, ","));
    }
  }
  if (layout.dynamic_shape_metadata_prefix_bytes != 0) {
    out += fmt::format("M({})", layout.dynamic_shape_metadata_prefix_bytes);
  }
  return out;
}

std::string dimension_text(const Shape& shape, size_t i) {
  if (shape.dimensions[i] == kUnboundedSize) return "?";
  return fmt::format("{}{}", shape.is_dynamic(i) ? "<=" : "", shape.dimensions[i]);
}

}  // namespace

const PrimitiveTypeInfo& info(PrimitiveType type) {
  return kTypes[static_cast<size_t>(type)];
}

std::optional<PrimitiveType> type_by_name(std::string_view name) {
  constexpr size_t kLongest = std::string_view("f8e4m3b11fnuz").size();
  constexpr std::string_view kFirstLetters = "psufbcto";
  if (name.empty() || name.size() > kLongest ||
      kFirstLetters.find(name[0]) == std::string_view::npos) {
    return std::nullopt;
  }
  for (size_t i = 1; i < kTypes.size(); ++i) {
    const auto type = static_cast<PrimitiveType>(i);
    if (type == PrimitiveType::kTuple || type == PrimitiveType::kBuffer) continue;
    if (kTypes[i].name.size() == name.size() && kTypes[i].name == name) return type;
  }
  return std::nullopt;
}

bool is_floating(PrimitiveType type) {
  return info(type).type_class == kFloat;
}
bool is_integral(PrimitiveType type) {
  return info(type).type_class == kSigned || info(type).type_class == kUnsigned;
}
bool is_complex(PrimitiveType type) {
  return info(type).type_class == kComplex;
}

int64_t Shape::element_count() const {
  if (!is_array()) return 0;
  int64_t count = 1;
  for (int64_t d : dimensions) count *= d == kUnboundedSize ? 0 : d;
  return count;
}

uint64_t ShapeTable::hash_of(const Shape& shape) {
  Hasher hasher;
  hasher.add(static_cast<uint64_t>(shape.element_type)).add(std::span(shape.dimensions));
  hasher.add(std::span(shape.layout.minor_to_major));
  for (const auto& tile : shape.layout.tiles) hasher.add(std::span(tile));
  hasher.add(static_cast<uint64_t>(shape.layout.memory_space));
  for (ShapeId element : shape.elements) hasher.add(uint64_t{element.value});
  return hasher.digest().low;
}

ShapeId ShapeTable::intern(Shape shape) {
  const uint64_t hash = hash_of(shape);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (shapes_[it->second] == shape) return it->second;
  }
  const ShapeId id = shapes_.push_back(std::move(shape));
  by_hash_.emplace(hash, id);
  return id;
}

int64_t ShapeTable::byte_size(ShapeId id) const {
  const Shape& shape = shapes_[id];
  if (shape.is_tuple()) return 8 * static_cast<int64_t>(shape.elements.size());
  if (shape.is_buffer()) return byte_size(shape.elements.front());
  const int64_t bits = shape.layout.element_size_in_bits != 0 ? shape.layout.element_size_in_bits
                                                              : info(shape.element_type).bits;
  return (shape.element_count() * bits + 7) / 8;
}

int64_t ShapeTable::leaf_count(ShapeId id) const {
  const Shape& shape = shapes_[id];
  if (!shape.is_tuple()) return 1;
  int64_t count = 0;
  for (ShapeId element : shape.elements) count += leaf_count(element);
  return count;
}

bool ShapeTable::compatible(ShapeId a, ShapeId b) const {
  if (a == b) return true;
  const Shape& left = shapes_[a];
  const Shape& right = shapes_[b];
  if (left.element_type != right.element_type || left.dimensions != right.dimensions ||
      left.elements.size() != right.elements.size()) {
    return false;
  }
  for (size_t i = 0; i < left.rank(); ++i) {
    if (left.is_dynamic(i) != right.is_dynamic(i)) return false;
  }
  return std::equal(left.elements.begin(), left.elements.end(), right.elements.begin(),
                    [this](ShapeId x, ShapeId y) { return compatible(x, y); });
}

std::string ShapeTable::text(ShapeId id, bool with_layout) const {
  std::string out;
  append_text(out, id, with_layout);
  return out;
}

void ShapeTable::append_text(std::string& out, ShapeId id, bool with_layout) const {
  const Shape& shape = shapes_[id];
  if (shape.is_tuple() || shape.is_buffer()) {
    out += shape.is_buffer() ? "b(" : "(";
    for (size_t i = 0; i < shape.elements.size(); ++i) {
      if (i > 0) out += ", ";
      if (i > 0 && i % kIndexCommentInterval == 0) out += fmt::format("/*index={}*/", i);
      append_text(out, shape.elements[i], with_layout);
    }
    out += ')';
    return;
  }
  out += name(shape.element_type);
  out += '[';
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (i > 0) out += ',';
    out += dimension_text(shape, i);
  }
  out += ']';
  if (!with_layout || !shape.has_layout || !shape.is_array()) return;
  const std::string properties = layout_properties(shape.layout);
  if (shape.rank() == 0 && properties.empty()) return;
  out += fmt::format("{{{}", fmt::join(shape.layout.minor_to_major, ","));
  if (!properties.empty()) out += ":" + properties;
  out += '}';
}

}  // namespace hloscope::hlo
