#include "db/stored_amount.h"

#include <fmt/format.h>

#include <cmath>

namespace hloscope::db {

Result<double> stored_amount(RunId run, const Statement& row, int column) {
  const double value = row.real(column);
  if (std::isfinite(value) && value >= 0) return value;
  return fail(ErrorCode::kInvalidInput,
              fmt::format("run {} is damaged: a stored time or count is {:g}", run.value, value),
              "delete it and open its program again, or take the file from a copy");
}

}  // namespace hloscope::db
