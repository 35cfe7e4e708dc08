#include "core/data/varint.h"

namespace hloscope::data {

void put_integer(std::string& out, int64_t value) {
  auto bits = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  while (bits >= 0x80) {
    out.push_back(static_cast<char>(bits | 0x80));
    bits >>= 7;
  }
  out.push_back(static_cast<char>(bits));
}

std::optional<int64_t> take_integer(std::string_view& bytes) {
  uint64_t bits = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    bits |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return static_cast<int64_t>(bits >> 1) ^ -static_cast<int64_t>(bits & 1);
  }
  return std::nullopt;
}

std::optional<size_t> take_count(std::string_view& bytes) {
  const std::optional<int64_t> count = take_integer(bytes);
  if (!count || *count < 0 || static_cast<uint64_t>(*count) > bytes.size()) return std::nullopt;
  return static_cast<size_t>(*count);
}

}  // namespace hloscope::data
