#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/measured/csv.h"

namespace hloscope::measured {

/// A table as XProf exports it, from JSON or CSV, every cell as text. Cells of JSON have no line:
/// messages name their row instead.
struct StatsTable {
  std::string file;
  /// The names of each column: id and label in JSON (an empty one is left out), one name in CSV.
  std::vector<std::vector<std::string>> columns;
  std::vector<std::vector<CsvField>> rows;  ///< Each as long as `columns`.
};

/// Whether the text begins as JSON does.
[[nodiscard]] bool begins_as_json(std::string_view text);

/// The DataTable of Google Charts, `{"cols": [{"id", "label", "type"}], "rows": [{"c": [{"v"}]}]}`,
/// or an array of them. Cells that are null or absent are empty. Errors: kInvalidInput with the
/// line of broken JSON, or the number of a row that has more or fewer cells than there are columns.
[[nodiscard]] Result<std::vector<StatsTable>> parse_data_tables(std::string_view text,
                                                                const std::string& file);
/// Errors: those of parse_csv().
[[nodiscard]] Result<StatsTable> parse_stats_csv(std::string_view text, const std::string& file);

/// kInvalidInput at a cell: by line and column, or "row 3, Occurrences: ..." where it has no line.
[[nodiscard]] Error cell_error(const StatsTable& table, size_t row, size_t column,
                               std::string message, std::string hint);

}  // namespace hloscope::measured
