#include "core/analysis/kernel_export.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace hloscope::analysis {
namespace {

std::string replaced(std::string_view text, char from, std::string_view to) {
  std::string out;
  for (char c : text) {
    if (c == from) {
      out += to;
    } else {
      out += c;
    }
  }
  return out;
}

std::string cell(const KernelTable& table, uint32_t row, size_t column, TableFormat format) {
  if (!kernel_columns()[column].is_number()) return quoted_cell(table.text(row, column), format);
  const double value = table.number(row, column);
  return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

}  // namespace

std::string quoted_cell(std::string_view text, TableFormat format) {
  switch (format) {
    case TableFormat::kCsv:
      if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
      return '"' + replaced(text, '"', "\"\"") + '"';
    case TableFormat::kTsv:
      return replaced(replaced(text, '\t', " "), '\n', " ");
    case TableFormat::kMarkdown:
      return replaced(replaced(text, '|', "\\|"), '\n', " ");
  }
  return {};
}

std::string table_line(std::span<const std::string> cells, TableFormat format) {
  const bool markdown = format == TableFormat::kMarkdown;
  const std::string_view separator = markdown ? " | " : format == TableFormat::kTsv ? "\t" : ",";
  const std::string line = fmt::format("{}", fmt::join(cells, separator));
  return markdown ? "| " + line + " |\n" : line + "\n";
}

std::string header_rule(std::span<const bool> right_aligned, TableFormat format) {
  if (format != TableFormat::kMarkdown) return {};
  std::vector<std::string> cells;
  for (bool right : right_aligned) cells.emplace_back(right ? "---:" : ":---");
  return table_line(cells, format);
}

std::string export_rows(const KernelTable& table, std::span<const uint32_t> rows,
                        std::span<const size_t> columns, TableFormat format) {
  std::vector<std::string> cells;
  const auto right = std::make_unique<bool[]>(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    cells.push_back(kernel_columns()[columns[i]].csv_name);
    right[i] = kernel_columns()[columns[i]].is_number();
  }
  std::string out = table_line(cells, format);
  out += header_rule({right.get(), columns.size()}, format);
  for (uint32_t row : rows) {
    for (size_t i = 0; i < columns.size(); ++i) cells[i] = cell(table, row, columns[i], format);
    out += table_line(cells, format);
  }
  return out;
}

}  // namespace hloscope::analysis
