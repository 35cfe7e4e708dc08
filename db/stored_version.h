#pragma once

#include <string>

#include "db/database.h"

namespace hloscope::db {

/// Another text as soon as other runs, programs or measured times stand in a results file, or have
/// other names; what tuning sessions and chosen tiles write is none of it. Takes time with the
/// number of runs, not with that of their times.
[[nodiscard]] Result<std::string> stored_version(const Database& database);

}  // namespace hloscope::db
