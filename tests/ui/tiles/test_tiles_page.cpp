#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include "tests/support/test_registry.h"
#include "tests/ui/tiles/tiles_fixture.h"
#include "ui/charts/tile_curve_chart.h"
#include "ui/charts/tile_heat_map.h"
#include "ui/charts/tile_pipeline_chart.h"
#include "ui/pages/tiles/tile_card.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

using namespace hloscope;
using namespace hloscope::ui;
using analysis::TimeSource;
using testing::TilesFixture;
using testing::tilesReport;

class TestTilesPage : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void without_a_file_every_part_says_why_and_what_to_do() {
    TilesFixture fixture;
    fixture.open({});
    const auto* empty = fixture.page.findChild<QLabel*>(QStringLiteral("tilesEmpty"));
    QVERIFY(empty->isVisible());
    QVERIFY(empty->text().contains(QStringLiteral("No program is open")));
    QVERIFY(empty->text().contains(QStringLiteral("Start page")));
    QCOMPARE(fixture.page.curve()->emptyText(), empty->text());
    QCOMPARE(fixture.page.pipeline()->emptyText(), empty->text());
    QCOMPARE(fixture.page.cards()[0]->text(), QStringLiteral("no kernel"));
    QVERIFY(!fixture.named<QToolButton>(QStringLiteral("Tune…"))->isEnabled());
  }

  // Best 137.3 µs and default 151.6 µs at rank 9, as the file holds them; the figures of the models
  // are those of core/accuracy.
  void measured_tiles_are_ranked_by_their_times() {
    TilesFixture fixture;
    const QAbstractItemModelTester tester(fixture.page.model());
    fixture.open({tilesReport(2)});
    QCOMPARE(fixture.page.model()->rowCount(), 579);
    QCOMPARE(fixture.cell(0, TileTableModel::kRank), QStringLiteral("1"));
    QCOMPARE(fixture.cell(0, TileTableModel::kOutput), QStringLiteral("[6,12,4,1]"));
    QCOMPARE(fixture.cell(0, TileTableModel::kKernel), QStringLiteral("[3,3,24,1]"));
    QCOMPARE(fixture.cell(0, TileTableModel::kMeasured), QStringLiteral("137.3"));
    QCOMPARE(fixture.cell(0, TileTableModel::kSlowdown), QStringLiteral("0.0"));
    QVERIFY(fixture.cell(0, TileTableModel::kPick).contains(QStringLiteral("best measured")));
    QCOMPARE(fixture.cell(8, TileTableModel::kMeasured), QStringLiteral("151.6"));
    QVERIFY(fixture.cell(8, TileTableModel::kPick).contains(QStringLiteral("XLA default")));
    const predict::TileRanking& ranking = *fixture.page.ranking();
    for (const TileCard* card : fixture.page.cards()) {
      const predict::TileColumn& column = ranking.column(card->source());
      QVERIFY(card->text().contains(QStringLiteral("top-1 ") +
                                    formatPercent(*column.ranking.top1_slowdown)));
      QVERIFY(card->text().contains(formatNumber(*column.ranking.kendall_tau, 3)));
      if (!column.is_score) QVERIFY(card->text().contains(formatPercent(column.errors.mean)));
    }
    // A score is not a time, and a card tells whose choices were how slow.
    const auto header = [&fixture](int column) {
      return fixture.page.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    };
    QCOMPARE(header(TileTableModel::kPredicted), ranking.column(TimeSource::kPredicted).is_score
                                                     ? QStringLiteral("Pred. score, #")
                                                     : QStringLiteral("Pred. µs, #"));
    QCOMPARE(header(TileTableModel::kSimulated), QStringLiteral("Simul. µs, #"));
    QCOMPARE(fixture.page.cards()[1]->accessibleName(),
             QStringLiteral("Simulator picks: measured slowdown"));
    QCOMPARE(fixture.page.curve()->line().time_ns.size(), size_t{579});
    QCOMPARE(fixture.page.curve()->points().size(), size_t{3});
  }

  // 137.3 and 151.6 µs measured; 137.3 / 151.6 - 1 = -9.4 %, 151.6 / 137.3 - 1 = +10.4 %.
  void changes_are_against_the_pinned_tile_else_the_default() {
    TilesFixture fixture;
    const QAbstractItemModelTester tester(fixture.page.model());
    fixture.open({tilesReport(2)});
    QVERIFY(!fixture.page.view()->isColumnHidden(TileTableModel::kDelta));
    QCOMPARE(fixture.cell(0, TileTableModel::kDelta), QStringLiteral("−9.4"));
    QCOMPARE(fixture.cell(8, TileTableModel::kDelta), QStringLiteral("+0.0"));
    const auto help = [&fixture] {
      return fixture.page.model()
          ->headerData(TileTableModel::kDelta, Qt::Horizontal, Qt::ToolTipRole)
          .toString();
    };
    QVERIFY2(help().contains(QStringLiteral("measured time against that of the default")),
             qPrintable(help()));
    fixture.page.selectTile(*fixture.page.model()->tileAt(fixture.page.model()->index(0, 0)));
    fixture.page.view()->setFocus();
    QTest::keyClick(fixture.page.view(), Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(fixture.cell(0, TileTableModel::kDelta), QStringLiteral("+0.0"));
    QCOMPARE(fixture.cell(8, TileTableModel::kDelta), QStringLiteral("+10.4"));
    QVERIFY(fixture.cell(0, TileTableModel::kPick).contains(QStringLiteral("pinned")));
    QVERIFY(help().contains(QStringLiteral("pinned tile")));
    // It sorts by the change: the fastest first.
    fixture.page.view()->sortByColumn(TileTableModel::kDelta, Qt::AscendingOrder);
    QCOMPARE(fixture.cell(0, TileTableModel::kDelta), QStringLiteral("+0.0"));
    // By another source it is the change of its times.
    auto* source = fixture.named<QComboBox>(QStringLiteral("Ranked by"));
    source->setCurrentIndex(source->findData(static_cast<int>(TimeSource::kSimulated)));
    emit source->activated(source->currentIndex());
    fixture.wait();
    const auto pinned = fixture.page.picks().pinned;
    QVERIFY(pinned.has_value());
    const auto& times = fixture.page.ranking()->column(TimeSource::kSimulated).values;
    const auto first = *fixture.page.model()->tileAt(fixture.page.model()->index(0, 0));
    QCOMPARE(fixture.page.model()->delta(first), (times[first] - times[*pinned]) / times[*pinned]);
    fixture.page.pinTile(pinned);
    QVERIFY(!fixture.page.picks().pinned);
  }

  void a_wide_window_is_for_the_charts() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    fixture.page.resize(2500, 1300);
    QTRY_VERIFY(fixture.page.width() == 2500);
    const QTableView* view = fixture.page.view();
    QTRY_VERIFY(view->width() < 1000);
    QVERIFY(!view->isColumnHidden(TileTableModel::kAnalytical));
    QVERIFY(!view->isColumnHidden(TileTableModel::kIterations));
    QVERIFY(fixture.page.curve()->width() > 1400);
  }

  void a_kernel_without_measured_tiles_is_ranked_by_a_model() {
    TilesFixture fixture;
    fixture.open({tilesReport(8)});
    const predict::TileRanking& ranking = *fixture.page.ranking();
    QCOMPARE(static_cast<size_t>(fixture.page.model()->rowCount()), ranking.size());
    QCOMPARE(fixture.page.model()->source(), ranking.best_source());
    QVERIFY(fixture.page.view()->isColumnHidden(TileTableModel::kMeasured));
    QVERIFY(fixture.page.view()->isColumnHidden(TileTableModel::kSlowdown));
    QCOMPARE(fixture.page.cards()[1]->text(), QStringLiteral("needs measured tiles"));
    auto* source = fixture.named<QComboBox>(QStringLiteral("Ranked by"));
    QCOMPARE(source->currentIndex(), 1);
    // By hand another one: the table follows.
    QTest::keyClick(source, Qt::Key_Down);
    QCOMPARE(fixture.page.model()->source(), TimeSource::kSimulated);
    const auto first = fixture.page.model()->tileAt(fixture.page.model()->index(0, 0));
    QCOMPARE(first, ranking.column(TimeSource::kSimulated).first);
    fixture.wait();
  }

  void few_measured_tiles_have_no_figures() {
    TilesFixture fixture;
    fixture.open({tilesReport(6)});
    QVERIFY(fixture.page.cards()[1]->text().startsWith(
        QStringLiteral("needs 10 measured tiles, has 5")));
    QVERIFY(fixture.page.cards()[1]->text().contains(QStringLiteral("MAPE")));
  }

  void a_kernel_that_is_not_cut_in_tiles_says_so() {
    TilesFixture fixture;
    const auto report = testing::reportOf(R"(HloModule m, is_scheduled=true
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[1024,128]{1,0} parameter(0)
  ROOT r = f32[1024,128]{1,0} all-reduce(x), replica_groups={{0,1}}, to_apply=add
})");
    fixture.open({report}, {graph::KernelId(0), {}});
    const auto* empty = fixture.page.findChild<QLabel*>(QStringLiteral("tilesEmpty"));
    QVERIFY2(empty->text().contains(QStringLiteral("r is not cut in tiles (collective)")),
             qPrintable(empty->text()));
    fixture.open({report});
    QVERIFY(empty->text().contains(QStringLiteral("No kernel of this file is cut in tiles")));
  }

  void the_filter_hides_rows_and_tells_what_it_cannot_read() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    auto* filter = fixture.named<QLineEdit>(QStringLiteral("Filter"));
    QTest::keyClicks(filter, QStringLiteral("rank<=50"));
    QCOMPARE(fixture.page.model()->rowCount(), 50);
    QCOMPARE(fixture.page.curve()->line().time_ns.size(), size_t{50});
    filter->setText(QStringLiteral("rank<=50 speed<3"));
    QVERIFY(filter->property("bad").toBool());
    QVERIFY(filter->toolTip().contains(QStringLiteral("speed")));
    QCOMPARE(fixture.page.model()->rowCount(), 50);
    QTest::keyClick(filter, Qt::Key_Escape);
    QCOMPARE(fixture.page.model()->rowCount(), 579);
    QTest::keyClicks(filter, QStringLiteral("rank>9999"));
    const auto* empty = fixture.page.findChild<QLabel*>(QStringLiteral("tilesEmpty"));
    QVERIFY(empty->isVisible());
    QVERIFY(empty->text().contains(QStringLiteral("filter")));
  }

  void the_pipeline_follows_the_keys() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    fixture.page.view()->setFocus();
    const uint32_t first = fixture.page.selectedTile().value();
    QCOMPARE(fixture.page.ranking()->column(TimeSource::kMeasured).ranks[first], 1U);
    const QString before = fixture.page.pipeline()->csv();
    QTest::keyClick(fixture.page.view(), Qt::Key_Down);
    QCOMPARE(fixture.page.ranking()
                 ->column(TimeSource::kMeasured)
                 .ranks[fixture.page.selectedTile().value()],
             2U);
    QVERIFY(fixture.page.pipeline()->csv() != before);
    QCOMPARE(fixture.page.curve()->selected(), 1);
    // A lane for each operand, the core, and the result.
    const size_t streams = fixture.page.ranking()->model.streams.size();
    QCOMPARE(fixture.page.pipeline()->lanes().size(), streams + 1);
  }

  void a_click_on_the_curve_selects_the_tile() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    auto* first = fixture.named<QToolButton>(QStringLiteral("The first 50 tiles"));
    QTest::mouseClick(first, Qt::LeftButton);
    QCOMPARE(fixture.page.curve()->shownCount(), 50);
    fixture.page.curve()->grab();
    const double time_ns = fixture.page.curve()->line().time_ns[20];
    QTest::mouseClick(fixture.page.curve(), Qt::LeftButton, {},
                      fixture.page.curve()->placeOf(20, time_ns).toPoint());
    const uint32_t tile = fixture.page.selectedTile().value();
    QCOMPARE(fixture.page.ranking()->column(TimeSource::kMeasured).values[tile], time_ns);
    QTest::keyClick(fixture.page.curve(), Qt::Key_Right);
    QCOMPARE(fixture.page.curve()->selected(), 21);
  }

  void the_map_holds_the_best_time_of_each_pair_of_bounds() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    QTest::keyClick(&fixture.page, Qt::Key_M, Qt::ControlModifier);
    QVERIFY(fixture.page.map()->isVisible());
    auto* x = fixture.named<QComboBox>(QStringLiteral("Dimension to the right"));
    QVERIFY(x->count() >= 4);
    double best_ns = HUGE_VAL;
    uint32_t tiles = 0;
    const TileHeatMap* map = fixture.page.map();
    for (size_t column = 0; column < map->columns().size(); ++column) {
      for (size_t row = 0; row < map->rows().size(); ++row) {
        const TileHeatMap::Cell* cell = map->cell(column, row);
        if (cell == nullptr) continue;
        best_ns = std::min(best_ns, cell->best_ns);
        tiles += cell->trials;
        QVERIFY(!cell->is_estimate);
      }
    }
    QCOMPARE(tiles, 579U);
    const predict::TileColumn& measured = fixture.page.ranking()->column(TimeSource::kMeasured);
    QCOMPARE(best_ns, measured.values[*measured.first]);
    const QVariantMap state = fixture.page.saveState();
    QTest::keyClick(x, Qt::Key_Down);
    QVERIFY(fixture.page.saveState() != state);
    QVERIFY(fixture.page.map()->emptyText().isEmpty());
  }

  void a_cancelled_ranking_can_be_asked_for_again() {
    TilesFixture fixture;
    const auto report = tilesReport(2);
    fixture.page.setReports({report});
    fixture.page.setReport(report);
    fixture.page.setSelection({});
    QVERIFY(fixture.tasks.cancelNewest());
    const auto* empty = fixture.page.findChild<QLabel*>(QStringLiteral("tilesEmpty"));
    QVERIFY2(empty->text().startsWith(QStringLiteral("The ranking was cancelled")),
             qPrintable(empty->text()));
    fixture.wait();
    QVERIFY(fixture.page.ranking() == nullptr);
    fixture.page.setSelection({graph::KernelId(0), {}});
    fixture.wait();
    QCOMPARE(fixture.page.model()->rowCount(), 579);
  }

  void more_tiles_stand_beside_the_measured_ones() {
    TilesFixture fixture;
    fixture.open({tilesReport(5)});
    QCOMPARE(fixture.page.model()->rowCount(), 10);
    auto* more = fixture.named<QToolButton>(QStringLiteral("Enumerate more"));
    emit more->menu()->aboutToShow();
    QCOMPARE(more->menu()->actions().size(), 4);
    more->menu()->actions()[1]->trigger();
    fixture.wait();
    QVERIFY(fixture.page.model()->rowCount() > 100);
    // Measured first, then those without a rank.
    QCOMPARE(fixture.cell(9, TileTableModel::kRank), QStringLiteral("10"));
    QCOMPARE(fixture.cell(10, TileTableModel::kRank), noValue());
    emit more->menu()->aboutToShow();
    more->menu()->actions()[0]->trigger();
    fixture.wait();
    QCOMPARE(fixture.page.model()->rowCount(), 10);
  }

  void another_kernel_of_the_file_is_chosen_in_the_box() {
    TilesFixture fixture;
    const std::vector<ReportPtr> reports{tilesReport(2), tilesReport(6)};
    fixture.open(reports);
    QSignalSpy selected(&fixture.page, &ReportView::selectionRequested);
    auto* kernels = fixture.named<QComboBox>(QStringLiteral("Kernel"));
    QCOMPARE(kernels->count(), 2);
    QVERIFY(kernels->currentText().startsWith(QStringLiteral("fusion.191")));
    QTest::keyClick(kernels, Qt::Key_Down);
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected[0][0].value<ReportPtr>(), reports[1]);
  }

  void the_map_follows_to_a_kernel_of_other_loops() {
    TilesFixture fixture;
    const std::vector<ReportPtr> reports{tilesReport(2), tilesReport(6)};
    fixture.open(reports);
    fixture.page.setReport(reports[1]);
    fixture.page.setSelection({graph::KernelId(0), {}});
    fixture.wait();
    TilesFixture fresh;
    fresh.open({reports[1]});
    QCOMPARE(fixture.page.map()->csv(), fresh.page.map()->csv());
    QVERIFY(fresh.page.map()->csv().count('\n') > 2);
  }

  void a_narrow_page_drops_columns_and_squeezes_none() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    fixture.page.resize(1100, 640);
    QCoreApplication::processEvents();
    QVERIFY(fixture.page.view()->isColumnHidden(TileTableModel::kIterations));
    QVERIFY(!fixture.page.view()->isColumnHidden(TileTableModel::kMeasured));
    fixture.page.resize(2400, 1200);
    QCoreApplication::processEvents();
    QVERIFY(!fixture.page.view()->isColumnHidden(TileTableModel::kIterations));
  }

  void every_number_has_room_in_its_column() {
    TilesFixture fixture;
    const auto report = testing::reportOf(R"(HloModule m, is_scheduled=true
ENTRY main {
  x = f32[65536,1024]{1,0} parameter(0)
  ROOT e = f32[65536,1024]{1,0} exponential(x)
})");
    fixture.open({report});
    QVERIFY(fixture.page.ranking()->column(TimeSource::kSimulated).values[0] > 1e6);
    const QFontMetrics metrics(fixture.page.view()->font());
    for (int column = 0; column < TileTableModel::kColumnCount; ++column) {
      if (column == TileTableModel::kPick || fixture.page.view()->isColumnHidden(column)) continue;
      const int width = fixture.page.view()->columnWidth(column);
      for (int row = 0; row < fixture.page.model()->rowCount(); ++row) {
        const QModelIndex index = fixture.page.model()->index(row, column);
        const QString rank = index.data(TileTableModel::kRankRole).toString();
        const int needed = metrics.horizontalAdvance(index.data().toString()) +
                           QFontMetrics(smallFont()).horizontalAdvance(rank);
        QVERIFY2(needed + 12 <= width, qPrintable(index.data().toString()));
      }
    }
  }

  void all_that_takes_the_focus_has_a_name() {
    TilesFixture fixture;
    fixture.open({tilesReport(2)});
    for (const QWidget* widget : fixture.page.findChildren<QWidget*>()) {
      if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible()) continue;
      QVERIFY2(
          !widget->accessibleName().isEmpty() || !widget->property("text").toString().isEmpty(),
          widget->metaObject()->className());
    }
  }
};

HLOSCOPE_TEST(TestTilesPage);
#include "test_tiles_page.moc"
