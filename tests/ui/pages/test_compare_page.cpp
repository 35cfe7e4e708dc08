#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <cmath>

#include "db/database.h"
#include "db/store.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/ui/pages/compare_fixture.h"
#include "ui/charts/group_error_chart.h"
#include "ui/charts/residual_chart.h"
#include "ui/charts/scatter_chart.h"
#include "ui/pages/compare/compare_models.h"
#include "ui/pages/compare/compare_page.h"

using namespace hloscope;
using namespace hloscope::ui;
using testing::combo;
using testing::metric;
using testing::point;
using testing::points;
using testing::sampleReports;
using testing::show;

class TestComparePage : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void metrics_are_those_computed_by_hand() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    // All: (50 + 0 + 10 + 20) / 4 %, median (10 + 20) / 2 %, same order, 2 of 4 within 10 %.
    QCOMPARE(metric(page, 2, MetricsModel::kCount), QStringLiteral("4"));
    QCOMPARE(metric(page, 2, MetricsModel::kMape), QStringLiteral("20.0"));
    QCOMPARE(metric(page, 2, MetricsModel::kMedian), QStringLiteral("15.0"));
    QCOMPARE(metric(page, 2, MetricsModel::kTau), QStringLiteral("1.000"));
    QCOMPARE(metric(page, 2, MetricsModel::kWithin), QStringLiteral("50"));
    // Two points below 5 µs: too few to say anything.
    QCOMPARE(metric(page, 0, MetricsModel::kCount), QStringLiteral("2"));
    QCOMPARE(metric(page, 0, MetricsModel::kMape), QString(QChar(0x2013)));
    QVERIFY(page.metrics()->markdown().contains(QStringLiteral("| simulated | all | 4 | 20.0 |")));
    // Of twice the time: (200 + 100 + 80 + 140) / 4 %.
    QVERIFY(
        page.metrics()->markdown().contains(QStringLiteral("| analytical | all | 4 | 130.0 |")));
  }

  void metrics_are_compared_with_those_of_the_baseline() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    // 20.0 of the simulated times, 130.0 of the analytical ones, which are the baseline.
    QCOMPARE(metric(page, 2, MetricsModel::kDelta), QStringLiteral("−110.0"));
    QCOMPARE(metric(page, 5, MetricsModel::kDelta), QString(QChar(0x2013)));
    QCOMPARE(page.metrics()->index(2, MetricsModel::kMedian).data(Qt::ToolTipRole).toString(),
             QStringLiteral("−105.0 against the baseline, analytical"));  // 15.0 and 120.0
    QVERIFY(page.metrics()->markdown().contains(QStringLiteral("| 20.0 | −110.0 | 15.0 |")));
    combo(page, QStringLiteral("Baseline"))->setCurrentIndex(0);
    QVERIFY(!page.metrics()->hasBaseline());
    QVERIFY(!page.metrics()->markdown().contains(QStringLiteral("Δ MAPE")));
  }

  void pinned_times_are_a_source_to_compare_with() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const std::vector<ReportPtr> reports = sampleReports();
    page.setReports(reports);
    page.setReport(reports.front());
    page.setSelection({});
    QComboBox* behind = combo(page, QStringLiteral("Baseline"));
    const int item = behind->findData(static_cast<int>(analysis::PairSource::kPinned));
    const auto is_offered = [&] {
      return behind->model()->index(item, 0).flags().testFlag(Qt::ItemIsEnabled);
    };
    QVERIFY(!is_offered());
    QVERIFY(behind->itemData(item, Qt::ToolTipRole).toString().startsWith("Nothing is pinned"));
    // Twice as long as now.
    auto before = std::make_shared<analysis::ModuleReport>(*reports.front());
    auto& time = before->times.simulated[graph::KernelId(0)].time_ns;
    time *= 2;
    const ReportPtr pinned = before;
    page.setBaseline(analysis::pinned_times({&pinned, 1}, "before"));
    QVERIFY(is_offered());
    behind->setCurrentIndex(item);
    const size_t first = 0;
    const auto& points = page.chart()->points();
    QVERIFY(!points.empty());
    QCOMPARE(page.chart()->baseline()[first].y(), time / 1e3);
    page.setBaseline(nullptr);
    QVERIFY(!is_offered());
    QVERIFY(page.chart()->baseline().empty());
  }

  void simulated_points_stand_before_analytical_outlines() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    QCOMPARE(page.chart()->points()[3], QPointF(20, 24));
    QCOMPARE(page.chart()->baseline()[3], QPointF(20, 48));
    QVariantMap state = page.saveState();
    state[QStringLiteral("y")] = "analytical";  // nothing stands behind itself
    page.restoreState(state);
    QCOMPARE(page.chart()->points()[3], QPointF(20, 48));
    QVERIFY(page.chart()->baseline().empty());
    state[QStringLiteral("baseline")] = 2;  // simulated, after "none" and measured
    page.restoreState(state);
    QCOMPARE(page.chart()->baseline()[3], QPointF(20, 24));
    QVERIFY(page.saveState() == state);
  }

  void digits_choose_the_points_and_say_what_is_missing() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    show(page);
    page.chart()->setFocus();
    QTest::keyClick(page.chart(), Qt::Key_3);
    QVERIFY(page.axes().y == analysis::PairSource::kAnalytical);
    QCOMPARE(page.chart()->points()[3], QPointF(20, 48));
    QTest::keyClick(page.chart(), Qt::Key_2);
    QVERIFY(page.axes().y == analysis::PairSource::kSimulated);
    QSignalSpy said(&page, &ComparePage::messageRequested);
    QTest::keyClick(page.chart(), Qt::Key_1);  // nothing is predicted here
    QVERIFY(page.axes().y == analysis::PairSource::kSimulated);
    QCOMPARE(said.size(), 1);
    QVERIFY(said[0][0].toString().startsWith(QStringLiteral("No predicted times here")));
    // In a field they are what they are elsewhere.
    auto* filter = page.findChild<QLineEdit*>();
    filter->setFocus();
    QTest::keyClicks(filter, QStringLiteral("err>3"));
    QCOMPARE(filter->text(), QStringLiteral("err>3"));
    QVERIFY(page.axes().y == analysis::PairSource::kSimulated);
  }

  void metrics_are_whole_where_there_is_room() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    show(page);
    page.resize(2400, 1300);
    QTRY_VERIFY(page.height() == 1300);
    QTableView* metrics = nullptr;
    for (auto* view : page.findChildren<QTableView*>()) {
      if (view->model() == page.metrics()) metrics = view;
    }
    QVERIFY(metrics != nullptr && metrics->model()->rowCount() >= 6);
    QTRY_COMPARE(metrics->verticalScrollBar()->maximum(), 0);
    // A little more than the rows need, and no half of the window.
    QVERIFY(metrics->viewport()->height() <
            metrics->rowHeight(0) * (metrics->model()->rowCount() + 2));
  }

  void any_two_sources_are_compared() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    QComboBox* x = combo(page, "x");
    QComboBox* y = combo(page, "y");
    const auto choose = [](QComboBox* box, analysis::PairSource source) {
      box->setCurrentIndex(box->findData(static_cast<int>(source)));
    };
    // x takes what y was: they change places.
    choose(x, analysis::PairSource::kSimulated);
    QCOMPARE(y->currentText(), QStringLiteral("Measured"));
    QCOMPARE(page.chart()->points()[3], QPointF(24, 20));
    choose(y, analysis::PairSource::kAnalytical);
    QCOMPARE(page.chart()->points()[3], QPointF(24, 48));
    // Always twice the time.
    QCOMPARE(metric(page, 2, MetricsModel::kSource), QString());
    QCOMPARE(metric(page, 0, MetricsModel::kSource), QStringLiteral("analytical"));
    QCOMPARE(metric(page, 2, MetricsModel::kMape), QStringLiteral("100.0"));
    QCOMPARE(metric(page, 0, MetricsModel::kCount), QStringLiteral("2"));
    // (2 + 4 + 10 + 20) / (6 + 8 + 18 + 48) of 6, 8, 18, 48 µs against 2, 4, 10, 20 µs:
    // 2.7, 3.6, 8.1, 21.6, so (35 + 10 + 19 + 8) / 4 %.
    choose(x, analysis::PairSource::kMeasured);
    choose(y, analysis::PairSource::kScaled);
    QCOMPARE(metric(page, 2, MetricsModel::kMape), QStringLiteral("18.0"));
    QVERIFY(page.noteText().contains(QStringLiteral("analytical times × 0.450")));
  }

  void absent_sources_are_greyed_with_the_reason() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    auto unmeasured = points();
    for (auto& point : unmeasured) point.time_ns[0] = NAN;
    page.setPoints(unmeasured);
    QComboBox* x = combo(page, "x");
    for (const auto source : {analysis::PairSource::kMeasured, analysis::PairSource::kScaled,
                              analysis::PairSource::kPredicted, analysis::PairSource::kCompiler}) {
      const QModelIndex entry = x->model()->index(x->findData(static_cast<int>(source)), 0);
      QVERIFY(!(entry.flags() & Qt::ItemIsEnabled));
      QVERIFY(!entry.data(Qt::ToolTipRole).toString().isEmpty());
    }
    QCOMPARE(page.chart()->points()[3], QPointF(24, 48));
    QCOMPARE(metric(page, 2, MetricsModel::kCount), QStringLiteral("4"));
    // Measured times come back to the axis.
    page.setPoints(points());
    QCOMPARE(x->currentText(), QStringLiteral("Measured"));
    QCOMPARE(combo(page, "y")->currentText(), QStringLiteral("Simulated"));
  }

  void errors_are_grouped_and_a_group_filters() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    QCOMPARE(page.groups()->groups().size(), size_t{2});
    combo(page, "Errors by")->setCurrentIndex(static_cast<int>(analysis::Grouping::kSize));
    QCOMPARE(page.groups()->groups().size(), size_t{3});
    emit page.groups()->groupPicked(std::string("1 to 5 µs"));
    QCOMPARE(page.chartPoints().size(), size_t{2});
    QCOMPARE(page.groups()->groups().size(), size_t{3});
    QCOMPARE(page.residuals()->histogram().n, size_t{2});
    combo(page, "Errors by")->setCurrentIndex(static_cast<int>(analysis::Grouping::kProgram));
    QCOMPARE(page.groups()->groups().size(), size_t{1});
    QCOMPARE(page.chartPoints().size(), size_t{4});
    QCOMPARE(page.residuals()->histogram().n, size_t{4});
    QVERIFY(page.residuals()->csv().startsWith(QStringLiteral("ratio_from,ratio_to,points\n")));
  }

  void the_outlines_are_drawn() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    show(page);
    page.chart()->grab();  // lays out the axes
    // Where the outline of the last point is: as far above its point as the factor 2 is high.
    const QPointF first = page.chart()->positionOf(0);
    const QPointF last = page.chart()->positionOf(3);
    const double per_octave = (first.y() - last.y()) / std::log2(24.0 / 3.0);
    const QPoint at = (last - QPointF(0, per_octave)).toPoint();
    const QImage image = page.chart()->grab().toImage();
    int inked = 0;
    for (int d = -6; d <= 6; ++d) inked += image.pixelColor(at + QPoint(d, 2)).saturation() > 60;
    QVERIFY(inked > 0);
  }

  void estimates_of_the_compiler_are_a_series_where_there_are_any() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const int compiler = static_cast<int>(analysis::PairSource::kCompiler);
    QComboBox* estimate = combo(page, "y");
    const int entry = estimate->findData(compiler);
    QCOMPARE(combo(page, "Baseline")->currentData().toInt(),
             static_cast<int>(analysis::PairSource::kAnalytical));
    auto with = points();
    with[1].time_ns[size_t(analysis::TimeSource::kCompiler)] = 5000;
    page.setPoints(with);
    QCOMPARE(page.metrics()->rowCount(), 12);  // with the scaled one
    QVERIFY(estimate->model()->flags(estimate->model()->index(entry, 0)) & Qt::ItemIsEnabled);
    estimate->setCurrentIndex(entry);
    QVERIFY(page.noteText().contains("the cycles that the compiler wrote into the program"));
    QVERIFY(page.toolTipText(0).contains("XLA estimate 5.00 µs +25.0 %"));
    // Without any, the simulated times are shown instead.
    page.setPoints(points());
    QCOMPARE(page.metrics()->rowCount(), 9);
    QCOMPARE(estimate->currentData().toInt(), static_cast<int>(analysis::PairSource::kSimulated));
    QVERIFY(!(estimate->model()->flags(estimate->model()->index(entry, 0)) & Qt::ItemIsEnabled));
  }
  void tool_tip_names_the_point() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    QCOMPARE(page.toolTipText(3),
             QStringLiteral("d  net\nmeasured 20.0 µs\nsimulated 24.0 µs +20.0 %\n"
                            "analytical 48.0 µs +140.0 %\n"
                            "Double-click opens its graph"));
  }

  void click_finds_the_point_and_double_click_the_graph() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const auto report = testing::measuredReport(3);
    page.setReports({report});
    page.setReport(report);
    show(page);
    QCOMPARE(page.chart()->points().size(), size_t{3});
    QSignalSpy selected(&page, &ReportView::selectionRequested);
    QSignalSpy activated(&page, &ReportView::activationRequested);
    const QPoint at = page.chart()->positionOf(2).toPoint();
    QCOMPARE(page.chart()->pointAt(at), 2);
    QTest::mouseClick(page.chart()->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(selected.size(), 1);
    QVERIFY(selected[0][0].value<ReportPtr>() == nullptr);
    QVERIFY(selected[0][1].value<Selection>().kernel == graph::KernelId(2));
    QTest::mouseDClick(page.chart()->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(activated.size(), 1);
  }

  void the_selection_of_the_window_rings_its_point() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    const auto report = testing::measuredReport(3);
    page.setReports({report});
    page.setReport(report);
    page.setSelection(
        {graph::KernelId(1), report->kernels.kernels[graph::KernelId(1)].instruction});
    QCOMPARE(page.chart()->selectedPoint(), 1);
    page.setSelection({});
    QCOMPARE(page.chart()->selectedPoint(), -1);
  }

  void a_dragged_range_filters_the_tables() {
    TaskRunner tasks;
    ComparePage page(tasks, {});
    page.setPoints(points());
    show(page);
    ScatterChart* chart = page.chart();
    const auto middle = [chart](int a, int b) {
      return ((chart->positionOf(a) + chart->positionOf(b)) / 2).toPoint();
    };
    QTest::mousePress(chart->viewport(), Qt::LeftButton, {}, middle(0, 1));
    QTest::mouseMove(chart->viewport(), middle(0, 1) + QPoint(30, 0));
    QTest::mouseMove(chart->viewport(), middle(2, 3));
    QTest::mouseRelease(chart->viewport(), Qt::LeftButton, {}, middle(2, 3));
    QCOMPARE(page.chartPoints().size(), size_t{4});
    QCOMPARE(page.tablePoints().size(), size_t{2});
    QCOMPARE(page.tablePoints()[0].kernel_name, std::string("b"));
    QCOMPARE(metric(page, 2, MetricsModel::kCount), QStringLiteral("2"));
  }
};

HLOSCOPE_TEST(TestComparePage);
#include "test_compare_page.moc"
