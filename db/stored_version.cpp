#include "db/stored_version.h"

#include "db/sqlite/connection.h"

namespace hloscope::db {

Result<std::string> stored_version(const Database& database) {
  // A run that is deleted and restored has its number again, and one that ends its time of ending.
  return database.connection().text(R"sql(
    SELECT
      (SELECT count(*) || ',' || total(id) || ',' || ifnull(max(finished), '') ||
              ',' || total(state = 'running') || ',' ||
              ifnull(group_concat(CASE WHEN given_name IS NOT NULL THEN id || given_name END), '')
       FROM runs) || ';' ||
      (SELECT count(*) || ',' || total(id) || ',' || ifnull(max(last_opened), '') || ',' ||
              ifnull(group_concat(CASE WHEN given_name IS NOT NULL THEN id || given_name END), '')
       FROM programs) || ';' ||
      (SELECT count(*) || ',' || total(id) FROM measured_sources))sql");
}

}  // namespace hloscope::db
