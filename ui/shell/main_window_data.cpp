// What the pages of stored things want of the window.
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/main_window.h"

namespace hloscope::ui {

void MainWindow::addRunsPage() {
  auto* runs = new RunsPage(tasks_, workspace_.store().path());
  addPage(runs);
  connect(runs, &RunsPage::openRequested, this, [this](const QStringList& paths) {
    workspace_.open(paths);
    showPage(QStringLiteral("graph"));
  });
  connect(&workspace_.store(), &ResultStore::changed, runs, [this, runs] {
    if (runs->isVisible() && workspace_.store().state() == ResultStore::State::kSaved) {
      runs->reload();
    }
  });
}

}  // namespace hloscope::ui
