#pragma once

#include "core/base/result.h"
#include "db/ids.h"
#include "db/sqlite/statement.h"

namespace hloscope::db {

/// A time in ns, a sum of times or a number of executions of a stored run. Errors: kInvalidInput,
/// which names the run, where it is below zero or not finite: hloscope never writes such.
[[nodiscard]] Result<double> stored_amount(RunId run, const Statement& row, int column);

}  // namespace hloscope::db
