#include "ui/models/trial_query.h"

#include <array>
#include <charconv>
#include <limits>

namespace hloscope::ui {
namespace {

constexpr const char* kHelp =
    "Numbers: trial, predicted, measured, speedup, error, changed, order with < > <= >= =; words: "
    "accepted, rejected, failed, measured, or a part of the configuration";

tl::unexpected<Error> wrong(const std::string& message, size_t column) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = message;
  error.column = static_cast<int>(column) + 1;
  error.hint = kHelp;
  return fail(std::move(error));
}

}  // namespace

Result<TrialQuery> TrialQuery::parse(std::string_view text) {
  TrialQuery query;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const size_t end = std::min(text.find(' ', at), text.size());
    HLOSCOPE_ASSIGN(Term term, parse_term(text.substr(at, end - at), at));
    query.terms_.push_back(std::move(term));
    at = end;
  }
  return query;
}

Result<TrialQuery::Term> TrialQuery::parse_term(std::string_view word, size_t column) {
  Term term;
  if (word.size() > 1 && word.front() == '-') {
    term.negated = true;
    word.remove_prefix(1);
  }
  if (word == "accepted" || word == "rejected") {
    term.field = Field::kAccepted;
    term.negated = term.negated != (word == "rejected");
    return term;
  }
  if (word == "failed") return term.field = Field::kFailed, term;
  if (word == "measured") return term.field = Field::kIsMeasured, term;
  static constexpr std::array<std::pair<std::string_view, Field>, 7> keys = {{
      {"trial", Field::kTrial},
      {"predicted", Field::kPredicted},
      {"measured", Field::kMeasured},
      {"speedup", Field::kSpeedup},
      {"error", Field::kError},
      {"changed", Field::kChanged},
      {"order", Field::kOrder},
  }};
  const size_t sign = word.find_first_of("<>=");
  const std::string_view key = word.substr(0, sign);
  for (const auto& [name, field] : keys) {
    if (sign != std::string_view::npos && key == name) term.field = field;
  }
  if (term.field == Field::kText) {
    // A tile holds such signs itself.
    if (word.find_first_of("<>") != std::string_view::npos) {
      return wrong("There is no number named " + std::string(key), column);
    }
    return term.text = std::string(word), term;
  }
  std::string_view value = word.substr(sign);
  const bool or_equal = value.size() > 1 && value[1] == '=';
  term.relation = value[0] == '<'   ? (or_equal ? Relation::kLessEqual : Relation::kLess)
                  : value[0] == '>' ? (or_equal ? Relation::kGreaterEqual : Relation::kGreater)
                                    : Relation::kEqual;
  value.remove_prefix(or_equal ? 2 : 1);
  const auto parsed = std::from_chars(value.data(), value.data() + value.size(), term.value);
  if (parsed.ec != std::errc() || parsed.ptr != value.data() + value.size()) {
    return wrong(
        std::string(key) + " is compared with a number, not with \"" + std::string(value) + "\"",
        column);
  }
  return term;
}

bool TrialQuery::matches(const TrialColumns& trials, size_t trial, double baseline_ns) const {
  for (const Term& term : terms_) {
    if (holds(term, trials, trial, baseline_ns) == term.negated) return false;
  }
  return true;
}

bool TrialQuery::holds(const Term& term, const TrialColumns& trials, size_t trial,
                       double baseline_ns) {
  double value = std::numeric_limits<double>::quiet_NaN();
  switch (term.field) {
    case Field::kText:
      return trials.config[trial].find(term.text) != std::string::npos;
    case Field::kAccepted:
      return trials.accepted[trial] != 0;
    case Field::kFailed:
      return std::isnan(trials.result_ns(trial));
    case Field::kIsMeasured:
      return trials.measured_as[trial] > 0;
    case Field::kTrial:
      value = static_cast<double>(trial);
      break;
    case Field::kPredicted:
      value = trials.predicted_ns[trial] / 1e3;
      break;
    case Field::kMeasured:
      value = trials.hardware_ns[trial] / 1e3;
      break;
    case Field::kSpeedup:
      value = baseline_ns / trials.result_ns(trial);
      break;
    case Field::kError:
      value = std::abs(trials.error(trial)) * 100;
      break;
    case Field::kChanged:
      value = trials.changed[trial];
      break;
    case Field::kOrder:
      if (trials.measured_as[trial] > 0) value = trials.measured_as[trial];
      break;
  }
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
