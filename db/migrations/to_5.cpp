#include "db/migrations/migrations.h"

namespace hloscope::db {

// The tile that the user chose for a kernel on a machine, as sim::tile_text() writes it; without a
// row the compiler's choice holds. Not tied to a row of kernels: a choice outlives stored runs.
Status migrate_to_5(Connection& connection) {
  return connection.execute(R"sql(
    CREATE TABLE chosen_tiles (
      kernel_hash TEXT NOT NULL CHECK (length(kernel_hash) = 32),
      machine_id TEXT NOT NULL CHECK (machine_id <> ''),
      tile TEXT NOT NULL CHECK (tile <> ''),
      PRIMARY KEY (kernel_hash, machine_id)
    ) STRICT, WITHOUT ROWID;
  )sql");
}

}  // namespace hloscope::db
