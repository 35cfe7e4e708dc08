#include "ui/pages/tune/session_file.h"

#include <chrono>

namespace hloscope::ui {
namespace {

/// A window that only looks does not wait long for a program that holds the file locked.
constexpr std::chrono::milliseconds kBusyTimeout{1000};

}  // namespace

void SessionFile::leaveReplaced() {
  if (database_ && database_->is_replaced()) leave();
}

void SessionFile::leave() {
  if (!database_) return;
  if (database_->is_replaced()) {
    // Where another reader is in the way, that one does it.
    const Status ignored = database_->empty_log();
    static_cast<void>(ignored);
  }
  database_.reset();
  ++generation_;
}

Result<db::Database*> SessionFile::open() {
  leaveReplaced();
  std::error_code ignored;
  if (path_.empty() || !std::filesystem::exists(path_, ignored)) return nullptr;
  return make();
}

Result<db::Database*> SessionFile::make() {
  leaveReplaced();
  if (!database_) {
    // Not read-only: an older file has no tables of sessions until it is brought to this version.
    HLOSCOPE_ASSIGN(db::Database opened,
                    db::Database::open(path_, db::OpenMode::kReadWrite, kBusyTimeout));
    database_.emplace(std::move(opened));
  }
  return &*database_;
}

}  // namespace hloscope::ui
