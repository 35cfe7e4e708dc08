#include "db/migrations/migrations.h"

#include <fmt/format.h>

#include <array>

namespace hloscope::db {
namespace {

using Step = Status (*)(Connection&);
/// Entry n leads from version n to n + 1. Steps that have shipped are never changed.
constexpr std::array<Step, kSchemaVersion> kSteps = {&migrate_to_1, &migrate_to_2, &migrate_to_3,
                                                     &migrate_to_4, &migrate_to_5, &migrate_to_6,
                                                     &migrate_to_7};

}  // namespace

Status migrate(Connection& connection) {
  HLOSCOPE_ASSIGN(int64_t version, connection.integer("PRAGMA user_version"));
  if (version >= kSchemaVersion) return {};
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  // Another process may have done it while we waited for the lock.
  HLOSCOPE_ASSIGN(version, connection.integer("PRAGMA user_version"));
  for (; version < kSchemaVersion; ++version) {
    HLOSCOPE_TRY(kSteps[static_cast<size_t>(version)](connection));
    HLOSCOPE_TRY(connection.execute(fmt::format("PRAGMA user_version = {}", version + 1)));
  }
  return transaction.commit();
}

}  // namespace hloscope::db
