#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace hloscope::cli {

/// Flat JSON objects as CSV (RFC 4180): a column per key of the first row, numbers as in the JSON,
/// null as an empty cell. Arrays and objects are left out. Empty without rows.
[[nodiscard]] std::string json_rows_csv(const nlohmann::ordered_json& rows, bool with_header);

}  // namespace hloscope::cli
