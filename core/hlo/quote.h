#pragma once

#include <string>
#include <string_view>

namespace hloscope::hlo {

/// C escapes as XLA prints them: \n \r \t \" \' \\, and three octal digits for every byte that is
/// not printable ASCII.
[[nodiscard]] std::string escaped(std::string_view text);
/// escaped() between double quotes.
[[nodiscard]] std::string quote(std::string_view text);

/// True when the whole text is one `{...}` with balanced braces outside of double-quoted strings:
/// such values stand in HLO text without quotes.
[[nodiscard]] bool is_braced(std::string_view text);
/// The text itself if is_braced(), else quote().
[[nodiscard]] std::string quote_or_brace(std::string_view text);

}  // namespace hloscope::hlo
