#pragma once

#include <CLI/CLI.hpp>

namespace hloscope::cli {

/// For options that are uint64_t: by itself CLI11 takes -5 for 18446744073709551611, and what is
/// too large for the largest there is.
[[nodiscard]] CLI::Validator whole_number();

}  // namespace hloscope::cli
