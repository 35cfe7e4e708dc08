#pragma once

#include <CLI/CLI.hpp>

namespace hloscope::cli {

/// For numbers without a greatest one: CLI::PositiveNumber names a range of 300 digits.
[[nodiscard]] CLI::Validator above_zero();
[[nodiscard]] CLI::Validator zero_or_above();

/// Gives the options of all commands the checks that CLI11 leaves out: by itself it takes -5 for
/// 18446744073709551611 where an option is uint64_t, what is too large for the largest there is,
/// and "nan" for a number in any range. An option with an empty text, as scripts give with a
/// variable that is not set, is refused: it would mean that the option is not there. To be called
/// when all options are there.
void check_values(CLI::App& app);

}  // namespace hloscope::cli
