#pragma once

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
  /// Of the analytical model; empty: the one of the simulated times, else tpu_v3.
  std::string machine;
  bool with_analytical = false;
};

/// Opens the data set and encodes it. Errors: those of open_data_set() and db::load_examples().
[[nodiscard]] Result<predict::ExampleSet> read_examples(const ExampleSource& source,
                                                        ThreadPool& pool, const Progress& progress);

}  // namespace hloscope::cli
