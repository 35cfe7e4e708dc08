// Measured times that come from a file of their own.
#include <QFileInfo>
#include <algorithm>

#include "ui/shell/measured_loader.h"
#include "ui/shell/workspace.h"

namespace hloscope::ui {

namespace {

/// What was found in the file; neither where it is no table of measured times.
struct Found {
  std::optional<measured::HloStats> stats;
  std::optional<MeasuredTimes> times;
};

Result<Found> find(const QString& path, const ReportPtr& report, const Progress& progress) {
  Found found;
  HLOSCOPE_ASSIGN(found.stats, readMeasured(path, progress.part(0, 0.8)));
  if (!found.stats || !report) return found;
  HLOSCOPE_ASSIGN(found.times, joinMeasured(*found.stats, report, progress.part(0.8, 1)));
  return found;
}

Error noTable(const QString& path) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = "this is no table of measured times";
  error.file = path.toStdString();
  error.hint = "export \"HLO Op Stats\" (hlo_stats) of XProf as JSON or CSV";
  return error;
}

}  // namespace

void Workspace::addMeasured(const QString& path) {
  addMeasured(Source{path, {}}, noTable(path));
}

void Workspace::addMeasured(const Source& source, const Error& otherwise) {
  tasks_.run<Result<Found>>(
      {.label = tr("Reading %1").arg(QFileInfo(source.path).fileName()),
       .key = "measured:" + source.path},
      [path = source.path, report = report_](const Progress& progress) {
        return hloscope::ui::find(path, report, progress);
      },
      this,
      [this, source, otherwise](Result<Found> found) {
        if (!found) {
          if (found.error().code != ErrorCode::kCancelled) emit openFailed(source, found.error());
        } else if (!found->stats) {
          emit openFailed(source, otherwise);
        } else if (!found->times) {
          // The program may be one of those that are just being read.
          if (report_) return addMeasured(source.path);
          waiting_measured_ = source.path;
          emit measuredWaits(source.path);
        } else {
          replace(found->times->report);
          emit measuredAdded(source.path, found->times->text);
        }
      });
}

void Workspace::addWaitingMeasured() {
  if (waiting_measured_.isEmpty() || !report_) return;
  addMeasured(std::exchange(waiting_measured_, QString()));
}

void Workspace::replace(const ReportPtr& report) {
  const QString path = QString::fromStdString(report->file_path);
  const ReportPtr old = find(path, report->module_number);
  if (!old || !report->measured_file) return;
  // Another machine may have been chosen meanwhile.
  const ReportPtr next = analysis::keep_measured(*report, old);
  for (OpenFile& file : files_) std::replace(file.reports.begin(), file.reports.end(), old, next);
  collectReports();
  emit reportsChanged();
  if (report_ == old) setCurrent(next, selection_);
  emit selectionChanged();
  store_.save({next});
}

}  // namespace hloscope::ui
