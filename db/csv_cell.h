#pragma once

#include <string>
#include <string_view>

namespace hloscope::db {

/// A cell of CSV, quoted where it must be.
[[nodiscard]] inline std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace hloscope::db
