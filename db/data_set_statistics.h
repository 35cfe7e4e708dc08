#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/statistics.h"
#include "db/data_sets.h"

namespace hloscope::db {

/// Counts a finished data set in one pass; with the parts of `split`, one of its own, unless it is
/// null. Errors: those of DataSets; kCancelled.
[[nodiscard]] Result<data::Statistics> data_set_statistics(const DataSets& data_sets,
                                                           const data::Split* split,
                                                           const Progress& progress = {});

}  // namespace hloscope::db
