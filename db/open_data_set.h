#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/statistics.h"
#include "db/data_sets.h"

namespace hloscope::db {

/// Opens a file that holds a data set, and makes none. Errors: those of Database::open(); kNotFound
/// when there is no such file or no data set in it; kUnsupported for one that is not finished,
/// unless `unfinished_too`.
[[nodiscard]] Result<Database> open_data_set(const std::string& path, OpenMode mode,
                                             bool unfinished_too = false);

/// A data set in a list, without its graphs.
struct DataSetSummary {
  std::string path;
  data::DataSetInfo info;
  DataSetState state = DataSetState::kFinished;
  DataSetCounts counts;
  size_t programs = 0;
  std::vector<std::string> splits;
  uint64_t bytes = 0;
};
[[nodiscard]] Result<DataSetSummary> summarise_data_set(const std::string& path);

/// A program of a data set, with its part of a split.
struct DataSetProgram {
  data::SourceProgram source;
  int64_t graphs = 0;  ///< Distinct ones met in it, shared ones too.
  std::optional<data::Part> part;
};

/// All that a page shows of one data set.
struct DataSetDetails {
  data::Statistics statistics;
  std::vector<DataSetProgram> programs;
  std::optional<data::Split> split;
};
/// `split` may be empty. Errors: those of open_data_set() and DataSets; kCancelled.
[[nodiscard]] Result<DataSetDetails> data_set_details(const std::string& path,
                                                      const std::string& split,
                                                      const Progress& progress = {});

}  // namespace hloscope::db
