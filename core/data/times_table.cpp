#include "core/data/times_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace hloscope::data {

namespace {

using measured::CsvField;

enum Column : size_t { kProgram, kTime, kKernel, kTile, kDevice, kIsDefault, kRepeats };
constexpr std::array<std::string_view, 7> kNames{"program", "time_ns",    "kernel", "tile",
                                                 "device",  "is_default", "repeats"};
constexpr size_t kNeeded = 2;

class TimesReader {
 public:
  explicit TimesReader(measured::CsvTable csv) { out_.csv = std::move(csv); }

  Result<TimesTable> read() {
    HLOSCOPE_TRY(find_columns());
    if (out_.csv.rows.empty()) {
      Error error;
      error.code = ErrorCode::kInvalidInput;
      error.file = out_.csv.file;
      error.message = "has a header line, but no rows";
      return fail(std::move(error));
    }
    for (size_t i = 0; i < out_.csv.rows.size(); ++i) HLOSCOPE_TRY(read_row(i));
    out_.repeats = repeats_.value_or(1);
    return std::move(out_);
  }

 private:
  Status find_columns() {
    std::set<std::string_view> seen;
    for (size_t i = 0; i < out_.csv.header.size(); ++i) {
      const CsvField& field = out_.csv.header[i];
      const auto at = std::find(kNames.begin(), kNames.end(), field.text);
      if (at == kNames.end()) {
        out_.warnings.push_back(measured::field_error(
            out_.csv, field, fmt::format("column '{}' is not read", field.text), {}));
        continue;
      }
      if (!seen.insert(field.text).second) {
        return fail(measured::field_error(out_.csv, field,
                                          fmt::format("column '{}' stands twice", field.text),
                                          "leave one of them out"));
      }
      columns_[static_cast<size_t>(at - kNames.begin())] = i;
    }
    for (size_t c = 0; c < kNeeded; ++c) {
      HLOSCOPE_TRY(measured::column_of(out_.csv, kNames[c]));
    }
    out_.program_column = *columns_[kProgram];
    out_.kernel_column = columns_[kKernel];
    out_.tile_column = columns_[kTile];
    return {};
  }

  // The field of a row; null without the column, or where nothing stands in it.
  const CsvField* field(size_t row, Column column) const {
    if (!columns_[column]) return nullptr;
    const CsvField& out = out_.csv.rows[row][*columns_[column]];
    return out.text.empty() ? nullptr : &out;
  }

  Status read_row(size_t i) {
    TimesRow row;
    row.row = i;
    row.program = out_.csv.rows[i][*columns_[kProgram]].text;
    if (row.program.empty()) {
      return fail(out_.error_at(row, columns_[kProgram], "program is empty",
                                "name an HLO file, from the folder of this one"));
    }
    if (const CsvField* kernel = field(i, kKernel)) row.kernel = kernel->text;
    const CsvField& time = out_.csv.rows[i][*columns_[kTime]];
    HLOSCOPE_ASSIGN(row.time_ns, measured::positive_at(out_.csv, time, "time_ns"));
    HLOSCOPE_TRY(read_tile(row));
    HLOSCOPE_TRY(read_default(row));
    HLOSCOPE_TRY(read_whole_file_columns(i));
    out_.rows.push_back(std::move(row));
    return {};
  }

  Status read_tile(TimesRow& row) {
    const CsvField* tile = field(row.row, kTile);
    if (tile == nullptr) return {};
    auto parsed = sim::parse_tile(tile->text);
    if (!parsed) {
      return fail(
          measured::field_error(out_.csv, *tile, parsed.error().message, parsed.error().hint));
    }
    row.tile = std::move(*parsed);
    return {};
  }

  Status read_default(TimesRow& row) {
    const CsvField* text = field(row.row, kIsDefault);
    if (text == nullptr) return {};
    row.is_default = text->text == "1" || text->text == "true";
    if (row.is_default || text->text == "0" || text->text == "false") return {};
    return fail(measured::field_error(
        out_.csv, *text, fmt::format("is_default is '{}'", text->text), "write 0 or 1"));
  }

  Status read_whole_file_columns(size_t i) {
    if (const CsvField* device = field(i, kDevice)) {
      if (out_.device.empty()) out_.device = device->text;
      if (device->text != out_.device) {
        return fail(measured::field_error(
            out_.csv, *device,
            fmt::format("device is '{}', in rows before it is '{}'", device->text, out_.device),
            "one data set has the times of one device: make a file of each"));
      }
    }
    if (const CsvField* repeats = field(i, kRepeats)) {
      HLOSCOPE_ASSIGN(const int64_t count, measured::integer_at(out_.csv, *repeats, "repeats", 1));
      repeats_ = std::min(repeats_.value_or(count), count);
    }
    return {};
  }

  TimesTable out_;
  std::array<std::optional<size_t>, kNames.size()> columns_;
  std::optional<int64_t> repeats_;
};

}  // namespace

bool TimesTable::has_tiles() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const TimesRow& row) { return row.tile.has_value(); });
}

Error TimesTable::error_at(const TimesRow& row, std::optional<size_t> column, std::string message,
                           std::string hint) const {
  return measured::field_error(csv, csv.rows[row.row][column.value_or(program_column)],
                               std::move(message), std::move(hint));
}

Result<TimesTable> read_times(const std::string& path) {
  HLOSCOPE_ASSIGN(measured::CsvTable csv, measured::read_csv(path));
  return TimesReader(std::move(csv)).read();
}

}  // namespace hloscope::data
