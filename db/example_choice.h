#pragma once

#include "core/base/thread_pool.h"
#include "core/predict/example_set.h"
#include "db/training_session.h"

namespace hloscope::db {

/// Opens the data set and encodes it. Errors: those of open_data_set() and load_examples();
/// kInvalidInput without a split.
[[nodiscard]] Result<predict::ExampleSet> read_examples(const ExampleChoice& choice,
                                                        ThreadPool& pool, const Progress& progress);

}  // namespace hloscope::db
