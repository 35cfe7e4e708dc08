#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hloscope {

/// A 128-bit content hash (XXH3), equal on every machine.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;
  /// 32 lower-case hexadecimal digits.
  [[nodiscard]] std::string hex() const;
};

[[nodiscard]] Hash128 hash128(std::string_view bytes);
[[nodiscard]] uint64_t hash64(std::string_view bytes);

/// Builds a content hash piece by piece. Integers are added as 8 little-endian bytes and strings
/// with their length, so that two different sequences of pieces never give the same bytes.
class Hasher {
 public:
  Hasher& add(uint64_t value);
  Hasher& add(std::string_view text);
  Hasher& add(std::span<const int64_t> values);
  [[nodiscard]] Hash128 digest() const { return hash128(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace hloscope

template <>
struct std::hash<hloscope::Hash128> {
  size_t operator()(const hloscope::Hash128& h) const noexcept { return h.low; }
};
