#include "ui/shell/result_store.h"

#include <utility>

#include "db/kept_database.h"
#include "db/store.h"

namespace hloscope::ui {

namespace {

Status store(db::KeptDatabase& file, const std::vector<ReportPtr>& reports,
             const Progress& progress) {
  HLOSCOPE_ASSIGN(db::Database* const database, file.make());
  HLOSCOPE_TRY(database->writable());
  double done = 0;
  for (const ReportPtr& report : reports) {
    // What is not stored yet is stored when the file is opened again: nothing is lost by a stop.
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "Saving was cancelled");
    HLOSCOPE_TRY(db::store_report(*database, *report));
    progress.report(++done / static_cast<double>(reports.size()), report->module.program->name());
  }
  file.empty_log();
  return {};
}

}  // namespace

ResultStore::ResultStore(TaskRunner& tasks, std::filesystem::path path, QObject* parent)
    : QObject(parent),
      tasks_(tasks),
      path_(std::move(path)),
      file_(std::make_shared<db::KeptDatabase>(path_)) {}

ResultStore::~ResultStore() = default;

void ResultStore::save(const std::vector<ReportPtr>& reports) {
  if (reports.empty()) return;
  ++pending_;
  if (state_ != State::kFailed && state_ != State::kReadOnly) state_ = State::kSaving;
  emit changed();
  tasks_.run<Status>(
      {.label = tr("Saving results"), .serial = true, .cancellable = false},
      [file = file_, reports](const Progress& progress) { return store(*file, reports, progress); },
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
