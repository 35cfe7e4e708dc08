#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "ui/models/tune_columns.h"

namespace hloscope::ui {

/// The filter of trial tables, parsed once:
///
///     measured<150 error>5 accepted -failed out=12
///
/// Terms are separated by blanks and must all hold; "-" in front negates one. Number keys (> < >=
/// <= =): trial, predicted, measured (µs), speedup, error (%, without its sign), changed, order. A
/// missing value satisfies no comparison. Words: accepted, rejected, failed, measured, or a part of
/// the configuration.
class TrialQuery {
 public:
  /// Error: kInvalidInput, with the column.
  [[nodiscard]] static Result<TrialQuery> parse(std::string_view text);
  [[nodiscard]] bool is_empty() const { return terms_.empty(); }
  [[nodiscard]] bool matches(const TrialColumns& trials, size_t trial, double baseline_ns) const;

 private:
  enum class Field : uint8_t {
    kText,
    kAccepted,
    kFailed,
    kIsMeasured,
    kTrial,
    kPredicted,
    kMeasured,
    kSpeedup,
    kError,
    kChanged,
    kOrder,
  };
  enum class Relation : uint8_t { kGreater, kLess, kGreaterEqual, kLessEqual, kEqual };
  struct Term {
    Field field = Field::kText;
    Relation relation = Relation::kEqual;
    bool negated = false;
    double value = 0;
    std::string text;
  };
  [[nodiscard]] static Result<Term> parse_term(std::string_view word, size_t column);
  [[nodiscard]] static bool holds(const Term& term, const TrialColumns& trials, size_t trial,
                                  double baseline_ns);

  std::vector<Term> terms_;
};

}  // namespace hloscope::ui
