// What the pages of stored things want of the window.
#include "core/predict/program_times.h"
#include "db/open_data_set.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_status.h"

namespace hloscope::ui {

void MainWindow::addRunsPage() {
  auto* runs = new RunsPage(tasks_, workspace_.store().path());
  runs_ = runs;
  addPage(runs);
  connect(runs, &RunsPage::pinRequested, this, [this](const QString& database, db::RunId run) {
    pinRun({database, run});
  });
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

void MainWindow::addDataPage() {
  auto* data = new DataPage(tasks_);
  addPage(data);
  connect(data, &DataPage::useModelRequested, this,
          [this](const QString& model) { useModel(model); });
  connect(data, &DataPage::compareRequested, this,
          [this](const QString& file, const QString& model, analysis::PairSource x,
                 analysis::PairSource y) {
            if (!model.isEmpty()) {
              useModel(model, file);
            } else if (!file.isEmpty()) {
              workspace_.open(QStringList{file});
            }
            for (Page* page : pages_) {
              auto* compare = qobject_cast<ComparePage*>(page);
              if (compare == nullptr) continue;
              compare->showSources(x, y,
                                   file.isEmpty() ? KernelSet::kAllOpen : KernelSet::kOpenFile);
            }
            showPage(QStringLiteral("compare"));
          });
  // The list is the user's, not of one session: it is there again however the window is opened.
  const QString key = QStringLiteral("data/sets");
  data->openDataSets(settings_.value(key).toStringList());
  connect(data->dataSets(), &DataSetsPanel::currentChanged, this,
          [this, key, data] { settings_.setValue(key, data->dataSets()->paths()); });
}

void MainWindow::openDatabase(const QString& path) {
  // A file that holds no data set, or cannot be read, is for the page that says so.
  tasks_.run<bool>(
      {.label = tr("Reading %1").arg(path), .key = "window.database:" + path},
      [path = path.toStdString()](const Progress&) {
        return db::open_data_set(path, db::OpenMode::kReadOnly, true).has_value();
      },
      this,
      [this, path](bool is_data_set) {
        if (is_data_set) dataPage()->openDataSets({path});
        for (Page* page : pages_) {
          auto* runs = qobject_cast<RunsPage*>(page);
          if (runs != nullptr && !is_data_set) runs->setDatabase(path.toStdString());
        }
        showPage(is_data_set ? QStringLiteral("data") : QStringLiteral("runs"));
      });
}

void MainWindow::useModel(const QString& model, const QString& then_open) {
  using Found = Result<predict::TimePredictor>;
  tasks_.run<Found>(
      {.label = tr("Reading %1").arg(model), .key = QStringLiteral("window.model")},
      [name = model.toStdString()](const Progress&) {
        return predict::find_time_predictor(std::vector<std::string>{name});
      },
      this,
      [this, model, then_open](const Found& found) {
        if (!found) return errors_->add(messageOf(found.error()));
        workspace_.setPredictor(*found);
        status_->setMessage(tr("Times are predicted with %1 from now on").arg(model));
        if (!then_open.isEmpty()) return workspace_.open(QStringList{then_open});
        const OpenFile* file = workspace_.currentFile();
        if (file != nullptr && !file->source.is_text) workspace_.reload();
      });
}

}  // namespace hloscope::ui
