#include "db/migrations/migrations.h"

namespace hloscope::db {

// A time is that of a kernel at a tile. NULL in rows of version 1, and for kernels that are not cut
// in tiles. The tile is written as sim::tile_text() does.
Status migrate_to_2(Connection& connection) {
  return connection.execute(R"sql(
    ALTER TABLE kernel_times ADD COLUMN tile TEXT CHECK (tile <> '');
    ALTER TABLE kernel_times ADD COLUMN vmem_bytes REAL;
  )sql");
}

}  // namespace hloscope::db
