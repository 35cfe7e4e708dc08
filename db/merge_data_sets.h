#pragma once

#include <filesystem>
#include <span>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace hloscope::db {

/// Writes one finished data set of all its shards, in any order. The same bytes come out however
/// the work was cut in shards: graphs stand in order of the unit they were met in first, sightings
/// are added up, and shard_index is 0 of shard_count 1. Shards of different names get that of `to`;
/// the paths of programs are those of shard 0. Splits of shards are not taken over. A file at `to`
/// is replaced when all is written, and not before. Memory does not grow with the data set. Errors
/// name the file: kInvalidInput when shards are of different data sets, missing, given twice, not
/// finished or damaged, and when `to` is one of them or open in another program; kNotFound, kIo,
/// kCancelled.
[[nodiscard]] Status merge_data_sets(std::span<const std::filesystem::path> shards,
                                     const std::filesystem::path& to,
                                     const Progress& progress = {});

}  // namespace hloscope::db
