#include "core/hlo/escape.h"

#include <cstdint>

namespace hloscope::hlo {

namespace {

constexpr auto kNone = std::string_view::npos;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_utf8(uint32_t code, std::string& out) {
  const auto put = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

// The length of the escape after the backslash, 0 if it is bad.
size_t octal(std::string_view s, std::string& out) {
  uint32_t value = 0;
  size_t n = 0;
  while (n < 3 && n < s.size() && s[n] >= '0' && s[n] <= '7') {
    value = value * 8 + static_cast<uint32_t>(s[n++] - '0');
  }
  if (value > 0xff) return 0;
  out += static_cast<char>(value);
  return n;
}

size_t hex_byte(std::string_view s, std::string& out) {
  uint32_t value = 0;
  size_t n = 1;
  while (n < s.size() && hex_digit(s[n]) >= 0) {
    value = value * 16 + static_cast<uint32_t>(hex_digit(s[n++]));
    if (value > 0xff) return 0;
  }
  if (n == 1) return 0;
  out += static_cast<char>(value);
  return n;
}

size_t unicode(std::string_view s, std::string& out) {
  const size_t digits = s[0] == 'u' ? 4 : 8;
  if (s.size() < 1 + digits) return 0;
  uint32_t value = 0;
  for (size_t i = 1; i <= digits; ++i) {
    if (hex_digit(s[i]) < 0 || value > 0x10ffff) return 0;
    value = value * 16 + static_cast<uint32_t>(hex_digit(s[i]));
  }
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
  append_utf8(value, out);
  return 1 + digits;
}

size_t one_escape(std::string_view s, std::string& out) {
  if (s.empty()) return 0;
  if (s[0] >= '0' && s[0] <= '7') return octal(s, out);
  if (s[0] == 'x' || s[0] == 'X') return hex_byte(s, out);
  if (s[0] == 'u' || s[0] == 'U') return unicode(s, out);
  constexpr std::string_view kLetters = "ntrabfv\\'\"?";
  constexpr std::string_view kValues = "\n\t\r\a\b\f\v\\'\"?";
  const size_t which = kLetters.find(s[0]);
  if (which == kNone) return 0;
  out += kValues[which];
  return 1;
}

}  // namespace

size_t unescape(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size());
  size_t i = 0;
  while (i < text.size()) {
    const size_t backslash = std::min(text.find('\\', i), text.size());
    out.append(text.substr(i, backslash - i));
    if (backslash == text.size()) break;
    const size_t length = one_escape(text.substr(backslash + 1), out);
    if (length == 0) return backslash;
    i = backslash + 1 + length;
  }
  return kNone;
}

size_t find_bad_utf8(std::string_view text) {
  const auto at = [text](size_t i) {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
  };
  size_t i = 0;
  while (i < text.size()) {
    const uint8_t lead = at(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const size_t extra = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4) return i;
    for (size_t k = 1; k <= extra; ++k) {
      if ((at(i + k) & 0xc0) != 0x80) return i;
    }
    const uint8_t second = at(i + 1);
    const bool bad_second = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                            (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
    if (bad_second) return i;
    i += 1 + extra;
  }
  return kNone;
}

}  // namespace hloscope::hlo
