// What the user does on the page "Runs".
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
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
  emit pinRequested(QString::fromStdString(database_.string()), baseline_.value_or(db::RunId()));
}

void RunsPage::setPinnedRun(const std::filesystem::path& database, std::optional<db::RunId> run) {
  if (database != database_) run.reset();
  if (run == baseline_) return;
  baseline_ = run;
  followSelection();
}

std::shared_ptr<RunsWriter> RunsPage::writer() {
  std::shared_ptr<RunsWriter>& writer = writers_[database_];
  if (!writer) writer = std::make_shared<RunsWriter>(database_);
  return writer;
}

void RunsPage::removeSelected() {
  const std::vector<db::RunId> runs = selectedRuns();
  if (runs.empty()) return;
  tasks_.run<Result<int64_t>>(
      {.label = tr("Deleting runs"), .serial = true, .cancellable = false},
      [writer = writer(), runs](const Progress&) { return writer->remove(runs); }, this,
      [this, writer = writer(), count = runs.size()](const Result<int64_t>& removal) {
        removed(writer, count, removal);
      });
}

void RunsPage::offerUndo(const QString& text, const QString& hint) {
  ErrorStrip::Message message;
  message.is_warning = true;
  message.text = text;
  message.hint = hint;
  message.key = QStringLiteral("change");
  message.action_text = tr("Undo");
  message.action = [this] { undo(); };
  strip_->add(std::move(message));
  emit messageRequested(text);
}

void RunsPage::removed(const std::shared_ptr<RunsWriter>& writer, size_t runs,
                       const Result<int64_t>& removal) {
  if (!removal) return showError(removal.error());
  changes_.push_back({writer, *removal, {}});
  offerUndo(tr("%1 deleted").arg(countOf(runs, tr("run"))),
            tr("Programs, kernels and measured times stay. Until the window closes, Undo "
               "(Ctrl+Z) puts the runs back."));
  reload();
}

std::optional<Renaming> RunsPage::renamed() const {
  const std::vector<uint32_t> rows = ui::selectedRows(*views_[shown_], *models_[shown_]);
  if (rows.size() != 1) return std::nullopt;
  const uint32_t row = rows.front();
  if (shown_ == kRuns) {
    return Renaming{content_->runs[row].id, {}, content_->runs[row].name};
  }
  if (shown_ == kPrograms) {
    return Renaming{{}, content_->programs[row].id, db::shown_name(content_->programs[row])};
  }
  const db::MeasuredSourceInfo& source = content_->measured[row];
  return Renaming{{}, source.source.program, source.program_name};
}

void RunsPage::askName() {
  std::optional<Renaming> asked = renamed();
  if (!asked) return;
  const QString what = asked->run.valid()
                           ? tr("&Name of run %1 (empty: none)").arg(asked->run.value)
                           : tr("&Name of the program (empty: its own)");
  bool is_given = false;
  const QString name = QInputDialog::getText(this, tr("Rename"), what, QLineEdit::Normal,
                                             QString::fromStdString(asked->name), &is_given);
  if (!is_given || name.trimmed() == QString::fromStdString(asked->name)) return;
  asked->name = name.trimmed().toStdString();
  rename(*asked);
}

void RunsPage::rename(const Renaming& to) {
  tasks_.run<Result<Renaming>>(
      {.label = tr("Renaming"), .serial = true, .cancellable = false},
      [writer = writer(), to](const Progress&) { return writer->rename(to); }, this,
      [this, writer = writer(), name = to.name](const Result<Renaming>& back) {
        if (!back) return showError(back.error());
        changes_.push_back({writer, 0, *back});
        offerUndo(name.empty() ? tr("Name taken away")
                               : tr("Renamed to %1").arg(QString::fromStdString(name)),
                  tr("Until the window closes, Undo (Ctrl+Z) takes it back."));
        reload();
      });
}

void RunsPage::undo() {
  if (changes_.empty()) return;
  const Change change = changes_.back();
  changes_.pop_back();
  strip_->remove(QStringLiteral("change"));
  tasks_.run<Result<QString>>(
      {.label = tr("Undoing"), .serial = true, .cancellable = false},
      [change](const Progress&) -> Result<QString> {
        if (change.back) {
          HLOSCOPE_TRY(change.writer->rename(*change.back));
          return tr("The name is as it was");
        }
        HLOSCOPE_ASSIGN(const int64_t runs, change.writer->restore(change.removal));
        return tr("%1 restored").arg(countOf(static_cast<size_t>(runs), tr("run")));
      },
      this,
      [this, change](const Result<QString>& done) {
        if (done) {
          emit messageRequested(*done);
          return reload();
        }
        changes_.push_back(change);  // Nothing is lost: it can be tried again.
        updateActions();
        showError(done.error());
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
