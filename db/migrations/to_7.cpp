#include "db/migrations/migrations.h"

namespace hloscope::db {

// Trials around the best measured one, and how many a session has. Those of older sessions count as
// trials of the search, as they did when they were made.
Status migrate_to_7(Connection& connection) {
  return connection.execute(R"sql(
    ALTER TABLE tune_sessions ADD COLUMN refined INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tune_trials ADD COLUMN refined INTEGER NOT NULL DEFAULT 0
      CHECK (refined IN (0, 1));
  )sql");
}

}  // namespace hloscope::db
