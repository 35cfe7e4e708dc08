#include <QSignalSpy>
#include <cmath>
#include <ctime>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "tests/ui/models/trial_fixture.h"
#include "ui/charts/best_so_far_chart.h"
#include "ui/charts/parallel_coordinates.h"
#include "ui/charts/plot_axes.h"
#include "ui/charts/tile_heat_map.h"
#include "ui/charts/trial_cloud_chart.h"
#include "ui/pages/tune/search_views.h"
#include "ui/pages/tune/tune_curves.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

void show(QWidget& widget) {
  widget.resize(700, 420);
  widget.show();
  QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

/// Milliseconds that this thread computed for: other programs do not count.
template <typename Work>
double cpuMs(const Work& work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
  };
  const double start = now();
  work();
  return now() - start;
}

double paintMs(QWidget& widget) {
  return cpuMs([&widget] { (void)widget.grab(); });
}

}  // namespace

class TestTuneCharts : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void ticks_are_round() {
    const PlotAxis linear{"", 130, 156, false};
    QCOMPARE(linear.ticks(6), (std::vector<double>{130, 135, 140, 145, 150, 155}));
    const PlotAxis logarithmic{"", 80, 1100, true};
    QCOMPARE(logarithmic.ticks(8), (std::vector<double>{100, 200, 500, 1000}));
    QCOMPARE(logarithmic.part(80), 0.0);
    QCOMPARE(logarithmic.value(1), 1100.0);
    // A narrow range on a logarithmic axis has more than its powers of ten.
    const PlotAxis narrow{"", 137, 152, true};
    QCOMPARE(narrow.ticks(4), (std::vector<double>{140, 145, 150}));
  }

  void the_best_follows_the_order_of_measurements() {
    // 3 in 150 µs, then 1 in 120 µs.
    const BestSoFarChart::Curve curve = bestCurve(testing::trials(), CurveX::kCount);
    QVERIFY(!curve.is_estimate);
    QCOMPARE(curve.better, (std::vector<QPointF>{{1, 150}, {2, 120}}));
    QCOMPARE(curve.end_x, 2.0);
    const BestSoFarChart::Curve hardware = bestCurve(testing::trials(), CurveX::kHardware);
    // Each books one second.
    QCOMPARE(hardware.better, (std::vector<QPointF>{{1, 150}, {2, 120}}));
  }

  void without_measurements_the_best_is_that_of_all_trials() {
    TrialColumns columns = testing::trials();
    columns.measured_as.assign(columns.size(), 0);
    const BestSoFarChart::Curve curve = bestCurve(columns, CurveX::kCount);
    QVERIFY(curve.is_estimate);
    QCOMPARE(curve.better, (std::vector<QPointF>{{1, 200}, {2, 110}}));
    QCOMPARE(curve.end_x, 5.0);
  }

  void brushes_keep_rows_within_all_of_them() {
    ParallelCoordinates chart;
    const QSignalSpy changed(&chart, &ParallelCoordinates::brushChanged);
    chart.setAxes(parallelAxes(testing::trials(), 1, true));
    // The second size is 8 everywhere: no axis. What stays: output 0, trial, temperature, time.
    QCOMPARE(chart.axisCount(), size_t{4});
    QCOMPARE(chart.axis(0).title, QStringLiteral("output 0"));
    QVERIFY(chart.brushed().empty());
    chart.setBrush(0, ParallelCoordinates::Range(1, 2));
    QCOMPARE(chart.brushed(), (std::vector<uint8_t>{0, 1, 1, 1, 0}));
    chart.setBrush(3, ParallelCoordinates::Range(100, 160));
    QCOMPARE(chart.brushed(), (std::vector<uint8_t>{0, 1, 0, 1, 0}));
    chart.clearBrushes();
    QVERIFY(chart.brushed().empty());
    QCOMPARE(changed.count(), 3);
  }

  void many_lines_are_drawn_little_by_little() {
    ParallelCoordinates chart;
    show(chart);
    const TrialColumns many = testing::manyTrials(20'000);
    chart.setAxes(parallelAxes(many, 1, true));
    chart.repaint();
    QTRY_VERIFY(chart.isDrawn());
    const QImage all = chart.grab().toImage();
    QTRY_VERIFY(chart.isDrawn());
    chart.setBrush(0, ParallelCoordinates::Range(1, 1));
    // Until the new lines are there the old ones stand: never an empty picture.
    chart.repaint();
    QTRY_VERIFY(chart.isDrawn());
    const QImage some = chart.grab().toImage();
    QTRY_VERIFY(chart.isDrawn());
    QVERIFY(some != all);
    chart.clearBrushes();
    chart.repaint();
    QTRY_VERIFY(chart.isDrawn());
    QVERIFY(chart.grab().toImage() == all);
  }

  void an_axis_is_brushed_by_mouse_and_keys() {
    ParallelCoordinates chart;
    show(chart);
    chart.setAxes(parallelAxes(testing::trials(), 1, true));
    // The first axis stands 40 px from the left; the upper half of it.
    QTest::mousePress(&chart, Qt::LeftButton, {}, {40, 36});
    QTest::mouseMove(&chart, {40, 200});
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, {40, 200});
    QVERIFY(chart.brush(0).has_value());
    QVERIFY(chart.brush(0)->second > 7);
    QTest::keyClick(&chart, Qt::Key_Backspace);
    QVERIFY(!chart.hasBrush());
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_Down);
    QVERIFY(chart.brush(1).has_value());
    QVERIFY(chart.brush(1)->second < 4);
    QTest::keyClick(&chart, Qt::Key_Escape);
    QVERIFY(!chart.hasBrush());
  }

  void the_best_share_leaves_the_others_out() {
    const auto axes = parallelAxes(testing::trials(), 0.5, true);
    // Times 200, 120, 180, 150: the best two.
    const std::vector<float>& times = axes.back().values;
    QVERIFY(std::isnan(times[0]) && std::isnan(times[2]) && std::isnan(times[4]));
    QCOMPARE(times[1], 120.0F);
    QCOMPARE(times[3], 150.0F);
  }

  void cells_of_the_tile_map_hold_the_best_of_their_sizes() {
    const TrialColumns columns = testing::trials();
    TileHeatMap map;
    std::vector<double> times;
    for (size_t i = 0; i < columns.size(); ++i) times.push_back(columns.result_ns(i));
    map.setTrials("output 0", columns.tile_sizes[0], "output 1", columns.tile_sizes[1], times,
                  {1, 0, 1, 0, 1});
    QCOMPARE(map.columns(), (std::vector<float>{1, 2, 4, 8}));
    QCOMPARE(map.rows(), (std::vector<float>{8}));
    QCOMPARE(map.cell(1, 0)->best_ns, 120'000.0);
    QCOMPARE(map.cell(1, 0)->trials, 2U);
    QCOMPARE(map.cell(1, 0)->best_trial, 1U);
    QVERIFY(!map.cell(1, 0)->is_estimate);
    // The only trial of 8 failed.
    QVERIFY(map.cell(3, 0) == nullptr);
  }

  void every_cell_of_a_map_of_thousands_of_sizes_is_seen() {
    constexpr uint32_t kSizes = 3000;  // As tiles of two dots have them.
    std::vector<float> sizes;
    std::vector<double> times;
    for (uint32_t i = 1; i <= kSizes; ++i) {
      sizes.push_back(static_cast<float>(i));
      times.push_back(1e3 * i);
    }
    TileHeatMap map;
    show(map);
    map.setTrials("output 0", sizes, "output 1", sizes, times, std::vector<uint8_t>(kSizes, 0));
    QCOMPARE(map.cell(kSizes - 1, kSizes - 1)->best_trial, kSizes - 1);
    QVERIFY(map.cell(0, 1) == nullptr);
    QSignalSpy clicked(&map, &TileHeatMap::trialClicked);
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Right);
    QTest::keyClick(&map, Qt::Key_Left);
    QCOMPARE(clicked.at(1).front().toInt(), 1);
    QCOMPARE(clicked.at(2).front().toInt(), 0);
    map.setTrials("output 0", sizes, "output 1", sizes, times, std::vector<uint8_t>(kSizes, 0));
    // The cells lie from the lower left to the upper right, and nothing else is coloured.
    const QImage picture = map.grab().toImage();
    int coloured = 0;
    for (int x = 80; x < picture.width() - 80; ++x) {
      for (int y = 20; y < picture.height() - 60; ++y) {
        coloured += picture.pixelColor(x, y) != theme().role(Role::kCanvas) ? 1 : 0;
      }
    }
    QVERIFY2(coloured > picture.width() - 160, qPrintable(QString::number(coloured)));
    QVERIFY2(coloured < 8 * picture.width(), qPrintable(QString::number(coloured)));
  }

  void a_click_finds_the_trial_under_it() {
    auto columns = std::make_shared<TrialColumns>(testing::trials());
    TrialCloudChart chart;
    show(chart);
    chart.setTrials(columns, {});
    (void)chart.grab();
    QSignalSpy clicked(&chart, &TrialCloudChart::trialClicked);
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(clicked.count(), 2);
    QCOMPARE(clicked.back().front().toInt(), 1);
  }

  /// Prints what the charts cost with 100,000 trials; nothing is asserted of times.
  void many_trials() {
    auto columns = std::make_shared<TrialColumns>(testing::manyTrials(100'000));
    SearchViews views;
    show(views);
    const auto tell = [&views](const char* what, double made_ms) {
      const double first_ms = paintMs(views);
      qInfo("100,000 trials, %s: made in %.1f ms, painted in %.1f ms, again in %.1f ms", what,
            made_ms, first_ms, paintMs(views));
    };
    tell("cloud", cpuMs([&] { views.setTrials(columns, {}); }));
    tell("parallel", cpuMs([&] { views.showView(SearchViews::View::kParallel); }));
    tell("brush", cpuMs([&] { views.parallel()->setBrush(0, ParallelCoordinates::Range(1, 4)); }));
    tell("tile map", cpuMs([&] { views.showView(SearchViews::View::kTiles); }));
    BestSoFarChart::Curve curve;
    qInfo("100,000 trials, best so far: made in %.1f ms",
          cpuMs([&] { curve = bestCurve(*columns, CurveX::kCount); }));
    QCOMPARE(curve.tried.size(), size_t{20});
  }

  void ticks_of_many_decades_can_be_told_apart() {
    const PlotAxis axis = fittedAxis(QStringLiteral("TFLOP/s"), 1e-10, 100, true, 0);
    QCOMPARE(axis.label(1e-10, 9), QStringLiteral("1e−10"));
    QCOMPARE(axis.label(1e-5, 9), QStringLiteral("1e−5"));
    QCOMPARE(axis.label(1e-4, 9), QStringLiteral("0.0001"));
    QCOMPARE(axis.label(100, 9), QStringLiteral("100"));
  }
};

HLOSCOPE_TEST(TestTuneCharts);
#include "test_tune_charts.moc"
