#pragma once

#include <cstdint>
#include <span>

#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

/// Removes runs, and keeps what was removed as long as the database stays open: in tables of the
/// connection, which lie in a temporary file when they are large. Errors as in Programs.
class RemovedRuns {
 public:
  explicit RemovedRuns(Database& database) : database_(&database) {}

  /// With their times; those that are not there any more are passed over. All or none. Returns the
  /// number of this removal.
  [[nodiscard]] Result<int64_t> remove(std::span<const RunId> runs);
  /// Puts the runs of a removal back as they were, with their numbers, and forgets it. Returns how
  /// many. kNotFound: there is no such removal, or it was restored.
  [[nodiscard]] Result<int64_t> restore(int64_t removal);

 private:
  Database* database_;
  int64_t last_ = 0;
};

}  // namespace hloscope::db
