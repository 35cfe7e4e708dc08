#include "app/cli/json_rows.h"

#include "app/cli/json_text.h"
#include "app/cli/text_table.h"

namespace hloscope::cli {

std::string json_rows_csv(const nlohmann::ordered_json& rows, bool with_header) {
  if (rows.empty()) return {};
  std::vector<TextTable::Column> columns;
  for (const auto& [key, value] : rows.front().items()) {
    if (!value.is_structured()) columns.push_back({key});
  }
  TextTable table(columns);
  for (const auto& row : rows) {
    std::vector<std::string> cells;
    for (const TextTable::Column& column : columns) {
      const auto& value = row.at(column.title);
      const bool plain = value.is_string();
      cells.push_back(value.is_null() ? std::string()
                      : plain         ? value.get<std::string>()
                                      : json_text(value, -1));
    }
    table.add_row(std::move(cells));
  }
  const std::string csv = table.csv();
  return with_header ? csv : csv.substr(csv.find('\n') + 1);
}

}  // namespace hloscope::cli
