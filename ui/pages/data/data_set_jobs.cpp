// What makes, opens and renames data sets and splits, in workers.
#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>

#include "core/base/thread_pool.h"
#include "db/merge_data_sets.h"
#include "ui/models/plain_table_view.h"
#include "ui/pages/data/data_set_forms.h"
#include "ui/pages/data/data_sets_panel.h"
#include "ui/theme/format.h"

namespace hloscope::ui {

void DataSetsPanel::read(const QString& path) {
  tasks_.run<Result<db::DataSetSummary>>(
      {.label = tr("Reading %1").arg(QFileInfo(path).fileName()), .key = "data.read:" + path},
      [path](const Progress&) { return db::summarise_data_set(path.toStdString()); }, this,
      [this, path](Result<db::DataSetSummary> summary) { summaryRead(path, std::move(summary)); });
}

void DataSetsPanel::summaryRead(const QString& path, Result<db::DataSetSummary> summary) {
  entries_ = std::make_shared<std::vector<Entry>>(*entries_);
  for (Entry& entry : *entries_) {
    if (entry.path != path) continue;
    if (summary) {
      emit readable(path);
    } else {
      emit unreadable(path, summary.error());
    }
    entry.summary = std::move(summary);
    break;
  }
  showList();
  if (path != currentPath()) return;
  shown_path_.clear();
  showCurrent();
}

QString DataSetsPanel::whyNoPrograms() const {
  const Entry* entry = currentEntry();
  if (entry == nullptr) return tr("Choose a data set.");
  if (entry->summary && !*entry->summary) {
    return tr("The file could not be read: see above. Put it back, or remove it from the list.");
  }
  return {};
}

void DataSetsPanel::generate(const GenerateAnswer& answer) {
  using Counts = Result<db::DataSetCounts>;
  const QString output = QString::fromStdString(answer.order.output);
  tasks_.run<Counts>(
      {.label = tr("Generating %1").arg(QFileInfo(output).fileName())},
      [order = answer.order](const Progress& progress) -> Counts {
        HLOSCOPE_ASSIGN(const db::PlannedGeneration planned,
                        db::plan_generation(order, progress.part(0, 0.02)));
        ThreadPool pool(0);
        return db::generate_data_set(planned.generation, order.output, pool,
                                     progress.part(0.02, 1));
      },
      this,
      [this, output](const Counts& counts) {
        if (!counts) {
          emit failed(counts.error());
          return;
        }
        emit messageRequested(
            tr("%1: %2 distinct kernels, %3 samples")
                .arg(output, formatCount(counts->graphs), formatCount(counts->samples)));
        add({output});
      });
}

void DataSetsPanel::import(const ImportAnswer& answer) {
  using Summary = Result<db::ImportSummary>;
  tasks_.run<Summary>(
      {.label = tr("Importing %1").arg(QFileInfo(answer.output).fileName())},
      [answer](const Progress& progress) {
        return db::import_data_set(answer.order, answer.output.toStdString(), progress);
      },
      this,
      [this, output = answer.output](const Summary& summary) {
        if (!summary) {
          emit failed(summary.error());
          return;
        }
        emit messageRequested(tr("%1: %2 files, %3 graphs, %4 samples")
                                  .arg(output, formatCount(summary->files),
                                       formatCount(summary->counts.graphs),
                                       formatCount(summary->counts.samples)));
        add({output});
      });
}

void DataSetsPanel::openDialog() {
  add(QFileDialog::getOpenFileNames(this, tr("Open data sets"), QFileInfo(currentPath()).path(),
                                    tr("Data sets (*.hloscope);;All files (*)")));
}

void DataSetsPanel::removeCurrent() {
  const int row = list_->currentRow();
  if (row < 0) return;
  entries_ = std::make_shared<std::vector<Entry>>(*entries_);
  emit readable((*entries_)[static_cast<size_t>(row)].path);  // What was said of it is settled.
  entries_->erase(entries_->begin() + row);
  showList();
  shown_path_.clear();
  showCurrent();
}

void DataSetsPanel::askName() {
  const db::DataSetSummary* set = current();
  if (set == nullptr) return;
  const QString before = QString::fromStdString(set->info.name);
  bool is_given = false;
  const QString name = QInputDialog::getText(this, tr("Rename"), tr("&Name of the data set"),
                                             QLineEdit::Normal, before, &is_given);
  if (is_given && name.trimmed() != before) rename(currentPath(), name.trimmed());
}

namespace {

Result<QString> renameFile(const std::string& path, const std::string& name) {
  HLOSCOPE_ASSIGN(db::Database database, db::open_data_set(path, db::OpenMode::kReadWrite, true));
  HLOSCOPE_ASSIGN(const std::string before, db::DataSets(database).rename(name));
  return QString::fromStdString(before);
}

}  // namespace

void DataSetsPanel::rename(const QString& path, const QString& name) {
  tasks_.run<Result<QString>>(
      {.label = tr("Renaming"), .serial = true, .cancellable = false},
      [path = path.toStdString(), name = name.toStdString()](const Progress&) {
        return renameFile(path, name);
      },
      this,
      [this, path, name](const Result<QString>& before) {
        if (!before) {
          emit failed(before.error());
          return;
        }
        renamed_.emplace_back(path, *before);
        undo_->setEnabled(true);
        reread();
        emit undoOffered(tr("%1 is called %2 now").arg(*before, name));
      });
}

void DataSetsPanel::undo() {
  if (renamed_.empty()) return;
  const auto [path, name] = renamed_.back();
  renamed_.pop_back();
  undo_->setEnabled(!renamed_.empty());
  emit undoOffered({});
  tasks_.run<Result<QString>>(
      {.label = tr("Undoing"), .serial = true, .cancellable = false},
      [path = path.toStdString(), name = name.toStdString()](const Progress&) {
        return renameFile(path, name);
      },
      this,
      [this, path, name](const Result<QString>& done) {
        if (done) return reread();
        renamed_.emplace_back(path, name);
        undo_->setEnabled(true);
        emit failed(done.error());
      });
}

void DataSetsPanel::merge(const MergeAnswer& answer) {
  std::vector<std::filesystem::path> shards;
  for (const QString& shard : answer.shards) shards.emplace_back(shard.toStdString());
  tasks_.run<Status>(
      {.label = tr("Merging %1").arg(QFileInfo(answer.output).fileName())},
      [shards, output = answer.output.toStdString()](const Progress& progress) {
        return db::merge_data_sets(shards, output, progress);
      },
      this,
      [this, output = answer.output](const Status& status) {
        if (!status) {
          emit failed(status.error());
          return;
        }
        emit messageRequested(tr("%1 is made of all its shards").arg(output));
        add({output});
      });
}

void DataSetsPanel::makeSplit(const SplitAnswer& answer) {
  const QString path = currentPath();
  using Report = Result<db::SplitReport>;
  tasks_.run<Report>(
      {.label = tr("Splitting %1").arg(QFileInfo(path).fileName()), .serial = true},
      [path = path.toStdString(), order = answer.order](const Progress& progress) -> Report {
        HLOSCOPE_ASSIGN(db::Database database, db::open_data_set(path, db::OpenMode::kReadWrite));
        return db::split_data_set(database, order, progress);
      },
      this,
      [this, path](const Report& report) {
        if (!report) {
          emit failed(report.error());
          return;
        }
        const QString name = QString::fromStdString(report->split.name);
        emit messageRequested(tr("The split %1 is made, and nothing leaks").arg(name));
        // So that it is chosen when the data set has been read again.
        split_->addItem(name, name);
        setSplit(name);
        add({path});
      });
}

}  // namespace hloscope::ui
