#include "ui/shell/result_store.h"

#include <optional>
#include <utility>

#include "db/database.h"
#include "db/store.h"

namespace hloscope::ui {

struct ResultStore::Connection {
  std::filesystem::path path;
  std::optional<db::Database> database;

  Status store(const std::vector<ReportPtr>& reports, const Progress& progress) {
    // What is written to a file that was deleted or replaced is in neither.
    if (database && database->is_replaced()) {
      emptyLog();
      database.reset();
    }
    if (!database) {
      HLOSCOPE_ASSIGN(db::Database opened, db::Database::open(path));
      database.emplace(std::move(opened));
    }
    HLOSCOPE_TRY(database->writable());
    double done = 0;
    for (const ReportPtr& report : reports) {
      // What is not stored yet is stored when the file is opened again: nothing is lost by a stop.
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "Saving was cancelled");
      HLOSCOPE_TRY(db::store_report(*database, *report));
      progress.report(++done / static_cast<double>(reports.size()), report->module.program->name());
    }
    emptyLog();
    return {};
  }

  /// What stands in the log would be taken for that of a file put in the place of this one.
  void emptyLog() {
    // Where a reader is in the way, the next time does it.
    const Status ignored = database->empty_log();
    static_cast<void>(ignored);
  }
};

ResultStore::ResultStore(TaskRunner& tasks, std::filesystem::path path, QObject* parent)
    : QObject(parent),
      tasks_(tasks),
      path_(std::move(path)),
      connection_(std::make_shared<Connection>()) {
  connection_->path = path_;
}

ResultStore::~ResultStore() = default;

void ResultStore::save(const std::vector<ReportPtr>& reports) {
  if (reports.empty()) return;
  ++pending_;
  if (state_ != State::kFailed && state_ != State::kReadOnly) state_ = State::kSaving;
  emit changed();
  tasks_.run<Status>(
      {.label = tr("Saving results"), .serial = true, .cancellable = false},
      [connection = connection_, reports](const Progress& progress) {
        return connection->store(reports, progress);
      },
      this, [this](const Status& status) { finished(status); });
}

void ResultStore::finished(const Status& status) {
  --pending_;
  const State before = state_;
  if (status) {
    state_ = pending_ > 0 ? State::kSaving : State::kSaved;
  } else {
    state_ = status.error().code == ErrorCode::kReadOnly ? State::kReadOnly : State::kFailed;
  }
  emit changed();
  if (!status && before != state_) emit failed(status.error());
}

QString ResultStore::stateText() const {
  QString name = QString::fromStdString(path_.filename().string());
  switch (state_) {
    case State::kEmpty:
      return name;
    case State::kSaving:
      return tr("%1, saving…").arg(name);
    case State::kSaved:
      return tr("%1, all saved").arg(name);
    case State::kReadOnly:
      return tr("%1 is read-only, not saved").arg(name);
    case State::kFailed:
      return tr("%1: not saved").arg(name);
  }
  return name;
}

}  // namespace hloscope::ui
