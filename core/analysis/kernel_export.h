#pragma once

#include <span>
#include <string>

#include "core/analysis/kernel_table.h"

namespace hloscope::analysis {

enum class TableFormat : uint8_t { kCsv, kTsv, kMarkdown };

/// The given rows and columns (positions in kernel_columns()) as text with a header line. Numbers
/// are SI values in full precision ("measured_ns"); a missing value is an empty cell.
[[nodiscard]] std::string export_rows(const KernelTable& table, std::span<const uint32_t> rows,
                                      std::span<const size_t> columns, TableFormat format);

/// One cell, quoted as the format needs it.
[[nodiscard]] std::string quoted_cell(std::string_view text, TableFormat format);
/// Joins cells that are quoted already to one line with its end.
[[nodiscard]] std::string table_line(std::span<const std::string> cells, TableFormat format);
/// The line between header and rows: Markdown only, else empty.
[[nodiscard]] std::string header_rule(std::span<const bool> right_aligned, TableFormat format);

}  // namespace hloscope::analysis
