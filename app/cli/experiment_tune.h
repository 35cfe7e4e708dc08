#pragma once

#include <CLI/CLI.hpp>

namespace hloscope::cli {

/// `experiment fusion-autotune` and `experiment tile-autotune`.
void add_tune_experiments(CLI::App& experiment, int& exit_code);

}  // namespace hloscope::cli
