#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace hloscope::cli {

/// `value` as JSON. Bytes that are not UTF-8 (file names, damaged text in a message) become U+FFFD,
/// so the output can always be parsed. `indent` -1: on one line.
[[nodiscard]] inline std::string json_text(const nlohmann::ordered_json& value, int indent = 2) {
  return value.dump(indent, ' ', /*ensure_ascii=*/false,
                    nlohmann::ordered_json::error_handler_t::replace);
}

[[nodiscard]] inline nlohmann::ordered_json or_null(const std::optional<double>& value) {
  if (!value) return nullptr;
  return *value;
}

}  // namespace hloscope::cli
