#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/svg.h"

namespace hloscope::cli {

/// Text of a file, for elements and attributes.
[[nodiscard]] inline std::string html(std::string_view text) {
  return analysis::svg::escaped(text);
}

/// A file beside the page as a relative address.
[[nodiscard]] std::string url_of(std::string_view file_name);

/// A table up to its first row.
[[nodiscard]] std::string html_head(std::string_view caption,
                                    const std::vector<std::string>& titles);
/// A row: its first cell is its header. Cells are text; those that are numbers stand at the right.
[[nodiscard]] std::string html_row(const std::vector<std::string>& cells);

/// A picture with its name; nothing where there is no picture.
[[nodiscard]] std::string html_figure(std::string_view title, std::string_view note,
                                      std::string_view svg);

}  // namespace hloscope::cli
