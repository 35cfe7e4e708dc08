#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope::testing {

/// Writes protobuf messages field by field: `Wire().text(1, "m").message(3, computation)`.
class Wire {
 public:
  Wire& number(uint32_t field, int64_t value) {
    varint(uint64_t{field} << 3);
    varint(static_cast<uint64_t>(value));
    return *this;
  }
  Wire& text(uint32_t field, std::string_view bytes) {
    varint(uint64_t{field} << 3 | 2);
    varint(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  Wire& message(uint32_t field, const Wire& message) { return text(field, message.bytes_); }
  Wire& packed(uint32_t field, const std::vector<int64_t>& values) {
    Wire list;
    for (const int64_t value : values) list.varint(static_cast<uint64_t>(value));
    return message(field, list);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace hloscope::testing
