#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "core/data/data_set.h"
#include "db/database.h"

namespace hloscope::db {

/// A shard of a data set, open to be read.
struct Shard {
  Database database;
  data::DataSetInfo info;
};

/// Opens all shards of one data set, to be read from front to end; ordered by shard_index. Errors:
/// see merge_data_sets().
[[nodiscard]] Result<std::vector<Shard>> open_shards(std::span<const std::filesystem::path> paths);

/// An error about one shard: its file and what is wrong.
[[nodiscard]] tl::unexpected<Error> shard_error(const Shard& shard, std::string what,
                                                std::string hint = {});

}  // namespace hloscope::db
