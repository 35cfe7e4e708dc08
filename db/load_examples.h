#pragma once

#include <string_view>

#include "core/base/progress.h"
#include "core/base/thread_pool.h"
#include "core/predict/example_set.h"
#include "core/sim/machine.h"
#include "db/data_sets.h"

namespace hloscope::db {

struct LoadOptions {
  std::string_view split;   ///< Name of a stored split; empty: everything is for training.
  bool with_extras = true;  ///< Feature group kExtra too.
  /// In place of a split: see predict::hold_out_configurations().
  bool hold_out_configurations = false;
  const sim::Machine* machine = nullptr;  ///< Of the analytical estimates; null: none are made.
};

/// Reads and encodes a finished data set. Equal for any number of threads. Graphs without samples
/// are left out and counted. Errors: those of DataSets (kNotFound: no split of that name, the hint
/// lists those there are) and of predict::encode(); kInvalidInput for a data set that is not
/// finished; kCancelled.
[[nodiscard]] Result<predict::ExampleSet> load_examples(const DataSets& data_sets,
                                                        const LoadOptions& options,
                                                        ThreadPool& pool,
                                                        const Progress& progress = {});

}  // namespace hloscope::db
