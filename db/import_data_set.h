#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/data/import.h"
#include "core/sim/machine.h"
#include "db/data_sets.h"

namespace hloscope::db {

/// The name of the split that the files themselves say.
inline constexpr const char* kPublishedSplit = "published";

/// What to import, and what is known of it.
struct ImportOrder {
  std::string name;                ///< Of the data set.
  std::string settings = "{}";     ///< JSON that is kept with it.
  std::vector<std::string> paths;  ///< Files; folders are searched for .npz, .pb and .csv files.
  std::string device;              ///< See data::ImportOptions.
  /// The program that tables of HLO ops are of: all files are such tables.
  std::optional<std::string> profiled_program;
  /// The files are programs, and the times those that the compiler expected on this machine.
  std::optional<sim::Machine> compiler_machine;
  bool skip_bad = false;  ///< Files that cannot be read are left out; else they end the import.
};

struct ImportSummary {
  data::DataSetInfo info;
  DataSetCounts counts;
  int64_t files = 0;  ///< That were read.
  int64_t programs = 0;
  data::ImportReport report;  ///< Of all files; `duplicates` also counts those between files.
  std::vector<Error> bad;     ///< Files left out.
  bool has_published_split = false;
};

/// Makes a data set of foreign files, one after the other. All of them must be of one task and one
/// target. Where every file says its part, the split "published" is stored. `to` is written as a
/// whole or not at all. Errors: those of the importers; kNotFound where there is no file;
/// kCancelled.
[[nodiscard]] Result<ImportSummary> import_data_set(const ImportOrder& order,
                                                    const std::filesystem::path& to,
                                                    const Progress& progress = {});

}  // namespace hloscope::db
