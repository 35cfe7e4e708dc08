#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>

#include "db/chosen_tiles.h"
#include "tests/support/test_registry.h"
#include "tests/ui/tiles/tiles_fixture.h"

using namespace hloscope;
using namespace hloscope::ui;
using testing::TilesFixture;
using testing::tilesReport;

namespace {

std::optional<sim::Tile> stored(const TilesFixture& fixture) {
  db::Database database = *db::Database::open(fixture.database());
  const analysis::ModuleReport& report = *fixture.page.ranking()->report;
  return *db::ChosenTiles(database).find(report.kernels.kernels[graph::KernelId(0)].hash,
                                         report.machine.id);
}

}  // namespace

class TestTilesPageUse : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void enter_stores_the_tile_and_undo_takes_it_back() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    const auto compiler = fixture.page.picks().in_use;
    fixture.page.view()->setFocus();
    QTest::keyClick(fixture.page.view(), Qt::Key_Return);
    fixture.wait();
    QVERIFY(stored(fixture) == std::optional(sim::Tile{{6, 12, 4, 1}, {3, 3, 24, 1}}));
    QVERIFY(fixture.page.picks().is_chosen);
    QCOMPARE(fixture.page.picks().in_use, fixture.page.selectedTile());
    QVERIFY(fixture.cell(0, TileTableModel::kPick).contains(QStringLiteral("your choice")));
    QTest::keySequence(fixture.page.view(), QKeySequence(QKeySequence::Undo));
    fixture.wait();
    QVERIFY(!stored(fixture));
    QCOMPARE(fixture.page.picks().in_use, compiler);
    QTest::keySequence(fixture.page.view(), QKeySequence(QKeySequence::Redo));
    fixture.wait();
    QVERIFY(stored(fixture));
  }

  void a_stored_tile_is_found_again() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    QTest::keyClick(fixture.page.view(), Qt::Key_Down);
    const auto tile = fixture.page.selectedTile();
    fixture.page.useTile(*tile);
    fixture.wait();
    // Another kernel, then this one again.
    fixture.open({tilesReport(6)});
    QVERIFY(!fixture.page.picks().is_chosen);
    fixture.open({tilesReport(2)});
    QVERIFY(fixture.page.picks().is_chosen);
    QCOMPARE(fixture.page.picks().in_use, tile);
  }

  void the_compilers_tile_is_no_choice() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    fixture.page.useTile(*fixture.page.selectedTile());
    fixture.page.useTile(*fixture.page.ranking()->default_tile);
    fixture.wait();
    QVERIFY(!stored(fixture));
    QVERIFY(!fixture.page.picks().is_chosen);
    QCOMPARE(fixture.page.undoStack()->count(), 2);
  }

  void without_a_results_file_nothing_is_chosen() {
    TaskRunner tasks;
    TilesPage page(tasks, {});
    page.resize(1200, 800);
    page.show();
    const ReportPtr report = tilesReport(6);
    page.setReports({report});
    page.setReport(report);
    page.setSelection({});
    QVERIFY(QTest::qWaitFor([&] { return tasks.isIdle() && page.ranking() != nullptr; }));
    QSignalSpy messages(&page, &ReportView::messageRequested);
    page.useTile(0);
    QCOMPARE(messages.size(), 1);
    QVERIFY(messages[0][0].toString().contains(QStringLiteral("no results file")));
    QCOMPARE(page.undoStack()->count(), 0);
  }

  void rows_and_the_command_can_be_copied() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    fixture.page.view()->setFocus();
    QTest::keySequence(fixture.page.view(), QKeySequence(QKeySequence::Copy));
    const QString row = QApplication::clipboard()->text();
    QVERIFY2(row.startsWith(QStringLiteral("1\tbest measured")), qPrintable(row));
    QVERIFY(row.contains(QStringLiteral("\t[6,12,4,1]\t[3,3,24,1]\t6\t")));
    QVERIFY(fixture.page.commandLine().endsWith(
        QStringLiteral("tpu_v3_tiles.pb#2 --kernel fusion.191 --tile out=6x12x4x1,kernel=3x3x24x1 "
                       "--machine tpu_v3")));
    QSignalSpy tune(&fixture.page, &TilesPage::tuneRequested);
    QTest::mouseClick(fixture.named<QToolButton>(QStringLiteral("Tune…")), Qt::LeftButton);
    QCOMPARE(tune.size(), 1);
  }
};

HLOSCOPE_TEST(TestTilesPageUse);
#include "test_tiles_page_use.moc"
