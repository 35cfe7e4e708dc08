#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hloscope::hlo {

/// A stretch of a text file that holds modules of its own.
struct TextPart {
  size_t begin = 0;
  size_t end = 0;
  std::string_view name;  ///< Of `*** Begin NAME ***`; empty otherwise.
};

/// Splits HLO text at lines `// -----` and, in logs, at `*** Begin NAME ***` and `*** End`; what
/// lies outside of such a pair is left out. Changes `text` without moving anything: log prefixes
/// (`I0521 12:04:45.883 ... file.cc:12] `) become blanks, and a NUL ends each part.
[[nodiscard]] std::vector<TextPart> split_text(std::string& text);

}  // namespace hloscope::hlo
