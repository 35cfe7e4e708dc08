#include "ui/shell/result_store.h"

#include <utility>

#include "db/kept_database.h"
#include "db/store.h"
#include "db/stored_version.h"

namespace hloscope::ui {

/// What was saved, and where.
struct ResultStore::Writer {
  db::KeptDatabase file;
  int generation = 0;   ///< Of the file that it was saved in,
  std::string version;  ///< and db::stored_version() of that.

  Status save(const std::vector<ReportPtr>& reports, const Progress& progress);
  Result<State> look();
};

Status ResultStore::Writer::save(const std::vector<ReportPtr>& reports, const Progress& progress) {
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
  generation = file.generation();
  HLOSCOPE_ASSIGN(version, db::stored_version(*database));
  return {};
}

Result<ResultStore::State> ResultStore::Writer::look() {
  HLOSCOPE_ASSIGN(db::Database* const database, file.open());
  if (database == nullptr) return State::kGone;
  HLOSCOPE_ASSIGN(const std::string now, db::stored_version(*database));
  // The same again, or a copy of it.
  if (file.generation() != generation && now != version) return State::kOther;
  generation = file.generation();
  version = now;
  return State::kSaved;
}

ResultStore::ResultStore(TaskRunner& tasks, std::filesystem::path path, QObject* parent)
    : QObject(parent),
      tasks_(tasks),
      path_(std::move(path)),
      writer_(std::make_shared<Writer>(Writer{db::KeptDatabase(path_), 0, {}})) {}

ResultStore::~ResultStore() = default;

void ResultStore::save(const std::vector<ReportPtr>& reports) {
  if (reports.empty()) return;
  ++pending_;
  if (state_ != State::kFailed && state_ != State::kReadOnly) state_ = State::kSaving;
  emit changed();
  tasks_.run<Status>(
      {.label = tr("Saving results"), .serial = true, .cancellable = false},
      [writer = writer_, reports](const Progress& progress) {
        return writer->save(reports, progress);
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

void ResultStore::look() {
  const bool has_saved =
      state_ == State::kSaved || state_ == State::kGone || state_ == State::kOther;
  if (!has_saved || pending_ > 0) return;
  tasks_.run<Result<State>>(
      {.label = tr("Looking at the results file"), .serial = true, .cancellable = false},
      [writer = writer_](const Progress&) { return writer->look(); }, this,
      [this](const Result<State>& found) { looked(found); });
}

void ResultStore::looked(const Result<State>& found) {
  if (pending_ > 0) return;
  const State before = state_;
  state_ = found.value_or(State::kOther);
  if (state_ != before) emit changed();
  if (state_ == State::kSaved) return;
  Error error = found ? Error() : found.error();
  error.code = ErrorCode::kNotFound;
  if (found) {
    error.message = state_ == State::kGone
                        ? "the results file was deleted or moved: what was saved in it is not there"
                        : "another file lies in the place of the results file: what was saved is "
                          "not in it";
  }
  error.file = path_.string();
  error.hint = "put it back, or save the results of the open programs again";
  // What lies there now may be wrong in another way than what was told of.
  if (state_ == before && error.message == told_) return;
  told_ = error.message;
  emit failed(error);
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
    case State::kGone:
      return tr("%1 is gone, not saved").arg(name);
    case State::kOther:
      return tr("%1 is another file now, not saved").arg(name);
  }
  return name;
}

}  // namespace hloscope::ui
