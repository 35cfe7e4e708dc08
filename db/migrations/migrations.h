#pragma once

#include "core/base/result.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {

/// "hlsc": tells our files from other programs' SQLite files.
inline constexpr int64_t kApplicationId = 0x686c7363;
/// The user_version this program writes. One more for every change of the schema.
inline constexpr int64_t kSchemaVersion = 7;

/// Brings an empty or older file to kSchemaVersion in one transaction; nothing to do for one that
/// has it. Safe when several processes do it at once.
[[nodiscard]] Status migrate(Connection& connection);

/// From an empty file to version 1.
[[nodiscard]] Status migrate_to_1(Connection& connection);
/// Tile and VMEM of kernel times.
[[nodiscard]] Status migrate_to_2(Connection& connection);
/// Tables of a data set.
[[nodiscard]] Status migrate_to_3(Connection& connection);
/// Tuning sessions and their trials.
[[nodiscard]] Status migrate_to_4(Connection& connection);
/// Tiles that the user chose.
[[nodiscard]] Status migrate_to_5(Connection& connection);
/// Names that the user gives to programs and runs.
[[nodiscard]] Status migrate_to_6(Connection& connection);
/// Trials that refining made.
[[nodiscard]] Status migrate_to_7(Connection& connection);

}  // namespace hloscope::db
