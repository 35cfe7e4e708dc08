#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/report.h"
#include "core/analysis/time_source.h"
#include "db/compare.h"
#include "db/database.h"
#include "db/programs.h"
#include "db/runs.h"

namespace hloscope::db {

/// The source_kind of runs with these times; empty for measured ones, which are no run.
[[nodiscard]] std::string_view source_kind(analysis::TimeSource source);
/// The other way round; empty for a kind this version does not know.
[[nodiscard]] std::optional<analysis::TimeSource> time_source(std::string_view source_kind);

/// The runs of one report.
struct StoredRuns {
  RunId simulated;
  RunId analytical;
  RunId compiler;   ///< Invalid where the compiler wrote no estimates.
  RunId predicted;  ///< Invalid where no model predicted.
  bool operator==(const StoredRuns&) const = default;
};
/// What the front ends call. Stores a module, its kernels, its simulated and its analytical times
/// as two finished runs, each time once per distinct kernel with its tile; the compiler's estimates
/// as a third where there are any (of equal kernels the first one's, without tile), and predicted
/// times as one more; and the measured times of its file and of ModuleReport::measured_file, all in
/// one transaction. A run with the same program, machine, settings, version, times and tiles is
/// used again. Errors: kReadOnly, kIo.
[[nodiscard]] Result<StoredRuns> store_report(Database& database,
                                              const analysis::ModuleReport& report);

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
