#pragma once

#include <string>
#include <string_view>

namespace hloscope::hlo {

/// Undoes C escapes (\n \t \r \a \b \f \v \\ \' \" \?, octal, \xHH, \uXXXX, \UXXXXXXXX).
/// Returns the index of the first bad escape, or npos after writing `out`.
[[nodiscard]] size_t unescape(std::string_view text, std::string& out);

/// Index of the first byte that is not valid UTF-8, or npos.
[[nodiscard]] size_t find_bad_utf8(std::string_view text);

}  // namespace hloscope::hlo
