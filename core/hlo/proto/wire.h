#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hloscope::hlo {

/// One field of a protobuf message. `bytes` is set for length-delimited fields and points into the
/// message; `value` holds varints and the bits of fixed32 and fixed64.
struct WireField {
  enum class Type : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  uint32_t number = 0;
  Type type = Type::kVarint;
  uint64_t value = 0;
  std::string_view bytes;

  [[nodiscard]] bool is_bytes(uint32_t n) const { return number == n && type == Type::kBytes; }
  [[nodiscard]] bool is_varint(uint32_t n) const { return number == n && type == Type::kVarint; }
};

/// Walks over the fields of a message without decoding or copying them.
///
///     WireReader reader(bytes);
///     while (reader.next()) use(reader.field());
///     if (!reader.ok()) ...   // cut or damaged
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  /// False at the end and at the first damage.
  bool next();
  [[nodiscard]] const WireField& field() const { return field_; }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  bool read_varint(uint64_t& value);
  bool read_fixed(size_t size);

  std::string_view rest_;
  WireField field_;
  bool ok_ = true;
};

/// True when the bytes are a sequence of whole fields.
[[nodiscard]] bool is_wire_message(std::string_view bytes);

/// Appends the integers of one occurrence of a repeated integer field, packed or not. False when
/// the packed bytes are damaged or the field has another type.
[[nodiscard]] bool append_varints(const WireField& field, std::vector<int64_t>& out);

}  // namespace hloscope::hlo
