#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hloscope::hlo {

/// Every attribute of an instruction, a module header or a computation, plus kUnknown for names
/// that this version does not know (kept verbatim).
enum class AttrKey : uint8_t {
  kUnknown,
#define HLOSCOPE_ATTRIBUTE(id, name, kind) id,
#include "core/hlo/attributes.def"
#undef HLOSCOPE_ATTRIBUTE
};

inline constexpr size_t kAttrKeyCount = 1
#define HLOSCOPE_ATTRIBUTE(id, name, kind) +1
#include "core/hlo/attributes.def"
#undef HLOSCOPE_ATTRIBUTE
    ;

/// Integers per dimension of a kWindow attribute.
inline constexpr size_t kWindowInts = 7;

/// How a value is stored in an Attribute. "pool" = the integer pool of the Program.
enum class AttrKind : uint8_t {
  kBool,          ///< integer(): 0 or 1.
  kInt,           ///< integer().
  kDouble,        ///< number().
  kInts,          ///< pool: count integers.
  kIntPairs,      ///< pool: count integers, 2 per entry (source, target).
  kWindow,        ///< pool: kWindowInts per dimension: size, stride, pad low, pad high, lhs
                  ///< dilation (base), rhs dilation (window), reversal.
  kPadding,       ///< pool: 3 per dimension: low, high, interior.
  kSlice,         ///< pool: 3 per dimension: start, limit, stride.
  kText,          ///< text(): the string after unescaping, an enum word, or braces verbatim.
  kRaw,           ///< text(): the value as written in HLO text, braces included.
  kComputations,  ///< pool: computation ids.
  kInstructions,  ///< pool: instruction ids.
  kShapes,        ///< pool: shape ids.
  kLiteral,       ///< integer(): index into Program::literals().
};

[[nodiscard]] std::string_view name(AttrKey key);
[[nodiscard]] AttrKind kind(AttrKey key);
[[nodiscard]] std::optional<AttrKey> attribute_by_name(std::string_view name);

/// One attribute: 16 bytes. Texts point into the source or the arena of the Program.
class Attribute {
 public:
  static Attribute of_int(AttrKey key, AttrKind kind, int64_t value) {
    return {key, kind, 0, static_cast<uint64_t>(value)};
  }
  static Attribute of_double(AttrKey key, double value) {
    return {key, AttrKind::kDouble, 0, std::bit_cast<uint64_t>(value)};
  }
  static Attribute of_text(AttrKey key, AttrKind kind, std::string_view text) {
    return {key, kind, static_cast<uint32_t>(text.size()), std::bit_cast<uint64_t>(text.data())};
  }
  static Attribute of_pool(AttrKey key, AttrKind kind, uint32_t begin, uint32_t count) {
    return {key, kind, count, begin};
  }

  [[nodiscard]] AttrKey key() const { return key_; }
  [[nodiscard]] AttrKind kind() const { return kind_; }
  [[nodiscard]] int64_t integer() const { return static_cast<int64_t>(payload_); }
  [[nodiscard]] bool boolean() const { return payload_ != 0; }
  [[nodiscard]] double number() const { return std::bit_cast<double>(payload_); }
  [[nodiscard]] std::string_view text() const {
    return {std::bit_cast<const char*>(payload_), count_};
  }
  [[nodiscard]] uint32_t pool_begin() const { return static_cast<uint32_t>(payload_); }
  [[nodiscard]] uint32_t pool_count() const { return count_; }

 private:
  Attribute(AttrKey key, AttrKind kind, uint32_t count, uint64_t payload)
      : key_(key), kind_(kind), count_(count), payload_(payload) {}

  AttrKey key_;
  AttrKind kind_;
  uint32_t count_;
  uint64_t payload_;
};

}  // namespace hloscope::hlo
