#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include "db/export_runs.h"
#include "db/store.h"
#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/pages/runs/run_tables.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/error_strip.h"
#include "ui/theme/format.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

void waitForRuns(TaskRunner& tasks) {
  for (int quiet = 0; quiet < 3; ++quiet) {
    QTRY_VERIFY_WITH_TIMEOUT(tasks.isIdle(), 20'000);
    QTest::qWait(5);
  }
}

void showRuns(RunsPage& page, TaskRunner& tasks) {
  page.resize(1400, 900);
  page.show();
  QVERIFY(QTest::qWaitForWindowExposed(&page));
  waitForRuns(tasks);
}

void selectRow(RunsPage& page, int row, QItemSelectionModel::SelectionFlag how) {
  QTableView* view = page.listView(RunsPage::kRuns);
  view->selectionModel()->setCurrentIndex(view->model()->index(row, 0),
                                          how | QItemSelectionModel::Rows);
}

QString cell(const RunsPage& page, int row, RunColumn column) {
  return page.list(RunsPage::kRuns)->index(row, static_cast<int>(column)).data().toString();
}

}  // namespace

class TestRunsPage : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    testing::failOnWarnings();
    folder_ = std::make_unique<QTemporaryDir>();
    path_ = folder_->filePath(QStringLiteral("results.hloscope")).toStdString();
  }

  void an_empty_page_says_why_and_what_next() {
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    showRuns(page, tasks);
    const QList<QLabel*> labels = page.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains(QStringLiteral("Open a program"));
    }));
    // Looking makes no file.
    QVERIFY(!std::filesystem::exists(path_));
  }

  void runs_are_those_of_the_command_line() {
    store(testing::kLoopProgram, "loop.hlo");
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    showRuns(page, tasks);
    const auto runs = stored();
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), static_cast<int>(runs.size()));
    for (size_t i = 0; i < runs.size(); ++i) {
      const int row = static_cast<int>(i);
      QCOMPARE(cell(page, row, RunColumn::kRun), QString::number(runs[i].id.value));
      QCOMPARE(cell(page, row, RunColumn::kSource),
               QString::fromStdString(runs[i].key.source_kind));
      QCOMPARE(cell(page, row, RunColumn::kTotal), formatTimeUs(runs[i].total_ns));
      QCOMPARE(cell(page, row, RunColumn::kFile), QStringLiteral("loop.hlo"));
    }
    QCOMPARE(page.list(RunsPage::kPrograms)->rowCount(), 1);
    QCOMPARE(page.list(RunsPage::kMeasured)->rowCount(), 0);
  }

  void one_run_shows_its_kernels_and_two_are_compared() {
    store(testing::kLoopProgram, "loop.hlo");
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    showRuns(page, tasks);
    // The newest is selected at once.
    QVERIFY(page.kernels()->rowCount() > 0);
    QCOMPARE(page.properties()->columnCount(), 2);
    selectRow(page, 1, QItemSelectionModel::Select);
    waitForRuns(tasks);
    QCOMPARE(page.properties()->columnCount(), 3);
    const auto runs = stored();
    const double ratio = runs[0].total_ns / runs[1].total_ns;  // the older one is the first
    QVERIFY2(page.totals().contains(formatNumber(ratio, 3)), qPrintable(page.totals()));
    QVERIFY(page.totals().contains(formatTimeUs(runs[0].total_ns)));
    // Times executions of one run's kernels are its total.
    double total = 0;
    db::Database database = *db::Database::open(path_, db::OpenMode::kReadOnly);
    const auto kernels = *db::run_kernels(database, runs[0].id);
    for (const db::RunKernel& kernel : kernels) {
      total += kernel.first->time_ns * kernel.executions;
    }
    QVERIFY(std::abs(total - runs[0].total_ns) < 1e-6 * total);
  }

  void settings_and_bounds_are_words() {
    auto report =
        std::make_shared<analysis::ModuleReport>(*testing::reportOf(testing::kLoopProgram));
    report->predicted.by.model = "mine";
    report->predicted.by.hash = Hash128{0x0123456789abcdefU, 0};
    report->predicted.of_kernels.resize(report->kernels.kernels.size(),
                                        analysis::PredictedTime{.time_ns = 1000});
    db::Database database = *db::Database::open(path_);
    QVERIFY(db::store_report(database, *report));
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    showRuns(page, tasks);
    const auto property = [&page](const char* name) {
      for (int row = 0; row < page.properties()->rowCount(); ++row) {
        if (page.properties()->index(row, 0).data().toString() != name) continue;
        return page.properties()->index(row, 1).data().toString();
      }
      return QString();
    };
    // The newest run is that of the model.
    QCOMPARE(property("Source"), QStringLiteral("predicted"));
    QCOMPARE(property("Settings"), QStringLiteral("mine@%1").arg(QString::fromStdString(
                                       report->predicted.by.hash.hex().substr(0, 8))));
    constexpr int kBound = 6;
    QCOMPARE(page.kernels()->headerData(kBound, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Bound by"));
    QCOMPARE(page.kernels()->index(0, kBound).data().toString(), noValue());
    selectRow(page, 1, QItemSelectionModel::ClearAndSelect);
    waitForRuns(tasks);
    QCOMPARE(property("Settings"), noValue());
    QVERIFY(page.kernels()->index(0, kBound).data().toString() != noValue());
    // No run has a name, and none is of a fused program.
    QVERIFY(page.listView(RunsPage::kRuns)->isColumnHidden(static_cast<int>(RunColumn::kName)));
    QVERIFY(page.listView(RunsPage::kRuns)->isColumnHidden(static_cast<int>(RunColumn::kFusion)));
  }

  void a_pinned_run_is_compared_with_every_other() {
    store(testing::kLoopProgram, "loop.hlo");
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    showRuns(page, tasks);
    page.findChild<QAction*>(QStringLiteral("runs.pin"))->trigger();
    selectRow(page, 1, QItemSelectionModel::ClearAndSelect);
    waitForRuns(tasks);
    QCOMPARE(page.properties()->columnCount(), 3);
    page.findChild<QAction*>(QStringLiteral("runs.pin"))->trigger();
    waitForRuns(tasks);
    QCOMPARE(page.properties()->columnCount(), 2);
  }

  void words_and_source_filter() {
    store(testing::kLoopProgram, "loop.hlo");
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    showRuns(page, tasks);
    auto* filter = page.findChild<QLineEdit*>();
    filter->setText(QStringLiteral("simulator LOOP"));
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), 1);
    filter->setText(QStringLiteral("nothing"));
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), 0);
    filter->clear();
    auto* source = page.findChild<QComboBox*>();
    source->setCurrentIndex(source->findData(QStringLiteral("analytical")));
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), 1);
    const QVariantMap state = page.saveState();
    RunsPage other(tasks, path_);
    other.restoreState(state);
    showRuns(other, tasks);
    QCOMPARE(other.list(RunsPage::kRuns)->rowCount(), 1);
  }

  void deleted_runs_come_back() {
    store(testing::kLoopProgram, "loop.hlo");
    const std::string before = db::runs_json(stored());
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    showRuns(page, tasks);
    QTableView* view = page.listView(RunsPage::kRuns);
    view->setFocus();
    view->selectAll();
    QTest::keyClick(view, Qt::Key_Delete);
    waitForRuns(tasks);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), 0);
    QVERIFY(stored().empty());
    QVERIFY(page.strip()->current() != nullptr);
    page.strip()->current()->action();
    waitForRuns(tasks);
    QCOMPARE(db::runs_json(stored()), before);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), 2);
    QVERIFY(page.strip()->current() == nullptr);
  }

  void runs_and_programs_are_renamed_and_back() {
    store(testing::kLoopProgram, "loop.hlo");
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    showRuns(page, tasks);
    const db::RunInfo run = stored().front();
    page.rename({run.id, {}, "before the change"});
    waitForRuns(tasks);
    QCOMPARE(cell(page, 0, RunColumn::kName), QStringLiteral("before the change"));
    QVERIFY(page.strip()->current() != nullptr);
    page.rename({{}, run.key.program, "my loop"});
    waitForRuns(tasks);
    QCOMPARE(cell(page, 0, RunColumn::kProgram), QStringLiteral("my loop"));
    QCOMPARE(page.list(RunsPage::kPrograms)->index(0, 0).data().toString(),
             QStringLiteral("my loop"));
    page.undo();
    waitForRuns(tasks);
    QCOMPARE(cell(page, 0, RunColumn::kProgram), QString::fromStdString(run.program_name));
    QCOMPARE(cell(page, 0, RunColumn::kName), QStringLiteral("before the change"));
    page.undo();
    waitForRuns(tasks);
    QVERIFY(stored().front().name.empty());
    QVERIFY(page.strip()->current() == nullptr);
    page.undo();  // Nothing is left.
    waitForRuns(tasks);
  }

  void another_file_is_looked_into_and_left() {
    store(testing::kLoopProgram, "loop.hlo");
    TaskRunner tasks;
    const std::string own = folder_->filePath(QStringLiteral("own.hloscope")).toStdString();
    RunsPage page(tasks, own);
    showRuns(page, tasks);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), 0);
    page.setDatabase(path_);
    waitForRuns(tasks);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), 2);
    QCOMPARE(page.saveState()[QStringLiteral("recent")].toStringList(),
             QStringList{QString::fromStdString(path_)});
    page.setDatabase(own);
    waitForRuns(tasks);
    QCOMPARE(page.list(RunsPage::kRuns)->rowCount(), 0);
    // What is no results file is told in a strip.
    const std::string bad = folder_->filePath(QStringLiteral("bad.hloscope")).toStdString();
    QFile file(QString::fromStdString(bad));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("no database at all, but more than sixteen bytes");
    file.close();
    page.setDatabase(bad);
    waitForRuns(tasks);
    QVERIFY(page.strip()->current() != nullptr);
    QVERIFY(page.strip()->current()->place.contains(QStringLiteral("bad.hloscope")) ||
            page.strip()->current()->text.contains(QStringLiteral("bad.hloscope")));
  }

  void a_double_click_opens_the_program() {
    store(testing::kLoopProgram, "loop.hlo");
    TaskRunner tasks;
    RunsPage page(tasks, path_);
    showRuns(page, tasks);
    const QSignalSpy opened(&page, &RunsPage::openRequested);
    emit page.listView(RunsPage::kRuns)->activated(page.list(RunsPage::kRuns)->index(0, 0));
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].toStringList(), QStringList{"loop.hlo"});
  }

 private:
  void store(const char* text, const char* file) {
    db::Database database = *db::Database::open(path_);
    QVERIFY(db::store_report(database, *testing::reportOf(text, file)));
  }
  [[nodiscard]] std::vector<db::RunInfo> stored() const {
    db::Database database = *db::Database::open(path_, db::OpenMode::kReadOnly);
    return *db::list_runs(database);
  }

  std::unique_ptr<QTemporaryDir> folder_;
  std::string path_;
};

HLOSCOPE_TEST(TestRunsPage);
#include "test_runs_page.moc"
