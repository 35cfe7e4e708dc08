#pragma once

#include <string>
#include <string_view>

namespace hloscope::cli {

/// The document around `body`, with the style sheet (light and dark) and the script of the tables.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

}  // namespace hloscope::cli
