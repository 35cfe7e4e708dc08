#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/similarity.h"
#include "core/data/split.h"
#include "db/data_sets.h"

namespace hloscope::db {

struct SplitOrder {
  enum class Method { kRandom, kManual };
  Method method = Method::kRandom;
  std::string name;
  /// Of the manual method only the fractions count: it depends on no chance and keeps families.
  data::RandomSplitOptions options;
};

struct SplitReport {
  data::Split split;
  data::GraphParts graphs;  ///< Which were moved.
  std::vector<data::SourceProgram> programs;
  std::array<int64_t, data::kPartCount> samples{};  ///< Of each part.
  /// Of the manual method: for each program that is held out the training program next to it.
  std::vector<std::optional<data::Nearest>> nearest;
};

/// Splits a finished data set, checks that nothing leaks, and stores the split under its name, in
/// place of one of that name. Errors: those of DataSets, data::random_split() and
/// data::manual_split(); kCancelled. After an error the file is as it was.
[[nodiscard]] Result<SplitReport> split_data_set(Database& database, const SplitOrder& order,
                                                 const Progress& progress = {});

}  // namespace hloscope::db
