// MainWindow saves and restores the session.
#include <QFileInfo>

#include "ui/models/kernel_cell_text.h"
#include "ui/pages/start/start_page.h"
#include "ui/shell/dock.h"
#include "ui/shell/main_window.h"

namespace hloscope::ui {

std::vector<std::pair<QString, ReportView*>> MainWindow::namedViews() const {
  std::vector<std::pair<QString, ReportView*>> views;
  for (Page* page : pages_) views.emplace_back(page->id(), page);
  for (Dock* dock : docks_) {
    views.emplace_back("dock_" + dock->objectName(), static_cast<ReportView*>(dock->widget()));
  }
  return views;
}

Session MainWindow::currentSession() const {
  Session session;
  for (const OpenFile& file : workspace_.files()) {
    if (!file.source.is_text) session.files << file.source.path;
  }
  const ReportPtr& report = workspace_.report();
  if (!report || session.isEmpty()) return session;
  const hlo::Program& program = *report->module.program;
  session.current_file = QString::fromStdString(report->file_path);
  session.module_number = report->module_number;
  session.title = textOf(program.name());
  const Selection& selection = workspace_.selection();
  if (selection.kernel.valid()) {
    const auto& kernel = report->kernels.kernels[selection.kernel];
    session.kernel = textOf(program[kernel.instruction].name);
    session.title = tr("%1, at %2").arg(session.title, session.kernel);
  }
  if (selection.instruction.valid()) {
    session.instruction = textOf(program[selection.instruction].name);
  }
  session.page = currentPage()->id();
  session.raw_kernels = workspace_.kernelChoice() == analysis::KernelChoice::kRaw;
  session.baseline_database = pinned_run_.database;
  session.baseline_run = pinned_run_.run.value;
  for (const auto& [id, view] : namedViews()) session.views[id] = view->saveState();
  session.saved = QDateTime::currentDateTime();
  return session;
}

void MainWindow::storeSession() {
  // A window that was closed empty, or whose files are still being read, keeps the session before.
  if (!pending_session_.isEmpty()) return;
  const Session session = currentSession();
  if (!session.isEmpty()) saveSession(settings_, session);
}

void MainWindow::offerSession() {
  if (last_session_.isEmpty()) return;
  const auto count = static_cast<int>(last_session_.files.size());
  QString detail =
      count == 1 ? QFileInfo(last_session_.files.front()).fileName() : tr("%1 files").arg(count);
  for (const Page* page : pages_) {
    if (page->id() == last_session_.page) detail += tr(", page %1").arg(page->title());
  }
  start_->setSavedSession(SavedSession{last_session_.title, detail, last_session_.saved});
}

void MainWindow::restoreSession() {
  if (last_session_.isEmpty()) return;
  pending_session_ = last_session_;
  workspace_.setKernelChoice(last_session_.raw_kernels ? analysis::KernelChoice::kRaw
                                                       : analysis::KernelChoice::kOwnFusion);
  const QStringList files = last_session_.files;
  workspace_.open(files);
}

void MainWindow::sessionFileDone(const QString& path) {
  if (pending_session_.isEmpty()) return;
  pending_session_.files.removeAll(path);
  if (pending_session_.isEmpty()) applySession();
}

void MainWindow::applySession() {
  const Session session = std::exchange(pending_session_, {});
  const ReportPtr report = workspace_.find(session.current_file, session.module_number);
  if (!report) return;
  const hlo::Program& program = *report->module.program;
  Selection selection;
  selection.instruction = program.find_instruction(session.instruction.toStdString());
  const auto kernel = program.find_instruction(session.kernel.toStdString());
  if (kernel.valid()) selection.kernel = report->kernels.kernel_of[kernel];
  workspace_.select(report, selection);
  showPage(session.page);
  for (const auto& [id, view] : namedViews()) view->restoreState(session.views[id].toMap());
  if (session.baseline_run > 0) pinRun({session.baseline_database, {session.baseline_run}});
}

}  // namespace hloscope::ui
