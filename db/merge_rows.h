#pragma once

#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "db/data_sets.h"
#include "db/shards.h"

namespace hloscope::db {

/// Makes the data set `name` of `target` of all rows of its shards, in order, and finishes it. To
/// be called in a transaction of `target`, which holds no data set yet. Errors: see
/// merge_data_sets().
[[nodiscard]] Status merge_rows(std::vector<Shard>& shards, Database& target,
                                const std::string& name, const Progress& progress);

}  // namespace hloscope::db
