#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace hloscope::measured {

struct CsvField {
  std::string text;  ///< Without the quotes.
  int column = 0;    ///< 1-based byte column of its first byte.
  int line = 0;      ///< 1-based.
};

/// Comma-separated values as in RFC 4180: a field in quotes may hold commas, line ends and doubled
/// quotes. The first line names the columns. Blank lines are skipped.
struct CsvTable {
  std::string file;
  std::vector<CsvField> header;
  std::vector<std::vector<CsvField>> rows;  ///< Each as long as the header.
};

/// `file` stands in messages. Errors: kInvalidInput with line and column (unclosed quote, text
/// after a quote, a row with too many or too few fields, no header).
[[nodiscard]] Result<CsvTable> parse_csv(std::string_view text, std::string file);
/// Also the errors of read_file_bytes().
[[nodiscard]] Result<CsvTable> read_csv(const std::string& path);

/// Index of a column by its name. Error: kInvalidInput listing the columns that there are.
[[nodiscard]] Result<size_t> column_of(const CsvTable& table, std::string_view name);

/// kInvalidInput at a field.
[[nodiscard]] Error field_error(const CsvTable& table, const CsvField& field, std::string message,
                                std::string hint);

/// A whole number, at least `least`. `name` stands in the message.
[[nodiscard]] Result<int64_t> integer_at(const CsvTable& table, const CsvField& field,
                                         std::string_view name, int64_t least);
/// A finite number above zero.
[[nodiscard]] Result<double> positive_at(const CsvTable& table, const CsvField& field,
                                         std::string_view name);
/// Whole numbers of at least 1 joined by "x" ("2x26x4x2"); empty for an empty field.
[[nodiscard]] Result<std::vector<int64_t>> extents_at(const CsvTable& table, const CsvField& field,
                                                      std::string_view name);

/// The whole of `text` as a number, else nothing.
[[nodiscard]] std::optional<int64_t> whole_number(std::string_view text);

}  // namespace hloscope::measured
