#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/progress.h"
#include "core/data/split.h"
#include "db/data_sets.h"

namespace hloscope::db {

struct ExportOrder {
  std::filesystem::path folder;
  std::string split;     ///< Empty: everything is for training.
  bool replace = false;  ///< What was exported there before.
};

struct ExportSummary {
  std::filesystem::path folder;  ///< That holds train, valid and test.
  std::array<int64_t, data::kPartCount> files{};
  int64_t configurations = 0;
  int64_t without_samples = 0;    ///< Graphs left out.
  int64_t one_configuration = 0;  ///< Graphs that the loader of TpuGraphs leaves out for that.
};

/// Writes a data set in the shape of TpuGraphs, a file per graph:
/// folder/npz/tile/xla/PART/PROGRAM_HASH.npz for tiles, folder/npz/layout/xla/random/PART/
/// PROGRAM.npz for layouts (with _HASH where a program has several graphs), and beside the parts
/// where the times come from. The folders appear when all is written. Errors: kUnsupported for task
/// fusion; kInvalidInput where the folder holds such files and they shall not be replaced;
/// kNotFound for a split that is not there; those of data::tpugraph_of(); kIo, kCancelled.
[[nodiscard]] Result<ExportSummary> export_tpugraphs(Database& database, const ExportOrder& order,
                                                     const Progress& progress = {});

}  // namespace hloscope::db
