#include "db/kept_database.h"

#include "db/sqlite/connection.h"

namespace hloscope::db {

void KeptDatabase::empty_log() {
  if (!database_) return;
  const auto log = file_stamp(path_.string() + "-wal");
  if (!log || log->bytes == 0) return;
  const Status ignored = database_->empty_log();
  static_cast<void>(ignored);
  seen_ = look();
}

void KeptDatabase::leave() {
  if (!database_) return;
  if (database_->is_replaced()) empty_log();
  database_.reset();
  ++generation_;
}

KeptDatabase::Look KeptDatabase::look() const {
  Look out;
  out.file = file_stamp(path_);
  const auto version = database_->connection().integer("PRAGMA data_version");
  out.data_version = version.value_or(0);
  out.own_changes = database_->connection().all_changes();
  const auto log = file_stamp(path_.string() + "-wal");
  out.has_log = log && log->bytes > 0;
  // Written to while we looked: these do not belong together.
  out.is_whole = version && file_stamp(path_) == out.file;
  return out;
}

// Without a log and without a change by SQLite there was nothing that SQLite could have written.
bool KeptDatabase::is_overwritten(const Look& now) const {
  return seen_.is_whole && now.is_whole && seen_.file != now.file && !seen_.has_log &&
         seen_.data_version == now.data_version && seen_.own_changes == now.own_changes;
}

void KeptDatabase::leave_replaced() {
  if (!database_) return;
  const bool is_other = database_->is_replaced();
  const Look now = is_other ? Look() : look();
  if (is_other || is_overwritten(now)) return leave();
  seen_ = now;
}

Result<Database*> KeptDatabase::open() {
  leave_replaced();
  std::error_code ignored;
  if (path_.empty() || !std::filesystem::exists(path_, ignored)) return nullptr;
  return make();
}

Result<Database*> KeptDatabase::make() {
  leave_replaced();
  if (!database_) {
    // Usually not read-only: an older file has no tables of sessions until it is brought to this
    // version.
    HLOSCOPE_ASSIGN(Database opened, Database::open(path_, mode_, busy_timeout_));
    database_.emplace(std::move(opened));
    seen_ = look();
  }
  return &*database_;
}

}  // namespace hloscope::db
