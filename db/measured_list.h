#pragma once

#include <string>
#include <vector>

#include "db/database.h"
#include "db/ids.h"
#include "db/measured.h"

namespace hloscope::db {

/// A source of measured times in a list.
struct MeasuredSourceInfo {
  MeasuredSource source;
  std::string program_name;
  std::string program_file;  ///< As opened last.
  int program_module = 1;
  int64_t runs = 0;     ///< Configurations of kernels, or of the program.
  int64_t timed = 0;    ///< Of these, those with a time.
  int64_t kernels = 0;  ///< Distinct ones; 0 of programs measured as a whole.
};

/// All sources, newest first. Errors as in Programs.
[[nodiscard]] Result<std::vector<MeasuredSourceInfo>> list_measured_sources(
    const Database& database);

}  // namespace hloscope::db
