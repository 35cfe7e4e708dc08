#include "core/analysis/kernel_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/analysis/kernel_columns.h"

namespace hloscope::analysis {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

/// `needle` is lower case already.
bool contains(std::string_view text, std::string_view needle) {
  const auto found = std::search(text.begin(), text.end(), needle.begin(), needle.end(),
                                 [](char a, char b) { return lower(a) == b; });
  return found != text.end() || needle.empty();
}

Error query_error(std::string_view text, size_t offset, std::string message, std::string hint) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(message);
  error.line = 1;
  error.column = static_cast<int>(offset) + 1;
  error.source_line = std::string(text);
  error.hint = std::move(hint);
  return error;
}

std::string number_keys() {
  std::string keys = "err";
  for (const KernelColumn& column : kernel_columns()) {
    if (column.is_number()) keys += ", " + column.key;
  }
  return keys;
}

std::string class_names() {
  std::string names;
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    if (i > 0) names += ", ";
    names += hlo::name(static_cast<hlo::OpClass>(i));
  }
  return names;
}

bool any_class_contains(std::string_view needle) {
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    if (contains(hlo::name(static_cast<hlo::OpClass>(i)), needle)) return true;
  }
  return false;
}

/// "1.5", "20k", "3G", with an optional "%", "us" or "µs" that only repeats the unit.
std::optional<double> parse_number(std::string_view text) {
  for (const std::string_view unit : {"%", "us", "µs"}) {
    if (text.ends_with(unit)) text.remove_suffix(unit.size());
  }
  double factor = 1;
  static constexpr std::string_view kPrefixes = "kMGT";
  const size_t prefix = text.empty() ? std::string_view::npos : kPrefixes.find(text.back());
  if (prefix != std::string_view::npos) {
    factor = std::pow(1000.0, static_cast<double>(prefix + 1));
    text.remove_suffix(1);
  }
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc() || end != text.data() + text.size()) return {};
  if (!std::isfinite(value)) return {};
  return value * factor;
}

bool is_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || c == '_';
  });
}

}  // namespace

Result<KernelQuery> KernelQuery::parse(std::string_view text) {
  KernelQuery query;
  size_t at = 0;
  while (true) {
    at = text.find_first_not_of(" \t", at);
    if (at == std::string_view::npos) return query;
    size_t end = at;
    bool quoted = false;
    for (; end < text.size() && (quoted || (text[end] != ' ' && text[end] != '\t')); ++end) {
      if (text[end] == '"') quoted = !quoted;
    }
    if (quoted) {
      return fail(query_error(text, text.find('"', at), "the quotation mark is not closed",
                              "add \" at the end of the phrase"));
    }
    HLOSCOPE_ASSIGN(Term term, parse_term(text, text.substr(at, end - at), at));
    query.terms_.push_back(std::move(term));
    at = end;
  }
}

Result<KernelQuery::Term> KernelQuery::parse_term(std::string_view text, std::string_view word,
                                                  size_t offset) {
  const bool negated = word.size() > 1 && word.front() == '-';
  if (negated) {
    word.remove_prefix(1);
    ++offset;
  }
  const size_t sign = word.find_first_of(":<>=\"");
  const char kind = sign == std::string_view::npos ? ' ' : word[sign];
  const bool has_key = is_key(word.substr(0, std::min(sign, word.size())));
  Result<Term> term = Term{};
  if (has_key && kind == ':') {
    term = text_term(text, word, offset);
  } else if (has_key && (kind == '<' || kind == '>' || kind == '=')) {
    term = number_term(text, word, offset);
  } else {
    term->text = lowered(word);
    std::erase(term->text, '"');
  }
  if (term) term->negated = negated;
  return term;
}

Result<KernelQuery::Term> KernelQuery::text_term(std::string_view text, std::string_view word,
                                                 size_t offset) {
  static constexpr std::pair<std::string_view, Field> kFields[] = {
      {"name", Field::kName},   {"class", Field::kClass}, {"opcode", Field::kOpcode},
      {"shape", Field::kShape}, {"bound", Field::kBound}, {"tile", Field::kTile}};
  const size_t colon = word.find(':');
  const std::string key = lowered(word.substr(0, colon));
  const auto* found = std::find_if(std::begin(kFields), std::end(kFields),
                                   [&key](const auto& field) { return field.first == key; });
  if (found == std::end(kFields)) {
    return fail(query_error(text, offset, fmt::format("'{}:' is not a key of the filter", key),
                            "text keys are name, class, opcode, shape, bound, tile"));
  }
  Term term;
  term.field = found->second;
  term.text = lowered(word.substr(colon + 1));
  std::erase(term.text, '"');
  if (term.text.empty()) {
    return fail(query_error(text, offset + colon, fmt::format("nothing follows '{}:'", key),
                            fmt::format("write for example {}:con", key)));
  }
  if (term.field == Field::kClass && !any_class_contains(term.text)) {
    return fail(query_error(text, offset + colon + 1,
                            fmt::format("no class contains '{}'", term.text),
                            "classes are " + class_names()));
  }
  return term;
}

Result<KernelQuery::Term> KernelQuery::number_term(std::string_view text, std::string_view word,
                                                   size_t offset) {
  const size_t sign = word.find_first_of("<>=");
  const std::string key = lowered(word.substr(0, sign));
  const std::optional<size_t> column = column_by_key(key);
  if (!column || !kernel_columns()[*column].is_number()) {
    return fail(query_error(text, offset,
                            fmt::format("'{}' is not a number that can be compared", key),
                            "number keys are " + number_keys()));
  }
  const bool or_equal = sign + 1 < word.size() && word[sign + 1] == '=';
  Term term;
  term.field = Field::kNumber;
  switch (word[sign]) {
    case '<':
      term.relation = or_equal ? Relation::kLessEqual : Relation::kLess;
      break;
    case '>':
      term.relation = or_equal ? Relation::kGreaterEqual : Relation::kGreater;
      break;
    default:
      term.relation = Relation::kEqual;
  }
  const std::string_view digits = word.substr(sign + (or_equal ? 2 : 1));
  const std::optional<double> value = parse_number(digits);
  if (!value) {
    return fail(query_error(text, offset + word.size() - digits.size(),
                            fmt::format("expected a number after '{}'", word.substr(0, sign + 1)),
                            "write for example " + key + ">5"));
  }
  term.column = *column;
  term.absolute = kernel_columns()[*column].kind == ColumnKind::kError;
  term.value = *value * kernel_columns()[*column].filter_unit;
  return term;
}

bool KernelQuery::has_keys() const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const Term& term) { return term.field != Field::kAny; });
}

bool KernelQuery::matches(const KernelFacts& facts) const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [&facts](const Term& term) { return holds(term, facts) != term.negated; });
}

bool KernelQuery::holds(const Term& term, const KernelFacts& facts) {
  switch (term.field) {
    case Field::kAny:
      return contains(facts.name, term.text) || contains(facts.label, term.text) ||
             contains(hlo::name(facts.opcode), term.text);
    case Field::kName:
      return contains(facts.name, term.text);
    case Field::kClass:
      return contains(hlo::name(facts.op_class), term.text);
    case Field::kOpcode:
      return contains(hlo::name(facts.opcode), term.text);
    case Field::kShape:
      return contains(facts.shape, term.text);
    case Field::kBound:
      return contains(facts.bound, term.text);
    case Field::kTile:
      return contains(facts.tile, term.text);
    case Field::kNumber:
      return number_holds(term, facts);
  }
  return false;
}

bool KernelQuery::number_holds(const Term& term, const KernelFacts& facts) {
  double value = facts.number ? facts.number(term.column) : NAN;
  if (term.absolute) value = std::abs(value);
  switch (term.relation) {
    case Relation::kGreater:
      return value > term.value;
    case Relation::kLess:
      return value < term.value;
    case Relation::kGreaterEqual:
      return value >= term.value;
    case Relation::kLessEqual:
      return value <= term.value;
    default:
      return value == term.value;
  }
}

}  // namespace hloscope::analysis
