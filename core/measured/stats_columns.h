#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/measured/stats_table.h"

namespace hloscope::measured {

/// What is read of a row of op statistics.
enum class StatsField : uint8_t {
  kProgram,
  kCategory,
  kName,
  kExpression,
  kOccurrences,
  kAvgSelfTime,
  kTotalSelfTime,
  kAvgTime,
  kTotalTime,
};
inline constexpr size_t kStatsFieldCount = 9;

/// Where a field stands in a table.
struct StatsColumn {
  size_t index = 0;
  double to_ns = 1;  ///< Of times: what a number in the column's unit is multiplied by.
};

/// The columns of a table by field; empty where the table has none.
struct StatsColumns {
  std::array<std::optional<StatsColumn>, kStatsFieldCount> of_field;

  [[nodiscard]] const std::optional<StatsColumn>& operator[](StatsField field) const {
    return of_field[static_cast<size_t>(field)];
  }
  /// The column that times are taken from: mean self time, else total self time, else mean time,
  /// else total time (totals are divided by the occurrences).
  [[nodiscard]] std::optional<StatsField> time_field() const;
};

/// Finds the columns by their names. Case, spaces, underscores and punctuation do not count; the
/// unit may stand behind the name, as "(us)" or "_us" (ps, ns, us, µs, ms, s; µs where it is not
/// given, as in the ids of XProf). Error: kInvalidInput where the name, the occurrences or every
/// time is missing; it says what was looked for and what the table has.
[[nodiscard]] Result<StatsColumns> find_columns(const StatsTable& table);

}  // namespace hloscope::measured
