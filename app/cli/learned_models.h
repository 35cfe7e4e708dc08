#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/predict/example_set.h"

namespace hloscope::cli {

/// What the commands of learned models read.
struct ExampleSource {
  std::string file;
  std::string split;
  bool hold_out_configurations = false;  ///< In place of a split.
  /// Of the analytical model; empty: the one of the simulated times, else tpu_v3.
  std::string machine;
};

/// FILE, --split and --hold-out-configurations.
void add_source_options(CLI::App& command, ExampleSource& source);

/// Opens the data set and encodes it. Errors: those of open_data_set() and db::load_examples();
/// kInvalidInput without a split.
[[nodiscard]] Result<predict::ExampleSet> read_examples(const ExampleSource& source,
                                                        ThreadPool& pool, const Progress& progress);

}  // namespace hloscope::cli
