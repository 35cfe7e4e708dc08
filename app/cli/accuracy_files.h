#pragma once

#include <string>

#include "app/cli/load.h"

namespace hloscope::cli {

/// `accuracy FILE...`: the numbers of the page Compare.
struct FileAccuracyOptions : InputOptions {
  bool runs = false;  ///< A point per measured run; else per kernel.
  std::string against = "measured";
  std::string judge = "simulated";
  size_t largest = 0;  ///< 0: not given.
};

/// The options but --machine and --json, which `accuracy` has for all its tables.
void add_file_accuracy_options(CLI::App& command, FileAccuracyOptions& options);
/// Prints the comparison; errors are printed and set `exit_code`.
void run_file_accuracy(const FileAccuracyOptions& options, int& exit_code);

}  // namespace hloscope::cli
