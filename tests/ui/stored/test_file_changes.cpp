// Runs, Data and Compare, and what may happen to the file that they show.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <filesystem>

#include "db/data_sets.h"
#include "db/sqlite/connection.h"
#include "db/store.h"
#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/charts/scatter_chart.h"
#include "ui/models/plain_table_view.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/data/data_page.h"
#include "ui/pages/data/data_sets_panel.h"
#include "ui/pages/file_watch.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/error_strip.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

namespace fs = std::filesystem;

void settle(TaskRunner& tasks) {
  for (int quiet = 0; quiet < 3; ++quiet) {
    QTRY_VERIFY_WITH_TIMEOUT(tasks.isIdle(), 60'000);
    QTest::qWait(5);
  }
}

void store(const fs::path& path, const char* text) {
  db::Database database = *db::Database::open(path);
  QVERIFY(db::store_report(database, *testing::reportOf(text, "program.hlo")));
}

bool says(const QWidget& page, const QString& words) {
  const QList<QLabel*> labels = page.findChildren<QLabel*>();
  return std::any_of(labels.begin(), labels.end(), [&words](const QLabel* label) {
    return label->isVisible() && label->text().contains(words);
  });
}

/// As another program that wants the file alone, also out of the mode in which readers never wait.
std::unique_ptr<db::Connection> lock(const fs::path& path) {
  auto locked = db::Connection::open(path, db::Access::kWrite, std::chrono::milliseconds(100));
  const Status done = (*locked)->execute(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  if (!done) qFatal("%s", done.error().format().c_str());
  return std::move(*locked);
}

void makeSet(const fs::path& path, const std::string& name) {
  db::Database database = *db::Database::open(path);
  data::DataSetInfo info;
  info.name = name;
  QVERIFY(db::DataSets(database).create(info, {}));
}

}  // namespace

class TestFileChanges : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    testing::failOnWarnings();
    folder_ = std::make_unique<QTemporaryDir>();
    path_ = folder_->filePath(QStringLiteral("results.hloscope")).toStdString();
    other_ = folder_->filePath(QStringLiteral("other.hloscope")).toStdString();
    away_ = folder_->filePath(QStringLiteral("away.hloscope")).toStdString();
  }

  void runs_of_a_deleted_file_go_and_come_back() {
    store(path_, testing::kLoopProgram);
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    show(page, tasks);
    const int rows = page.list(RunsPage::kRuns)->rowCount();
    QVERIFY(rows > 0);
    fs::rename(path_, away_);
    look(page, tasks);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), 0);
    QCOMPARE(page.kernels()->rowCount(), 0);
    QVERIFY(says(page, "The results file is gone"));
    fs::rename(away_, path_);
    look(page, tasks);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), rows);
    QVERIFY(page.kernels()->rowCount() > 0);
    QVERIFY(!says(page, "The results file is gone"));
  }

  void runs_of_a_replaced_file_are_those_of_the_new_one() {
    store(path_, testing::kLoopProgram);
    store(other_, testing::kLoopProgram);
    {
      db::Database database = *db::Database::open(other_);
      const auto runs = db::list_runs(database);
      QVERIFY(runs && !runs->empty());
      QVERIFY(db::Runs(database).rename(runs->front().id, "of the other file"));
    }
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    show(page, tasks);
    page.removeSelected();
    settle(tasks);
    const int rows = page.list(RunsPage::kRuns)->rowCount();
    fs::rename(other_, path_);
    look(page, tasks);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), rows + 1);
    // The deletion was in the file before: nothing to take back here.
    page.undo();
    settle(tasks);
    QVERIFY(page.strip()->current() == nullptr);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), rows + 1);
    // What is written goes into the new file.
    page.removeSelected();
    settle(tasks);
    db::Database now = *db::Database::open(path_, db::OpenMode::kReadOnly);
    QCOMPARE(static_cast<int>(db::list_runs(now)->size()), rows);
  }

  void a_locked_file_is_named_with_a_way_on() {
    store(path_, testing::kLoopProgram);
    auto locked = lock(path_);
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    show(page, tasks);
    QVERIFY(page.strip()->current() != nullptr);
    QCOMPARE(page.strip()->current()->action_text, QStringLiteral("Retry"));
    QVERIFY(says(page, "could not be read"));
    QVERIFY(locked->execute("COMMIT"));
    locked.reset();
    page.strip()->current()->action();
    settle(tasks);
    QVERIFY(page.strip()->current() == nullptr);
    QVERIFY(page.list(RunsPage::kRuns)->rowCount() > 0);
  }

  void kernels_that_cannot_be_read_are_not_those_of_another_run() {
    store(path_, testing::kLoopProgram);
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    show(page, tasks);
    QVERIFY(page.kernels()->rowCount() > 0);
    fs::rename(path_, away_);
    QTableView* view = page.listView(RunsPage::kRuns);
    view->selectionModel()->setCurrentIndex(
        view->model()->index(1, 0),
        QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    settle(tasks);
    QCOMPARE(page.kernels()->rowCount(), 0);
    QVERIFY(page.strip()->current() != nullptr);
    QVERIFY(page.totals().isEmpty());
  }

  void a_read_only_file_is_shown_and_changes_are_refused() {
    store(path_, testing::kLoopProgram);
    {
      // As a newer version of the program would leave it: that holds for every user.
      auto database = db::Database::open(path_);
      QVERIFY(database->connection().execute("PRAGMA user_version = 1000"));
    }
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    show(page, tasks);
    const int rows = page.list(RunsPage::kRuns)->rowCount();
    QVERIFY(rows > 0);
    page.removeSelected();
    settle(tasks);
    QVERIFY(page.strip()->current() != nullptr);
    QVERIFY2(page.strip()->current()->text.contains("read-only"),
             qPrintable(page.strip()->current()->text));
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), rows);
  }

  void a_data_set_goes_comes_back_and_is_replaced() {
    makeSet(path_, "first");
    makeSet(other_, "second");
    TaskRunner tasks;
    DataPage page(tasks);
    page.openDataSets({QString::fromStdString(path_.string())});
    page.show();
    settle(tasks);
    DataSetsPanel* sets = page.dataSets();
    QVERIFY(sets->current() != nullptr);
    fs::rename(path_, away_);
    sets->watch()->check();
    settle(tasks);
    QVERIFY(sets->current() == nullptr);
    QVERIFY(page.strip()->current() != nullptr);
    QCOMPARE(page.strip()->current()->action_text, QStringLiteral("Retry"));
    QVERIFY(sets->programs()->accessibleDescription().contains("could not be read"));
    fs::rename(away_, path_);
    sets->watch()->check();
    settle(tasks);
    QVERIFY(page.strip()->current() == nullptr);
    QCOMPARE(sets->current()->info.name, std::string("first"));
    fs::rename(other_, path_);
    sets->watch()->check();
    settle(tasks);
    QCOMPARE(sets->current()->info.name, std::string("second"));
  }

  void a_locked_data_set_is_named_and_leaves_no_message_when_removed() {
    makeSet(path_, "first");
    auto locked = lock(path_);
    TaskRunner tasks;
    DataPage page(tasks);
    page.openDataSets({QString::fromStdString(path_.string())});
    page.show();
    settle(tasks);
    QVERIFY(page.strip()->current() != nullptr);
    QVERIFY(page.dataSets()->current() == nullptr);
    for (QAction* command : page.dataSets()->commands()) {
      if (command->objectName() == "data.remove") command->trigger();
    }
    QVERIFY(page.strip()->current() == nullptr);
    QVERIFY(page.dataSets()->paths().isEmpty());
  }

  void stored_points_of_a_deleted_file_do_not_stay() {
    store(path_, testing::kLoopProgram);
    TaskRunner tasks;
    ComparePage page(tasks, path_);
    page.resize(1280, 800);
    page.show();
    page.showSources(analysis::PairSource::kSimulated, analysis::PairSource::kAnalytical,
                     KernelSet::kStore);
    settle(tasks);
    fs::rename(path_, away_);
    page.findChild<FileWatch*>()->check();
    settle(tasks);
    QVERIFY2(page.findChild<ScatterChart*>()->emptyText().contains("could not be read"),
             qPrintable(page.findChild<ScatterChart*>()->emptyText()));
    fs::rename(away_, path_);
    page.findChild<FileWatch*>()->check();
    settle(tasks);
    QVERIFY(!page.findChild<ScatterChart*>()->emptyText().contains("could not be read"));
  }

 private:
  static void show(RunsPage& page, TaskRunner& tasks) {
    page.resize(1400, 900);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    settle(tasks);
  }
  static void look(RunsPage& page, TaskRunner& tasks) {
    page.watch()->check();
    settle(tasks);
  }

  std::unique_ptr<QTemporaryDir> folder_;
  fs::path path_;
  fs::path other_;
  fs::path away_;
};

HLOSCOPE_TEST(TestFileChanges);
#include "test_file_changes.moc"
