// What the user does on the page "Runs".
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSaveFile>
#include <QTableView>
#include <algorithm>

#include "db/export_runs.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/error_strip.h"
#include "ui/theme/format.h"

namespace hloscope::ui {

void RunsPage::showError(const Error& error) {
  ErrorStrip::Message message = messageOf(error);
  message.key = QStringLiteral("read");
  message.action_text = tr("Retry");
  message.action = [this] { reload(); };
  strip_->add(std::move(message));
}

void RunsPage::openDatabaseDialog() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open a results file"), QString::fromStdString(database_.parent_path().string()),
      tr("Results (*.hloscope);;All files (*)"));
  if (!path.isEmpty()) setDatabase(path.toStdString());
}

void RunsPage::fillRecentMenu(QMenu& menu) {
  menu.clear();
  for (const QString& path : recent_) {
    QAction* action = menu.addAction(QFileInfo(path).fileName(), this,
                                     [this, path] { setDatabase(path.toStdString()); });
    action->setToolTip(path);
    action->setEnabled(QFileInfo::exists(path));
  }
  if (menu.isEmpty()) menu.addAction(tr("No other file was opened yet"))->setEnabled(false);
}

std::string RunsPage::selectedFile() const {
  const std::vector<uint32_t> rows = ui::selectedRows(*views_[shown_], *models_[shown_]);
  if (rows.empty()) return {};
  switch (shown_) {
    case kPrograms: {
      const db::ProgramInfo& program = content_->programs[rows.front()];
      return db::module_path(program.file_path, program.module_number);
    }
    case kMeasured: {
      const db::MeasuredSourceInfo& source = content_->measured[rows.front()];
      return db::module_path(source.program_file, source.program_module);
    }
    default: {
      const db::RunInfo& run = content_->runs[rows.front()];
      return db::module_path(run.program_file, run.module_number);
    }
  }
}

void RunsPage::openProgram() {
  const std::string file = selectedFile();
  if (!file.empty()) emit openRequested({QString::fromStdString(file)});
}

void RunsPage::openKernel() {
  if (!pair_ || !pair_kernels_ || !kernels_view_->currentIndex().isValid()) return;
  const db::RunKernel& kernel = (*pair_kernels_)[kernels_->rowOf(kernels_view_->currentIndex())];
  const db::RunInfo& run = kernel.first || !pair_->b ? pair_->a : *pair_->b;
  for (const ReportPtr& report : reports_) {
    if (report->file_path != run.program_file || report->module_number != run.module_number) {
      continue;
    }
    Selection selection;
    selection.instruction = report->module.program->find_instruction(kernel.instruction_name);
    if (!selection.instruction.valid()) break;
    selection.kernel = report->kernels.kernel_of[selection.instruction];
    emit activationRequested(report, selection);
    return;
  }
  emit messageRequested(tr("The kernel's program is not open: Ctrl+Enter opens it"));
}

void RunsPage::pinBaseline() {
  const std::vector<db::RunId> selected = selectedRuns();
  if (baseline_ || selected.size() != 1) {
    baseline_.reset();
  } else {
    baseline_ = selected.front();
    emit messageRequested(
        tr("Run %1 is the baseline: select another to compare it").arg(baseline_->value));
  }
  followSelection();
}

void RunsPage::removeSelected() {
  const std::vector<db::RunId> runs = selectedRuns();
  if (runs.empty()) return;
  std::shared_ptr<RunsWriter>& writer = writers_[database_];
  if (!writer) writer = std::make_shared<RunsWriter>(database_);
  tasks_.run<Result<int64_t>>(
      {.label = tr("Deleting runs"), .serial = true, .cancellable = false},
      [writer, runs](const Progress&) { return writer->remove(runs); }, this,
      [this, writer, count = runs.size()](const Result<int64_t>& removal) {
        removed(writer, count, removal);
      });
}

void RunsPage::removed(const std::shared_ptr<RunsWriter>& writer, size_t runs,
                       const Result<int64_t>& removal) {
  if (!removal) return showError(removal.error());
  removals_.push_back({writer, *removal, runs});
  ErrorStrip::Message message;
  message.is_warning = true;
  message.text = tr("%1 deleted").arg(countOf(runs, tr("run")));
  message.hint =
      tr("Programs, kernels and measured times stay. Until the window closes, Undo "
         "(Ctrl+Z) puts the runs back.");
  message.key = QStringLiteral("removed");
  message.action_text = tr("Undo");
  message.action = [this] { undoRemove(); };
  strip_->add(std::move(message));
  emit messageRequested(tr("%1 deleted").arg(countOf(runs, tr("run"))));
  reload();
}

void RunsPage::undoRemove() {
  if (removals_.empty()) return;
  const Removal removal = removals_.back();
  removals_.pop_back();
  strip_->remove(QStringLiteral("removed"));
  tasks_.run<Result<int64_t>>(
      {.label = tr("Restoring runs"), .serial = true, .cancellable = false},
      [removal](const Progress&) { return removal.writer->restore(removal.number); }, this,
      [this](const Result<int64_t>& restored) {
        if (!restored) return showError(restored.error());
        emit messageRequested(
            tr("%1 restored").arg(countOf(static_cast<size_t>(*restored), tr("run"))));
        reload();
      });
  updateActions();
}

void RunsPage::copyRows(TextFormat format) {
  // Of the table that has the focus; of the list where none has.
  const QTableView* view = views_[shown_];
  const PlainTableModel* model = models_[shown_];
  if (kernels_view_->hasFocus()) {
    view = kernels_view_;
    model = kernels_;
  } else if (properties_view_->hasFocus()) {
    view = properties_view_;
    model = properties_;
  }
  std::vector<uint32_t> rows = ui::selectedRows(*view, *model);
  if (rows.size() < 2) rows = model->shownRows();
  QApplication::clipboard()->setText(model->text(rows, format));
  emit messageRequested(tr("%1 copied").arg(countOf(rows.size(), tr("row"))));
}

std::string RunsPage::exported(const QString& suffix) const {
  std::vector<db::RunInfo> runs;
  for (const uint32_t row : models_[kRuns]->shownRows()) runs.push_back(content_->runs[row]);
  return suffix == "json" ? db::runs_json(runs) : db::runs_csv(runs);
}

void RunsPage::saveRuns(const QString& suffix) {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Save the runs that are shown"), "runs." + suffix,
                                   QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
  if (path.isEmpty()) return;
  const QByteArray text = QByteArray::fromStdString(exported(suffix));
  QSaveFile file(path);
  const bool done =
      file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit();
  if (done) {
    emit messageRequested(tr("Saved %1").arg(path));
    return;
  }
  ErrorStrip::Message message;
  message.text = tr("The runs could not be saved: %1").arg(file.errorString());
  message.place = path;
  message.hint = tr("Choose another folder, or free some room");
  message.key = QStringLiteral("save");
  strip_->add(std::move(message));
}

}  // namespace hloscope::ui
