#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/generate_data_set.h"

namespace hloscope::db {

/// What `dataset generate` and the window are asked for.
struct GenerationOrder {
  std::vector<std::string> paths;  ///< HLO files, FILE#N, or folders of them.
  std::string output;
  std::string name;  ///< Of the data set; empty: that of the file.
  data::Task task = data::Task::kFusion;
  std::string machine = "tpu_v3";
  std::optional<int64_t> configurations;  ///< Per family; by default 100, of task tile 1.
  int64_t tiles = 100;
  double noise = 0;
  int64_t repeats = 3;
  uint64_t seed = 1;
  std::optional<int64_t> kernels;  ///< Stop after so many distinct ones.
};

/// The generation of an order, with what was left out of its folders. Equal orders give equal data
/// sets, whoever gave them. Errors: those of sim::find_machine() and data::list_programs().
struct PlannedGeneration {
  Generation generation;
  std::vector<Error> unreadable;
  std::vector<std::string> repeated;
};
[[nodiscard]] Result<PlannedGeneration> plan_generation(const GenerationOrder& order,
                                                        const Progress& progress = {});

}  // namespace hloscope::db
