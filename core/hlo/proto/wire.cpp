#include "core/hlo/proto/wire.h"

#include <bit>
#include <cstring>

namespace hloscope::hlo {

namespace {

constexpr int kMaxVarintBytes = 10;
constexpr uint64_t kMaxFieldNumber = (1U << 29) - 1;

bool take_varint(std::string_view& rest, uint64_t& value) {
  value = 0;
  for (int i = 0; i < kMaxVarintBytes; ++i) {
    if (static_cast<size_t>(i) >= rest.size()) return false;
    const auto byte = static_cast<uint8_t>(rest[static_cast<size_t>(i)]);
    value |= static_cast<uint64_t>(byte & 0x7fU) << (7 * i);
    if (byte < 0x80) {
      rest.remove_prefix(static_cast<size_t>(i) + 1);
      return true;
    }
  }
  return false;
}

}  // namespace

bool WireReader::read_varint(uint64_t& value) {
  return take_varint(rest_, value);
}

bool WireReader::read_fixed(size_t size) {
  if (rest_.size() < size) return false;
  static_assert(std::endian::native == std::endian::little);
  field_.value = 0;
  std::memcpy(&field_.value, rest_.data(), size);
  rest_.remove_prefix(size);
  return true;
}

bool WireReader::next() {
  if (!ok_ || rest_.empty()) return false;
  uint64_t tag = 0;
  ok_ = read_varint(tag) && (tag >> 3) != 0 && (tag >> 3) <= kMaxFieldNumber;
  if (!ok_) return false;
  field_.number = static_cast<uint32_t>(tag >> 3);
  field_.bytes = {};
  switch (tag & 7) {
    case 0:
      field_.type = WireField::Type::kVarint;
      ok_ = read_varint(field_.value);
      break;
    case 1:
      field_.type = WireField::Type::kFixed64;
      ok_ = read_fixed(8);
      break;
    case 2:
      field_.type = WireField::Type::kBytes;
      ok_ = read_varint(field_.value) && field_.value <= rest_.size();
      if (!ok_) break;
      field_.bytes = rest_.substr(0, field_.value);
      rest_.remove_prefix(field_.value);
      break;
    case 5:
      field_.type = WireField::Type::kFixed32;
      ok_ = read_fixed(4);
      break;
    default:  // groups: no message of ours ever had one
      ok_ = false;
  }
  return ok_;
}

bool is_wire_message(std::string_view bytes) {
  WireReader reader(bytes);
  while (reader.next()) {
  }
  return reader.ok();
}

bool append_varints(const WireField& field, std::vector<int64_t>& out) {
  if (field.type == WireField::Type::kVarint) {
    out.push_back(static_cast<int64_t>(field.value));
    return true;
  }
  if (field.type != WireField::Type::kBytes) return false;
  std::string_view rest = field.bytes;
  uint64_t value = 0;
  while (!rest.empty()) {
    if (!take_varint(rest, value)) return false;
    out.push_back(static_cast<int64_t>(value));
  }
  return true;
}

}  // namespace hloscope::hlo
