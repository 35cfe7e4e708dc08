#include "ui/models/term_query.h"

#include <charconv>
#include <optional>

namespace hloscope::ui {
namespace {

tl::unexpected<Error> wrong(std::string message, size_t column, std::string_view help) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(message);
  error.column = static_cast<int>(column) + 1;
  error.hint = help;
  return fail(std::move(error));
}

std::optional<size_t> position(std::span<const std::string_view> names, std::string_view name) {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return std::nullopt;
  return static_cast<size_t>(it - names.begin());
}

}  // namespace

Result<TermQuery> TermQuery::parse(std::string_view text, const Keys& keys) {
  TermQuery query;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const size_t end = std::min(text.find(' ', at), text.size());
    HLOSCOPE_ASSIGN(Term term, parse_term(text.substr(at, end - at), at, keys));
    query.terms_.push_back(std::move(term));
    at = end;
  }
  return query;
}

Result<TermQuery::Term> TermQuery::parse_term(std::string_view word, size_t column,
                                              const Keys& keys) {
  Term term;
  if (word.size() > 1 && word.front() == '-') {
    term.negated = true;
    word.remove_prefix(1);
  }
  if (const auto key = position(keys.words, word)) {
    term.kind = Kind::kWord;
    term.key = *key;
    return term;
  }
  const size_t sign = word.find_first_of("<>=");
  const auto number = position(keys.numbers, word.substr(0, sign));
  if (sign != std::string_view::npos && number) {
    term.key = *number;
    HLOSCOPE_TRY(parse_comparison(word, sign, column, keys, term));
    return term;
  }
  // A tile holds "=" itself.
  if (word.find_first_of("<>") != std::string_view::npos) {
    return wrong("there is no number named " + std::string(word.substr(0, sign)), column,
                 keys.help);
  }
  term.text = word;
  return term;
}

Status TermQuery::parse_comparison(std::string_view word, size_t sign, size_t column,
                                   const Keys& keys, Term& term) {
  std::string_view value = word.substr(sign);
  const bool or_equal = value.size() > 1 && value[1] == '=';
  term.kind = Kind::kNumber;
  term.relation = value[0] == '<'   ? (or_equal ? Relation::kLessEqual : Relation::kLess)
                  : value[0] == '>' ? (or_equal ? Relation::kGreaterEqual : Relation::kGreater)
                                    : Relation::kEqual;
  value.remove_prefix(or_equal ? 2 : 1);
  const char* end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, term.value);
  if (parsed.ec == std::errc() && parsed.ptr == end) return {};
  return wrong(std::string(word.substr(0, sign)) + " is compared with a number, not with \"" +
                   std::string(value) + "\"",
               column, keys.help);
}

bool TermQuery::compares(const Term& term, double value) {
  switch (term.relation) {
    case Relation::kGreater:
      return value > term.value;
    case Relation::kLess:
      return value < term.value;
    case Relation::kGreaterEqual:
      return value >= term.value;
    case Relation::kLessEqual:
      return value <= term.value;
    case Relation::kEqual:
      return value == term.value;
  }
  return false;
}

}  // namespace hloscope::ui
