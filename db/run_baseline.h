#pragma once

#include "core/analysis/baseline.h"
#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

/// The times of a stored run, to compare others with: one source, the kernels of its program by
/// name where the program was not shown with other kernels since, the others by hash. Labelled with
/// the name that the user gave the run, its number and its machine: "run 12, TPU v3". Errors:
/// kNotFound for an unknown run, kInvalidInput for one that is not finished or whose source this
/// version does not know; those of Runs.
[[nodiscard]] Result<analysis::BaselinePtr> run_baseline(Database& database, RunId run);

}  // namespace hloscope::db
