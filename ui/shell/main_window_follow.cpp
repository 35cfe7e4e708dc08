// MainWindow follows the workspace: files, current module, selection.
#include <QFileInfo>

#include "ui/pages/start/start_page.h"
#include "ui/shell/file_kind.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_status.h"
#include "ui/theme/format.h"

namespace hloscope::ui {

namespace {

QString fusionKey(const QString& path) {
  return "fusion:" + path;
}

/// "1 kernel", "2 501 kernels".
QString countOf(size_t count, const QString& one, const QString& many) {
  return formatCount(static_cast<int64_t>(count)) + ' ' + (count == 1 ? one : many);
}

QString contentText(const OpenFile& file) {
  if (file.reports.size() != 1) return MainWindow::tr("%1 modules").arg(file.reports.size());
  return countOf(file.reports.front()->module.program->instruction_count(),
                 MainWindow::tr("instruction"), MainWindow::tr("instructions"));
}

}  // namespace

void MainWindow::updateViews() {
  const bool other_reports = shown_reports_ != workspace_.reports();
  const bool other_report = other_reports || shown_report_ != workspace_.report();
  shown_reports_ = workspace_.reports();
  shown_report_ = workspace_.report();
  const bool other_baseline = shown_baseline_ != baseline_;
  shown_baseline_ = baseline_;
  for (ReportView* view : views_) {
    if (other_reports) view->setReports(shown_reports_);
    if (other_baseline) view->setBaseline(baseline_);
    if (other_report) view->setReport(shown_report_);
    view->setSelection(workspace_.selection());
  }
  status_->setMessage(selectionText());
  updateTitle();
  updateCommands();
  session_timer_.start();
}

QString MainWindow::selectionText() const {
  const ReportPtr& report = workspace_.report();
  if (!report) return tr("Ready");
  const hlo::InstructionId id = workspace_.selection().instruction;
  const hlo::Program& program = *report->module.program;
  const auto name = [](std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
  };
  if (id.valid()) return tr("%1 selected").arg(name(program[id].name));
  const graph::KernelId kernel = workspace_.selection().kernel;
  if (kernel.valid()) {
    return tr("%1 selected").arg(name(program[report->kernels.kernels[kernel].instruction].name));
  }
  const QString counts =
      countOf(report->kernels.kernels.size(), tr("kernel"), tr("kernels")) + QStringLiteral(", ") +
      countOf(program.instruction_count(), tr("instruction"), tr("instructions"));
  const std::string_view origin = analysis::title(report->origin);
  QString estimates =
      tr("simulated %1, analytical %2")
          .arg(formatTime(report->simulated_total_ns), formatTime(report->analytical_total_ns));
  if (!report->predicted.of_kernels.empty()) {
    estimates += tr(", predicted %1").arg(formatTime(report->predicted.total_ns));
  }
  return tr("%1 · kernels: %2 · %3, not measured").arg(counts, name(origin), estimates);
}

void MainWindow::updateTitle() {
  const ReportPtr& report = workspace_.report();
  QStringList parts;
  if (report)
    parts << QString::fromUtf8(report->module.program->name().data(),
                               static_cast<qsizetype>(report->module.program->name().size()));
  parts << QStringLiteral("hloscope");
  setWindowTitle(parts.join(QStringLiteral(" — ")));
}

void MainWindow::fileOpened(const QString& path) {
  errors_->remove(openKey(path));
  errors_->remove(fusionKey(path));
  const auto& files = workspace_.files();
  const auto file = std::find_if(files.begin(), files.end(), [&path](const OpenFile& open) {
    return open.source.path == path;
  });
  if (file != files.end() && !file->source.is_text) {
    recent_.add(path, contentText(*file), static_cast<qint64>(file->bytes));
  }
  if (file != files.end()) tellFusionErrors(*file);
  if (currentPage() == start_) showPage(QStringLiteral("graph"));
  showTuned(path);
  sessionFileDone(path);
}

void MainWindow::openFailed(const Source& source, const Error& error) {
  ErrorStrip::Message message = messageOf(error);
  const QString name = QFileInfo(source.path).fileName();
  message.text = tr("%1 could not be opened: %2").arg(name, message.text);
  if (message.place.isEmpty()) message.place = source.path;
  // What is wrong in a line of HLO is told with the line; of all else, what would have been right.
  const bool is_hlo =
      error.line > 0 && error.hint.find("does not look like HLO") == std::string::npos;
  const bool is_other =
      error.code == ErrorCode::kInvalidInput || error.code == ErrorCode::kUnsupported;
  if (is_other && !is_hlo && !source.is_text) message.hint = openableKinds();
  message.key = openKey(source.path);
  message.action_text = tr("Retry");
  message.action = [this, source] { workspace_.open(source); };
  errors_->add(std::move(message));
  status_->setMessage(tr("%1 could not be opened").arg(name));
  recent_.refresh();
  sessionFileDone(source.path);
}

void MainWindow::warn(const QString& path, const std::vector<Error>& warnings) {
  QStringList lines;
  for (const Error& warning : warnings) lines << QString::fromStdString(warning.format());
  addWarning(openKey(path),
             tr("%1 was read, but %2 of its parts were not understood and are only kept")
                 .arg(QFileInfo(path).fileName())
                 .arg(warnings.size()),
             lines);
}

void MainWindow::addWarning(const QString& key, const QString& text, const QStringList& lines) {
  ErrorStrip::Message message;
  message.is_warning = true;
  message.text = text;
  message.details = lines.join('\n');
  message.key = key;
  errors_->add(std::move(message));
}

void MainWindow::tellFusionErrors(const OpenFile& file) {
  QStringList lines;
  for (const ReportPtr& report : file.reports) {
    if (report->fusion_error) lines << QString::fromStdString(report->fusion_error->format());
  }
  if (lines.isEmpty()) return;
  addWarning(fusionKey(file.source.path),
             tr("%1 is shown raw, one instruction as one kernel: own fusion failed")
                 .arg(QFileInfo(file.source.path).fileName()),
             lines);
}

void MainWindow::tellIfStale() {
  if (!workspace_.isStale()) return;
  ErrorStrip::Message message;
  message.is_warning = true;
  message.text = tr("The estimated times are not those of %1: the update was cancelled")
                     .arg(QString::fromStdString(workspace_.machine().title));
  message.key = QStringLiteral("stale");
  message.action_text = tr("Update");
  message.action = [this] { workspace_.setMachine(workspace_.machine()); };
  errors_->add(std::move(message));
}

void MainWindow::activate(const ReportPtr& report, const Selection& selection) {
  workspace_.select(report, selection);
  showPage(QStringLiteral("graph"));
  currentPage()->centerSelection();
}

}  // namespace hloscope::ui
