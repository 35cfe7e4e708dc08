// Runs, Data and Compare, and what may happen to the file that they show.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <filesystem>

#include "db/data_sets.h"
#include "db/removed_runs.h"
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

constexpr auto kOneDot = R"(HloModule dot, is_scheduled=true
ENTRY main {
  a = f32[64,64]{1,0} parameter(0)
  ROOT d = f32[64,64]{1,0} dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

void store(const fs::path& path, const char* text) {
  db::Database database = *db::Database::open(path);
  QVERIFY(db::store_report(database, *testing::reportOf(text, "program.hlo")));
}

/// The same file with the content of another one.
void copyOver(const fs::path& from, const fs::path& to) {
  QFile source(QString::fromStdString(from.string()));
  QFile target(QString::fromStdString(to.string()));
  QVERIFY(source.open(QIODevice::ReadOnly));
  QVERIFY(target.open(QIODevice::WriteOnly | QIODevice::Truncate));
  target.write(source.readAll());
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

  // By other programs, or as cp does.
  void what_is_written_into_the_file_is_seen() {
    store(path_, testing::kLoopProgram);
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    show(page, tasks);
    const int rows = page.list(RunsPage::kRuns)->rowCount();
    QSignalSpy resets(page.list(RunsPage::kRuns), &QAbstractItemModel::modelReset);
    // Nothing has changed: nothing is read again.
    look(page, tasks);
    page.hide();
    show(page, tasks);
    QCOMPARE(resets.count(), 0);
    {
      db::Database database = *db::Database::open(path_);
      const auto runs = db::list_runs(database);
      QVERIFY(db::Runs(database).rename(runs->front().id, "by another program"));
    }
    look(page, tasks);
    QVERIFY(resets.count() > 0);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), rows);
    QCOMPARE(nameOfFirst(page), std::string("by another program"));
    // Another file with one run less, copied over it.
    store(other_, testing::kLoopProgram);
    {
      db::Database database = *db::Database::open(other_);
      const auto runs = db::list_runs(database);
      const db::RunId first = runs->front().id;
      QVERIFY(db::RemovedRuns(database).remove({&first, 1}));
      QVERIFY(database.empty_log());
    }
    copyOver(other_, path_);
    look(page, tasks);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), rows - 1);
    QVERIFY(page.kernels()->rowCount() > 0);
    QVERIFY(page.strip()->current() == nullptr);
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
    makeSet(other_, "third");
    copyOver(other_, path_);
    // The first look sees that it is written, the second one that the writing is over.
    sets->watch()->check();
    sets->watch()->check();
    settle(tasks);
    QCOMPARE(sets->current()->info.name, std::string("third"));
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

  void stored_points_are_read_again_when_something_was_stored() {
    store(path_, testing::kLoopProgram);
    StoredPoints stored(path_);
    const auto first = stored.read("tpu_v3", {}, {});
    QVERIFY(first.has_value() && *first != nullptr);
    QVERIFY(!(*first)->version.empty());
    QVERIFY(*stored.read("tpu_v3", (*first)->version, {}) == nullptr);
    // Another machine, and another program that stores.
    QVERIFY(*stored.read("tpu_v4", (*first)->version, {}) != nullptr);
    store(path_, kOneDot);
    const auto second = stored.read("tpu_v3", (*first)->version, {});
    QVERIFY(second.has_value() && *second != nullptr);
    QVERIFY((*second)->version != (*first)->version);
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
    // Twice: what is written is told when it has come to rest.
    for (int i = 0; i < 2; ++i) {
      page.watch()->check();
      settle(tasks);
    }
  }
  static std::string nameOfFirst(RunsPage& page) {
    return page.list(RunsPage::kRuns)->index(0, 1).data().toString().toStdString();
  }

  std::unique_ptr<QTemporaryDir> folder_;
  fs::path path_;
  fs::path other_;
  fs::path away_;
};

HLOSCOPE_TEST(TestFileChanges);
#include "test_file_changes.moc"
