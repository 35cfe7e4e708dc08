#pragma once

#include <string_view>

#include "ui/models/term_query.h"
#include "ui/models/tune_columns.h"

namespace hloscope::ui {

/// The filter of trial tables, parsed once:
///
///     measured<150 error>5 accepted -failed out=12
///
/// A TermQuery of the numbers trial, predicted, measured (µs), speedup, error (%, without its
/// sign), changed, order, and the words accepted, rejected, failed, measured, refined, or a part of
/// the configuration.
class TrialQuery {
 public:
  /// Error: kInvalidInput, with the column.
  [[nodiscard]] static Result<TrialQuery> parse(std::string_view text);
  [[nodiscard]] bool is_empty() const { return query_.is_empty(); }
  [[nodiscard]] bool matches(const TrialColumns& trials, size_t trial, double baseline_ns) const;

 private:
  TermQuery query_;
};

}  // namespace hloscope::ui
