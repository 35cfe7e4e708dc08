#include "db/given_name.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace hloscope::db {
namespace {

constexpr size_t kMostCharacters = 200;

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  ///< 0: not UTF-8.
};

uint8_t byte_at(std::string_view text, size_t at) {
  return static_cast<uint8_t>(text[at]);
}

/// The first character of a text that is not empty. Surrogates, codes above U+10FFFF and codes in
/// more bytes than they need are not UTF-8.
Character first_character(std::string_view text) {
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const uint8_t lead = byte_at(text, 0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc0 || lead > 0xf4 || text.size() < bytes) return {};
  uint32_t code = lead & (0xffU >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    const uint8_t next = byte_at(text, i);
    if ((next & 0xc0U) != 0x80) return {};
    code = code << 6U | (next & 0x3fU);
  }
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[bytes] || code > 0x10ffff || is_surrogate) return {};
  return {code, bytes};
}

// U+2028 and U+2029 end lines as well.
bool is_control(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

Status refused(std::string_view what, std::string_view why, std::string_view hint) {
  return fail(ErrorCode::kInvalidInput, fmt::format("the name of the {} {}", what, why),
              std::string(hint));
}

}  // namespace

Status check_given_name(std::string_view what, std::string_view name) {
  size_t characters = 0;
  while (!name.empty()) {
    const Character first = first_character(name);
    if (first.bytes == 0) return refused(what, "is not UTF-8", "type it in a UTF-8 terminal");
    if (is_control(first.code)) {
      return refused(what, "holds a control character or the end of a line",
                     "names are of one line");
    }
    name.remove_prefix(first.bytes);
    if (++characters > kMostCharacters) {
      return refused(what, fmt::format("has more than {} characters", kMostCharacters),
                     "take a shorter one");
    }
  }
  return {};
}

}  // namespace hloscope::db
