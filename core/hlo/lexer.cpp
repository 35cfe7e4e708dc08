#include "core/hlo/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/hlo/escape.h"

namespace hloscope::hlo {

uint32_t Lexer::line_of(const char* at) {
  if (at < counted_) return line_ - static_cast<uint32_t>(std::count(at, counted_, '\n'));
  line_ += static_cast<uint32_t>(std::count(counted_, at, '\n'));
  counted_ = at;
  return line_;
}

bool Lexer::starts_hash_comment() const {
  // "# RUN: ..." at the start of a line. "#0" (a tuple element) and "#(" (a layout part) are HLO.
  if (lex::is(p_[1], lex::kDigit) || p_[1] == '(') return false;
  const char* q = p_;
  while (q > base_ && (q[-1] == ' ' || q[-1] == '\t' || q[-1] == '\r')) --q;
  return q == base_ || q[-1] == '\n';
}

void Lexer::skip_comments() {
  for (;;) {
    while (lex::is(*p_, lex::kBlank)) ++p_;
    const bool line_comment = (*p_ == '/' && p_[1] == '/') || (*p_ == '#' && starts_hash_comment());
    if (line_comment) {
      const void* newline = std::memchr(p_, '\n', static_cast<size_t>(end_ - p_));
      p_ = newline == nullptr ? end_ : static_cast<const char*>(newline);
    } else if (*p_ == '/' && p_[1] == '*') {
      const std::string_view rest(p_ + 2, static_cast<size_t>(end_ - p_ - 2));
      const size_t close = rest.find("*/");
      if (close == std::string_view::npos) {
        fail(p_, "this comment is not closed", "add */");
        return;
      }
      p_ += close + 4;
    } else {
      return;
    }
  }
}

bool Lexer::eat(std::string_view text) {
  skip();
  if (static_cast<size_t>(end_ - p_) < text.size()) return false;
  if (std::memcmp(p_, text.data(), text.size()) != 0) return false;
  p_ += text.size();
  return true;
}

std::string_view Lexer::peek_word() {
  if (!at_word()) return {};
  const char* q = p_;
  while (lex::is(*q, lex::kWord)) ++q;
  return {p_, static_cast<size_t>(q - p_)};
}

bool Lexer::eat_word(std::string_view word) {
  if (peek_word() != word || p_[word.size()] == '=' || p_[word.size()] == ':') return false;
  p_ += word.size();
  return true;
}

bool Lexer::attribute_name(std::string_view& name, std::string_view what) {
  if (!at_word()) return fail_expected(what, "(name=value)");
  const char* const begin = p_;
  name = take_word();
  if (*p_ != '=') {
    const bool blank = peek() == '=';
    return fail(begin, fmt::format("expected '=' directly behind \"{}\"", name),
                blank ? "remove the blank before '='" : "");
  }
  ++p_;
  return true;
}

bool Lexer::eat_attribute(std::string_view name) {
  if (peek_word() != name || p_[name.size()] != '=') return false;
  p_ += name.size() + 1;
  return true;
}

bool Lexer::at_integer() {
  skip();
  return lex::is(*p_, lex::kDigit) || (*p_ == '-' && lex::is(p_[1], lex::kDigit));
}

bool Lexer::integer(int64_t& value, std::string_view what) {
  if (!at_integer()) return fail_expected(what, "here");
  const char* const begin = p_;
  const bool negative = *p_ == '-';
  const char* q = begin + (negative ? 1 : 0);
  uint64_t magnitude = 0;
  for (; lex::is(*q, lex::kDigit); ++q) {
    const auto digit = static_cast<uint64_t>(*q - '0');
    if (magnitude > (UINT64_MAX - digit) / 10) {
      return fail(begin, "this integer needs more than 64 bits");
    }
    magnitude = magnitude * 10 + digit;
  }
  if (negative && magnitude > uint64_t{1} << 63) {
    return fail(begin, "this integer needs more than 64 bits");
  }
  const bool number_goes_on =
      *q == '.' || (lex::is(q[0], lex::kWordStart) && q[0] != 'T' && lex::is(q[1], lex::kDigit)) ||
      (*q == '_' && q[1] == '-');
  if (number_goes_on) return fail(begin, fmt::format("expected {}", what), "a whole number");
  p_ = q;
  value = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool Lexer::integer_in(int64_t& value, int64_t low, int64_t high, std::string_view what) {
  skip();
  const char* const begin = p_;
  if (!integer(value, what)) return false;
  if (value >= low && value <= high) return true;
  return fail(begin, high == INT64_MAX ? fmt::format("{} must be at least {}", what, low)
                                       : fmt::format("{} must be in {} .. {}", what, low, high));
}

bool Lexer::boolean(bool& value) {
  if (eat_word("true")) {
    value = true;
    return true;
  }
  if (!eat_word("false")) return fail_expected("true or false", "here");
  value = false;
  return true;
}

bool Lexer::number(double& value) {
  skip();
  const bool negative = *p_ == '-';
  const char* const begin = p_ + (negative ? 1 : 0);
  if (lex::is(*begin, lex::kWordStart)) {
    const char* q = begin;
    while (lex::is(*q, lex::kWord)) ++q;
    const std::string_view word(begin, static_cast<size_t>(q - begin));
    if (word != "inf" && word != "nan") return fail_expected("a number", "here");
    value = word == "inf" ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
    if (negative) value = -value;
    p_ = q;
    return true;
  }
  const auto [rest, error] = std::from_chars(begin, end_, value);
  if (error == std::errc::result_out_of_range) {
    return fail_here("this number does not fit a 64-bit float");
  }
  if (error != std::errc() || *begin == '+') return fail_expected("a number", "here");
  if (negative) value = -value;
  p_ = rest;
  return true;
}

bool Lexer::integer_list(std::vector<int64_t>& values, bool trailing_comma) {
  if (!expect('{', "before a list of integers")) return false;
  if (eat('}')) return true;
  do {
    if (trailing_comma && peek() == '}') break;
    int64_t value = 0;
    if (!integer(value)) return false;
    values.push_back(value);
  } while (eat(','));
  return expect('}', "after the list of integers");
}

bool Lexer::fail(const char* at, std::string message, std::string hint) {
  if (failure_.at == nullptr) failure_ = {at, std::move(message), std::move(hint)};
  return false;
}

std::string Lexer::found() const {
  if (p_ >= end_) return "the end of the text";
  const auto c = static_cast<unsigned char>(*p_);
  if (c < 0x20 || c >= 0x7f) return fmt::format("the byte 0x{:02x}", c);
  const char* q = p_ + 1;
  if (lex::is(*p_, lex::kWord) || *p_ == '%') {
    while (lex::is(*q, lex::kWord) && q - p_ < 40) ++q;
  }
  return fmt::format("\"{}\"", std::string_view(p_, static_cast<size_t>(q - p_)));
}

bool Lexer::fail_expected(std::string_view what, std::string_view where) {
  skip();
  const bool punctuation =
      !what.empty() && what.front() != '\'' && !lex::is(what.front(), lex::kWordStart);
  const std::string_view quote = punctuation ? "'" : "";
  std::string hint;
  if (p_ >= end_) hint = "is the file complete?";
  return fail(p_, fmt::format("expected {0}{1}{0} {2}, found {3}", quote, what, where, found()),
              std::move(hint));
}

}  // namespace hloscope::hlo
