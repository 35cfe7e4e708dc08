#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "core/hlo/escape.h"
#include "core/hlo/lexer.h"

namespace hloscope::hlo {

namespace {

constexpr uint64_t kOnes = 0x0101010101010101ULL;
constexpr uint64_t kHighs = 0x8080808080808080ULL;

uint64_t zero_bytes(uint64_t v) {
  return (v - kOnes) & ~v & kHighs;
}

// The first byte in [p, end) that is `quote`, a backslash or not ASCII; end if there is none.
const char* find_special(const char* p, const char* end, char quote) {
  const uint64_t quotes = kOnes * static_cast<uint8_t>(quote);
  constexpr uint64_t kBackslashes = kOnes * static_cast<uint8_t>('\\');
  for (; end - p >= 8; p += 8) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, p, 8);
    const uint64_t hit =
        zero_bytes(bytes ^ quotes) | zero_bytes(bytes ^ kBackslashes) | (bytes & kHighs);
    if (hit != 0) return p + std::countr_zero(hit) / 8;
  }
  while (p < end && *p != quote && *p != '\\' && static_cast<signed char>(*p) >= 0) ++p;
  return p;
}

}  // namespace

bool Lexer::check_utf8(std::string_view text) {
  const size_t bad = find_bad_utf8(text);
  if (bad == std::string_view::npos) return true;
  return fail(text.data() + bad,
              fmt::format("the byte 0x{:02x} is not valid UTF-8",
                          static_cast<unsigned>(static_cast<unsigned char>(text[bad]))),
              "save the file as UTF-8");
}

// Moves from the opening quote to behind the closing one.
bool Lexer::scan_quoted(bool& escaped) {
  const char* const begin = p_;
  const char quote = *p_;
  bool ascii = true;
  escaped = false;
  const char* q = p_ + 1;
  for (;;) {
    q = find_special(q, end_, quote);
    if (q >= end_) return fail(begin, "this string is not closed", "is the file complete?");
    if (*q == quote) break;
    if (*q == '\\') {
      escaped = true;
      if (q[1] == '\n') return fail(q, "a backslash may not stand before a line end");
      q += q + 1 < end_ ? 2 : 1;
    } else {
      ascii = false;
      ++q;
    }
  }
  p_ = q + 1;
  return ascii || check_utf8(std::string_view(begin, static_cast<size_t>(p_ - begin)));
}

bool Lexer::quoted(std::string_view& text, StringArena& arena, std::string_view what) {
  const char quote = peek();
  if (quote != '"' && quote != '\'') return fail_expected(what, "here");
  const char* const begin = p_;
  bool escaped = false;
  if (!scan_quoted(escaped)) return false;
  text = std::string_view(begin + 1, static_cast<size_t>(p_ - begin) - 2);
  if (!escaped) return true;
  std::string plain;
  const size_t bad = unescape(text, plain);
  if (bad != std::string_view::npos) {
    return fail(begin + 1 + bad, "this is not a valid escape sequence");
  }
  text = arena.copy(plain);
  return true;
}

bool Lexer::skip_quoted(std::string_view what) {
  const char quote = peek();
  if (quote != '"' && quote != '\'') return fail_expected(what, "here");
  const char* const begin = p_;
  bool escaped = false;
  if (!scan_quoted(escaped)) return false;
  if (!escaped) return true;
  std::string plain;
  const size_t bad = unescape({begin + 1, static_cast<size_t>(p_ - begin) - 2}, plain);
  if (bad == std::string_view::npos) return true;
  return fail(begin + 1 + bad, "this is not a valid escape sequence");
}

bool Lexer::json_dict(std::string_view& text) {
  if (peek() != '{') return fail_expected("'{'", "before a JSON object");
  const char* const begin = p_;
  size_t depth = 0;
  for (const char* q = p_; q < end_; ++q) {
    if (*q == '{') {
      ++depth;
    } else if (*q == '}') {
      if (--depth == 0) {
        p_ = q + 1;
        text = since(begin);
        return check_utf8(text);
      }
    } else if (*q == '"') {
      for (++q; q < end_ && *q != '"'; ++q) {
        if (*q == '\\') ++q;
      }
    }
  }
  return fail(begin, "this brace is not closed", "is the file complete?");
}

}  // namespace hloscope::hlo
