#include "db/removed_runs.h"

#include <fmt/format.h>

#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

// Both tables are copied with all their columns, whatever version of the schema added them.
constexpr const char* kKeep = R"sql(
  CREATE TEMP TABLE removed_runs_{0} AS
    SELECT * FROM main.runs WHERE id IN (SELECT id FROM temp.runs_to_remove);
  CREATE TEMP TABLE removed_times_{0} AS
    SELECT * FROM main.kernel_times WHERE run_id IN (SELECT id FROM temp.runs_to_remove);
  DELETE FROM main.runs WHERE id IN (SELECT id FROM temp.runs_to_remove);
  DROP TABLE temp.runs_to_remove;
)sql";
constexpr const char* kRestore = R"sql(
  INSERT INTO main.runs SELECT * FROM temp.removed_runs_{0};
  INSERT INTO main.kernel_times SELECT * FROM temp.removed_times_{0};
  DROP TABLE temp.removed_runs_{0};
  DROP TABLE temp.removed_times_{0};
)sql";

}  // namespace

Result<int64_t> RemovedRuns::remove(std::span<const RunId> runs) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_TRY(connection.execute("CREATE TEMP TABLE runs_to_remove (id INTEGER PRIMARY KEY)"));
  {
    HLOSCOPE_ASSIGN(Statement insert,
                    connection.prepare("INSERT OR IGNORE INTO temp.runs_to_remove VALUES (?1)"));
    for (const RunId run : runs) HLOSCOPE_TRY(insert.run(run));
  }
  HLOSCOPE_TRY(connection.execute(fmt::format(fmt::runtime(kKeep), last_ + 1)));
  HLOSCOPE_TRY(transaction.commit());
  return ++last_;
}

Result<int64_t> RemovedRuns::restore(int64_t removal) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(const int64_t known,
                  connection.integer(fmt::format("SELECT count(*) FROM temp.sqlite_schema WHERE "
                                                 "name = 'removed_runs_{}'",
                                                 removal)));
  if (known == 0) {
    return fail(ErrorCode::kNotFound, "these runs were not removed here, or are back already");
  }
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const int64_t count, connection.integer(fmt::format(
                                           "SELECT count(*) FROM temp.removed_runs_{}", removal)));
  HLOSCOPE_TRY(connection.execute(fmt::format(fmt::runtime(kRestore), removal)));
  HLOSCOPE_TRY(transaction.commit());
  return count;
}

}  // namespace hloscope::db
