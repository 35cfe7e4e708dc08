#include "core/hlo/quote.h"

#include <cstdint>

namespace hloscope::hlo {

namespace {

void append_escaped(char c, std::string& out) {
  constexpr std::string_view kSpecial = "\n\r\t\"'\\";
  constexpr std::string_view kLetters = "nrt\"'\\";
  const size_t special = kSpecial.find(c);
  if (special != std::string_view::npos) {
    out += '\\';
    out += kLetters[special];
    return;
  }
  const auto byte = static_cast<uint8_t>(c);
  if (byte >= 0x20 && byte < 0x7f) {
    out += c;
    return;
  }
  out += '\\';
  for (int shift = 6; shift >= 0; shift -= 3) {
    out += static_cast<char>('0' + ((byte >> shift) & 7));
  }
}

/// The index of the quote that ends the string which begins at `begin`, or the size of the text.
size_t end_of_string(std::string_view text, size_t begin) {
  size_t i = begin + 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return i < text.size() ? i : text.size();
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) append_escaped(c, out);
  return out;
}

std::string quote(std::string_view text) {
  return '"' + escaped(text) + '"';
}

bool is_braced(std::string_view text) {
  if (text.empty() || text.front() != '{') return false;
  size_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') i = end_of_string(text, i);
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) return i + 1 == text.size();
  }
  return false;
}

std::string quote_or_brace(std::string_view text) {
  return is_braced(text) ? std::string(text) : quote(text);
}

}  // namespace hloscope::hlo
