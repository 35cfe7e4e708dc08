#include "db/migrations/migrations.h"

namespace hloscope::db {

// Names that the user gave; NULL: none. A program keeps its own name beside it, which is written
// again whenever it is opened.
Status migrate_to_6(Connection& connection) {
  return connection.execute(R"sql(
    ALTER TABLE programs ADD COLUMN given_name TEXT CHECK (given_name <> '');
    ALTER TABLE runs ADD COLUMN given_name TEXT CHECK (given_name <> '');
  )sql");
}

}  // namespace hloscope::db
