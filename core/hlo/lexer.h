#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/intern.h"

namespace hloscope::hlo {

namespace lex {

inline constexpr uint8_t kBlank = 1;
inline constexpr uint8_t kWordStart = 2;
inline constexpr uint8_t kWord = 4;
inline constexpr uint8_t kDigit = 8;

consteval std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> table{};
  for (const char c : {' ', '\t', '\n', '\r'}) table[static_cast<uint8_t>(c)] = kBlank;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<size_t>(c)] = kWordStart | kWord;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<size_t>(c)] = kWordStart | kWord;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<size_t>(c)] = kWord | kDigit;
  table['_'] = kWordStart | kWord;
  table['.'] = kWord;
  table['-'] = kWord;
  return table;
}
inline constexpr std::array<uint8_t, 256> kClasses = make_classes();

[[nodiscard]] inline bool is(char c, uint8_t classes) {
  return (kClasses[static_cast<uint8_t>(c)] & classes) != 0;
}

}  // namespace lex

/// A cursor over HLO text. There is no token stream: the parser knows what may come next and asks
/// for it, so that each byte is looked at about once.
///
/// Every reading function returns false after recording a failure; the first failure is kept.
/// The byte at `end` must be readable and NUL.
class Lexer {
 public:
  struct Failure {
    const char* at = nullptr;
    std::string message;
    std::string hint;
  };

  /// Reads source[begin, end); `line` is the 1-based line of `begin`.
  Lexer(std::string_view source, size_t begin, size_t end, uint32_t line = 1)
      : base_(source.data()), p_(base_ + begin), end_(base_ + end), counted_(p_), line_(line) {}

  [[nodiscard]] const char* position() const { return p_; }
  void move_to(const char* position) { p_ = position; }
  [[nodiscard]] const char* end() const { return end_; }
  [[nodiscard]] uint32_t offset(const char* at) const { return static_cast<uint32_t>(at - base_); }
  [[nodiscard]] std::string_view since(const char* begin) const {
    return {begin, static_cast<size_t>(p_ - begin)};
  }
  /// 1-based line of `at`; cheapest when asked in ascending order.
  [[nodiscard]] uint32_t line_of(const char* at);

  /// Skips blanks and comments.
  void skip() {
    while (lex::is(*p_, lex::kBlank)) ++p_;
    if (*p_ == '/' || *p_ == '#') [[unlikely]] {
      skip_comments();
    }
  }
  /// Where the next token behind `p` begins; the position stays.
  [[nodiscard]] const char* token_behind(const char* p) {
    const char* const here = std::exchange(p_, p);
    skip();
    return std::exchange(p_, here);
  }
  [[nodiscard]] char peek() {
    skip();
    return *p_;
  }
  [[nodiscard]] bool at_end() {
    skip();
    return p_ >= end_;
  }
  [[nodiscard]] bool eat(char c) {
    skip();
    if (*p_ != c) return false;
    ++p_;
    return true;
  }
  /// Eats exactly this text, e.g. "->" or "<=".
  [[nodiscard]] bool eat(std::string_view text);
  /// `where` completes "expected ')' ...", e.g. "after the operands".
  [[nodiscard]] bool expect(char c, std::string_view where) {
    return eat(c) || fail_expected(std::string_view(&c, 1), where);
  }
  [[nodiscard]] bool expect(std::string_view text, std::string_view where) {
    return eat(text) || fail_expected(text, where);
  }
  [[nodiscard]] bool at_word() {
    skip();
    return lex::is(*p_, lex::kWordStart);
  }
  /// The word that starts here; at_word() must hold.
  [[nodiscard]] std::string_view take_word() {
    const char* const begin = p_;
    do ++p_;
    while (lex::is(*p_, lex::kWord));
    return since(begin);
  }
  /// The word that starts here, without moving; empty if there is none.
  [[nodiscard]] std::string_view peek_word();
  [[nodiscard]] bool eat_word(std::string_view word);
  /// A word with its "=" directly behind it (eaten too).
  [[nodiscard]] bool attribute_name(std::string_view& name, std::string_view what = "an attribute");
  /// `name=` when exactly this comes next.
  [[nodiscard]] bool eat_attribute(std::string_view name);

  [[nodiscard]] bool at_integer();
  [[nodiscard]] bool integer(int64_t& value, std::string_view what = "an integer");
  [[nodiscard]] bool integer_in(int64_t& value, int64_t low, int64_t high, std::string_view what);
  [[nodiscard]] bool boolean(bool& value);
  /// A decimal or integer, inf or nan.
  [[nodiscard]] bool number(double& value);
  /// `{1,2,3}`; a trailing comma only with `trailing_comma`. Appends.
  [[nodiscard]] bool integer_list(std::vector<int64_t>& values, bool trailing_comma = false);
  /// A quoted string, unescaped; new text is put in `arena`.
  [[nodiscard]] bool quoted(std::string_view& text, StringArena& arena,
                            std::string_view what = "a quoted string");
  /// Checks a quoted string and passes over it.
  [[nodiscard]] bool skip_quoted(std::string_view what = "a quoted string");
  /// `{ ... }` with balanced braces outside of double-quoted strings.
  [[nodiscard]] bool json_dict(std::string_view& text);

  bool fail(const char* at, std::string message, std::string hint = {});
  bool fail_here(std::string message, std::string hint = {}) {
    skip();
    return fail(p_, std::move(message), std::move(hint));
  }
  /// "expected X WHERE, found Y".
  bool fail_expected(std::string_view what, std::string_view where);
  [[nodiscard]] bool failed() const { return failure_.at != nullptr; }
  [[nodiscard]] const Failure& failure() const { return failure_; }

 private:
  void skip_comments();
  [[nodiscard]] bool starts_hash_comment() const;
  [[nodiscard]] bool scan_quoted(bool& escaped);
  [[nodiscard]] bool check_utf8(std::string_view text);
  [[nodiscard]] std::string found() const;

  const char* base_;
  const char* p_;
  const char* end_;
  const char* counted_;
  uint32_t line_;
  Failure failure_;
};

}  // namespace hloscope::hlo
