#pragma once

#include <vector>

#include "core/analysis/report.h"
#include "db/compare.h"
#include "db/database.h"
#include "db/programs.h"
#include "db/runs.h"

namespace hloscope::db {

/// What the front ends call. Stores a module, its kernels, its analytical times as a finished run
/// and the measured times of its file, all in one transaction; returns the run. A run with the same
/// program, machine, settings, version and times is used again. Errors: kReadOnly, kIo.
[[nodiscard]] Result<RunId> store_report(Database& database, const analysis::ModuleReport& report);

[[nodiscard]] inline Result<std::vector<RunInfo>> list_runs(Database& database,
                                                            const Page& page = {}) {
  return Runs(database).list(page);
}
[[nodiscard]] inline Result<std::vector<ProgramInfo>> list_programs(Database& database,
                                                                    const Page& page = {}) {
  return Programs(database).list(page);
}
/// The run and its times; the program, its kernels and measured times stay. Error: kNotFound.
[[nodiscard]] inline Status delete_run(Database& database, RunId run) {
  return Runs(database).remove(run);
}

}  // namespace hloscope::db
