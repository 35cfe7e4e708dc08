#include "core/base/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace hloscope {

std::string Hash128::hex() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

Hash128 hash128(std::string_view bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return {h.high64, h.low64};
}

uint64_t hash64(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

Hasher& Hasher::add(uint64_t value) {
  for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  return *this;
}

Hasher& Hasher::add(std::string_view text) {
  add(static_cast<uint64_t>(text.size()));
  bytes_.append(text);
  return *this;
}

Hasher& Hasher::add(std::span<const int64_t> values) {
  add(static_cast<uint64_t>(values.size()));
  for (int64_t v : values) add(static_cast<uint64_t>(v));
  return *this;
}

}  // namespace hloscope
