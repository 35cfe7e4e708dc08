#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "core/base/progress.h"
#include "core/base/thread_pool.h"
#include "core/data/program_list.h"
#include "core/data/sampling.h"
#include "db/data_sets.h"

namespace hloscope::db {

/// What to generate.
struct Generation {
  explicit Generation(const sim::Machine& machine) : sampling(machine) {}

  data::DataSetInfo info;  ///< unit_count is set by generate().
  std::vector<data::ListedProgram> programs;
  data::SamplingOptions sampling;
  int64_t configurations = 100;  ///< Per family; see data::UnitPlan.
  /// Stop after the unit that brings so many distinct kernels. Not for one shard of several: what
  /// the others find is not known.
  std::optional<int64_t> graph_limit;
};

/// Generates a data set, or the shard that `info` says, into `to`. On the way all finished units
/// stand in `to`.part, so that the same call after a kill, a crash or a cancellation goes on from
/// there; the result is the same, byte for byte, with any number of threads. Memory does not grow
/// with the number of samples (24 bytes of each distinct kernel are kept). Errors: kInvalidInput
/// when `to`.part was begun with other settings or programs; kCancelled, with all finished units
/// kept; those of data::generate_unit() and of the database.
[[nodiscard]] Result<DataSetCounts> generate_data_set(const Generation& generation,
                                                      const std::filesystem::path& to,
                                                      ThreadPool& pool,
                                                      const Progress& progress = {});

/// Where units are kept until all are done.
[[nodiscard]] std::filesystem::path part_path(const std::filesystem::path& to);

}  // namespace hloscope::db
