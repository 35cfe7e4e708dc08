#pragma once

#include <string>
#include <string_view>

namespace hloscope::cli {

/// A name or record out of a file, to be shown: control characters, which a terminal would obey,
/// become C escapes (\n \r \t, three octal digits for others). Not for CSV and JSON.
[[nodiscard]] std::string printable(std::string_view text);

/// The same of each line: line ends stay.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace hloscope::cli
