#include "core/measured/stats_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hloscope::measured {

namespace {

using Json = nlohmann::json;

constexpr const char* kTableHint =
    "a table of XProf is {\"cols\": [{\"id\", \"label\", \"type\"}], \"rows\": [{\"c\": "
    "[{\"v\"}]}]}";

Error error_in(const std::string& file, std::string message, std::string hint) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = std::move(message);
  error.file = file;
  error.hint = std::move(hint);
  return error;
}

// The library tells where a text ends to be JSON by exception only.
Result<Json> parse_json(std::string_view text, const std::string& file) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& problem) {
    Error error = error_in(file, "the table is not valid JSON",
                           "the file may be cut off: export it from XProf again");
    const auto* place = dynamic_cast<const Json::parse_error*>(&problem);
    if (place == nullptr) return fail(error);
    const std::string_view before = text.substr(0, place->byte > 0 ? place->byte - 1 : 0);
    error.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    const size_t line_start = before.rfind('\n') + 1;  // 0 without a line end: npos + 1.
    error.column = 1 + static_cast<int>(before.size() - line_start);
    return fail(error);
  }
}

std::string text_at(const Json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return {};
  return found->get<std::string>();
}

// {"v": 1.5} -> "1.5"; null and {} -> "".
std::string cell_text(const Json& cell) {
  const auto value = cell.is_object() ? cell.find("v") : cell.end();
  if (value == cell.end() || value->is_null()) return {};
  if (value->is_string()) return value->get<std::string>();
  if (value->is_number_float()) return fmt::format("{}", value->get<double>());
  return value->dump();
}

const Json* array_at(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || !found->is_array() ? nullptr : &*found;
}

Result<StatsTable> table_of(const Json& json, const std::string& file) {
  const Json* columns = array_at(json, "cols");
  const Json* rows = array_at(json, "rows");
  if (columns == nullptr || rows == nullptr) {
    return fail(
        error_in(file, "the JSON is no table: it has no \"cols\" and \"rows\"", kTableHint));
  }
  StatsTable table{file, {}, {}};
  for (const Json& column : *columns) {
    std::vector<std::string>& names = table.columns.emplace_back();
    for (const char* key : {"id", "label"}) {
      if (std::string name = text_at(column, key); !name.empty()) names.push_back(std::move(name));
    }
  }
  table.rows.reserve(rows->size());
  for (const Json& row : *rows) {
    const size_t number = table.rows.size() + 1;
    const Json* cells = array_at(row, "c");
    if (cells == nullptr) {
      return fail(
          error_in(file, fmt::format("row {} has no list \"c\" of cells", number), kTableHint));
    }
    if (cells->size() != table.columns.size()) {
      return fail(error_in(file,
                           fmt::format("row {} has {} cells, but there are {} columns", number,
                                       cells->size(), table.columns.size()),
                           kTableHint));
    }
    std::vector<CsvField>& fields = table.rows.emplace_back();
    for (const Json& cell : *cells) fields.push_back({cell_text(cell), 0, 0});
  }
  return table;
}

}  // namespace

bool begins_as_json(std::string_view text) {
  const size_t at = text.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && (text[at] == '{' || text[at] == '[');
}

Result<std::vector<StatsTable>> parse_data_tables(std::string_view text, const std::string& file) {
  HLOSCOPE_ASSIGN(const Json json, parse_json(text, file));
  std::vector<StatsTable> tables;
  if (json.is_array()) {
    for (const Json& one : json) {
      HLOSCOPE_ASSIGN(StatsTable table, table_of(one, file));
      tables.push_back(std::move(table));
    }
  } else {
    HLOSCOPE_ASSIGN(StatsTable table, table_of(json, file));
    tables.push_back(std::move(table));
  }
  if (tables.empty()) return fail(error_in(file, "the JSON holds no table", kTableHint));
  return tables;
}

Result<StatsTable> parse_stats_csv(std::string_view text, const std::string& file) {
  HLOSCOPE_ASSIGN(CsvTable csv, parse_csv(text, file));
  StatsTable table{file, {}, std::move(csv.rows)};
  for (CsvField& name : csv.header) table.columns.push_back({std::move(name.text)});
  return table;
}

Error cell_error(const StatsTable& table, size_t row, size_t column, std::string message,
                 std::string hint) {
  const CsvField& cell = table.rows[row][column];
  Error error = error_in(table.file, std::move(message), std::move(hint));
  error.line = cell.line;
  error.column = cell.column;
  if (cell.line > 0) return error;
  const auto& names = table.columns[column];
  error.message =
      fmt::format("row {}, {}: {}", row + 1, names.empty() ? "?" : names.back(), error.message);
  return error;
}

}  // namespace hloscope::measured
