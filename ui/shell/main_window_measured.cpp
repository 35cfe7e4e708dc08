// Measured times beside the programs.
#include <QFileDialog>
#include <QFileInfo>

#include "ui/models/kernel_cell_text.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_status.h"

namespace hloscope::ui {

namespace {

QString measuredKey(const QString& path) {
  return "measured:" + path;
}

}  // namespace

void MainWindow::connectMeasured() {
  connect(&workspace_, &Workspace::measuredAdded, this, &MainWindow::measuredAdded);
  connect(&workspace_, &Workspace::measuredWaits, this, [this](const QString& path) {
    sessionFileDone(path);
    status_->setMessage(tr("The measured times of %1 are joined to the next program you open")
                            .arg(QFileInfo(path).fileName()));
  });
}

void MainWindow::measuredDialog() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Add measured times"), settings_.value("window/open_folder").toString(),
      tr("HLO op stats of XProf (*.json *.csv *.gz);;All files (*)"));
  if (!path.isEmpty()) workspace_.addMeasured(path);
}

void MainWindow::measuredAdded(const QString& path, const measured::JoinText& text) {
  errors_->remove(openKey(path));
  errors_->remove(measuredKey(path));
  sessionFileDone(path);
  const QString name = QFileInfo(path).fileName();
  status_->setMessage(tr("%1: %2").arg(name, textOf(text.summary)));
  if (text.warning.empty()) return;
  QStringList lines{textOf(text.summary)};
  for (const std::string& line : text.details) lines << textOf(line);
  addWarning(measuredKey(path),
             tr("The measured times of %1 were not taken: %2").arg(name, textOf(text.warning)),
             lines);
}

}  // namespace hloscope::ui
