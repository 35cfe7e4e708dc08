#include "db/kept_database.h"

namespace hloscope::db {

void KeptDatabase::empty_log() {
  if (!database_) return;
  const Status ignored = database_->empty_log();
  static_cast<void>(ignored);
}

void KeptDatabase::leave() {
  if (!database_) return;
  if (database_->is_replaced()) empty_log();
  database_.reset();
  ++generation_;
}

void KeptDatabase::leave_replaced() {
  if (database_ && database_->is_replaced()) leave();
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
    // Not read-only: an older file has no tables of sessions until it is brought to this version.
    HLOSCOPE_ASSIGN(Database opened, Database::open(path_, OpenMode::kReadWrite, busy_timeout_));
    database_.emplace(std::move(opened));
  }
  return &*database_;
}

}  // namespace hloscope::db
