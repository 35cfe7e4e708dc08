#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace hloscope::ui {

/// A filter of table rows: words and comparisons, separated by blanks, that must all hold; "-" in
/// front negates one. A word that is no key is a part of the row's text.
class TermQuery {
 public:
  /// What a table knows; kept by nobody: parse() turns names into positions.
  struct Keys {
    std::span<const std::string_view> numbers;  ///< Compared with > < >= <= =.
    std::span<const std::string_view> words;    ///< Hold or do not.
    std::string_view help;                      ///< The hint of errors.
  };
  /// Error: kInvalidInput, with the column.
  [[nodiscard]] static Result<TermQuery> parse(std::string_view text, const Keys& keys);
  [[nodiscard]] bool is_empty() const { return terms_.empty(); }

  /// `number(i)`, NaN where there is none, which satisfies no comparison; `word(i)`; `text(part)`:
  /// whether the row's text has it.
  template <typename Number, typename Word, typename Text>
  [[nodiscard]] bool matches(const Number& number, const Word& word, const Text& text) const {
    return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
      const bool is_so = term.kind == Kind::kNumber ? compares(term, number(term.key))
                         : term.kind == Kind::kWord ? word(term.key)
                                                    : text(term.text);
      return is_so != term.negated;
    });
  }

 private:
  enum class Kind : uint8_t { kText, kWord, kNumber };
  enum class Relation : uint8_t { kGreater, kLess, kGreaterEqual, kLessEqual, kEqual };
  struct Term {
    Kind kind = Kind::kText;
    Relation relation = Relation::kEqual;
    bool negated = false;
    size_t key = 0;  ///< Position in Keys.
    double value = 0;
    std::string text;
  };
  [[nodiscard]] static Result<Term> parse_term(std::string_view word, size_t column,
                                               const Keys& keys);
  [[nodiscard]] static Status parse_comparison(std::string_view word, size_t sign, size_t column,
                                               const Keys& keys, Term& term);
  [[nodiscard]] static bool compares(const Term& term, double value);

  std::vector<Term> terms_;
};

}  // namespace hloscope::ui
