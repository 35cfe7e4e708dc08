#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/measured/csv.h"
#include "core/sim/tile.h"

namespace hloscope::data {

/// A row of measured times; see import_times().
struct TimesRow {
  size_t row = 0;       ///< Of the table.
  std::string program;  ///< As written.
  std::string kernel;
  std::optional<sim::Tile> tile;
  double time_ns = 0;
  bool is_default = false;
};

struct TimesTable {
  measured::CsvTable csv;
  size_t program_column = 0;
  std::optional<size_t> kernel_column;
  std::optional<size_t> tile_column;
  std::vector<TimesRow> rows;
  std::string device;           ///< Empty: no such column, or nothing in it.
  int64_t repeats = 1;          ///< The least of the column.
  std::vector<Error> warnings;  ///< Columns that are not read.
  [[nodiscard]] bool has_tiles() const;

  /// The error at a field of a row; at the program where there is no such column.
  [[nodiscard]] Error error_at(const TimesRow& row, std::optional<size_t> column,
                               std::string message, std::string hint) const;
};

/// Errors: those of measured::read_csv(); kInvalidInput with line and column.
[[nodiscard]] Result<TimesTable> read_times(const std::string& path);

}  // namespace hloscope::data
