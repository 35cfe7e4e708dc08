#include <QElapsedTimer>
#include <QSignalSpy>
#include <QWheelEvent>
#include <cmath>

#include "tests/support/test_registry.h"
#include "tests/ui/pages/simulate_fixture.h"
#include "ui/charts/lane_timeline.h"
#include "ui/charts/program_strip.h"
#include "ui/charts/roofline_chart.h"

using namespace hloscope;
using namespace hloscope::ui;
using testing::near;
using testing::sample;

class TestSimulateCharts : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void the_frame_of_the_strip_is_the_window_of_the_lanes() {
    testing::ShownSimulation shown(sample());
    ProgramStrip* strip = shown.page.strip();
    LaneTimeline* lanes = shown.page.lanes();
    const double total = shown.page.timeline()->total_ns();
    QCOMPARE(lanes->windowFrom(), 0.0);
    QCOMPARE(lanes->windowTo(), total);
    // A drag makes a frame: from a quarter to a half.
    const QRectF all = strip->frameRect();
    const auto at = [&all](double part) {
      return QPoint(static_cast<int>(all.left() + part * all.width()),
                    static_cast<int>(all.center().y()));
    };
    QTest::mousePress(strip, Qt::LeftButton, {}, at(0.25));
    QTest::mouseMove(strip, at(0.4));
    QTest::mouseMove(strip, at(0.5));
    QTest::mouseRelease(strip, Qt::LeftButton, {}, at(0.5));
    QVERIFY(std::abs(lanes->windowFrom() / total - 0.25) < 0.01);
    QVERIFY(std::abs(lanes->windowTo() / total - 0.5) < 0.01);
    QCOMPARE(strip->windowTo(), lanes->windowTo());
    // And moves it.
    QTest::mousePress(strip, Qt::LeftButton, {}, at(0.4));
    QTest::mouseMove(strip, at(0.5));
    QTest::mouseMove(strip, at(0.6));
    QTest::mouseRelease(strip, Qt::LeftButton, {}, at(0.6));
    QVERIFY(std::abs(lanes->windowFrom() / total - 0.45) < 0.02);
    strip->setFocus();
    QTest::keyClick(strip, Qt::Key_Space);
    QCOMPARE(lanes->windowTo(), total);
  }

  void lanes_zoom_move_and_measure_by_keys() {
    testing::ShownSimulation shown(sample());
    LaneTimeline* lanes = shown.page.lanes();
    const double total = shown.page.timeline()->total_ns();
    lanes->setFocus();
    QTest::keyClick(lanes, Qt::Key_W);
    const double width = lanes->windowTo() - lanes->windowFrom();
    QVERIFY(std::abs(width - total / 1.25) < 1e-6 * total);
    const double from = lanes->windowFrom();
    QTest::keyClick(lanes, Qt::Key_D);
    QVERIFY(lanes->windowFrom() > from);
    QTest::keyClick(lanes, Qt::Key_A);
    QVERIFY(std::abs(lanes->windowFrom() - from) < 1e-6 * total);
    QSignalSpy spy(&shown.page, &SimulatePage::selectionRequested);
    QTest::keyClick(lanes, Qt::Key_Right);
    QTest::keyClick(lanes, Qt::Key_Right);
    QCOMPARE(spy.count(), 2);
    const graph::KernelId kernel = spy.last()[1].value<Selection>().kernel;
    const analysis::KernelSpan& span =
        shown.page.timeline()->spans()[*shown.page.timeline()->span_of(kernel)];
    QTest::keyClick(lanes, Qt::Key_F);
    QVERIFY(lanes->windowFrom() <= span.start_ns && lanes->windowTo() < total);
    QTest::keyClick(lanes, Qt::Key_M);
    QVERIFY(lanes->measured().has_value());
    QVERIFY(near(lanes->measured()->second - lanes->measured()->first,
                 span.time_ns * std::min(1.0, span.executions)));
    QTest::keyClick(lanes, Qt::Key_M);
    QVERIFY(!lanes->measured());
    QTest::keyClick(lanes, Qt::Key_Space);
    QCOMPARE(lanes->windowTo(), total);
  }

  void the_wheel_zooms_at_the_pointer_and_shift_drag_measures() {
    testing::ShownSimulation shown(sample());
    LaneTimeline* lanes = shown.page.lanes();
    const double total = shown.page.timeline()->total_ns();
    const QPointF at = lanes->positionOf(sim::Unit::kDmaIn, 0.75 * total);
    QWheelEvent wheel(at, lanes->mapToGlobal(at), {}, {0, 480}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(lanes, &wheel);
    QVERIFY(lanes->windowTo() - lanes->windowFrom() < 0.5 * total);
    QVERIFY(std::abs(lanes->positionOf(sim::Unit::kDmaIn, 0.75 * total).x() - at.x()) < 1);
    const QPoint start = at.toPoint();
    QTest::mousePress(lanes, Qt::LeftButton, Qt::ShiftModifier, start);
    QTest::mouseMove(lanes, start + QPoint(50, 0));
    QTest::mouseMove(lanes, start + QPoint(100, 0));
    QTest::mouseRelease(lanes, Qt::LeftButton, Qt::ShiftModifier, start + QPoint(100, 0));
    QVERIFY(lanes->measured().has_value());
    const double width = lanes->measured()->second - lanes->measured()->first;
    const double expected = 100 * (lanes->windowTo() - lanes->windowFrom()) /
                            (lanes->positionOf(sim::Unit::kDmaIn, lanes->windowTo()).x() -
                             lanes->positionOf(sim::Unit::kDmaIn, lanes->windowFrom()).x());
    QVERIFY(std::abs(width - expected) < 0.02 * expected);
  }

  void a_stretch_under_the_pointer_is_told() {
    testing::ShownSimulation shown(sample());
    LaneTimeline* lanes = shown.page.lanes();
    const auto list = shown.page.timeline()->stretches(sim::Unit::kDmaIn, 0, 1e9, 100'000);
    QVERIFY(list && !list->empty());
    const analysis::Stretch& stretch = list->front();
    const QString text = lanes->toolTipAt(
        lanes->positionOf(sim::Unit::kDmaIn, 0.5 * (stretch.start_ns + stretch.end_ns)));
    QVERIFY2(text.startsWith(QStringLiteral("DMA in of ")), qPrintable(text));
    QVERIFY(lanes->toolTipAt(QPointF(2, 2)).isEmpty());
  }

  void lanes_are_drawn_where_units_work() {
    testing::ShownSimulation shown(sample());
    LaneTimeline* lanes = shown.page.lanes();
    const QImage picture = lanes->grab().toImage();
    const auto list = shown.page.timeline()->stretches(sim::Unit::kDmaIn, 0, 1e9, 100'000);
    const analysis::Stretch* longest = &list->front();
    for (const analysis::Stretch& stretch : *list) {
      if (stretch.end_ns - stretch.start_ns > longest->end_ns - longest->start_ns) {
        longest = &stretch;
      }
    }
    const QPointF at =
        lanes->positionOf(sim::Unit::kDmaIn, 0.5 * (longest->start_ns + longest->end_ns));
    const QPoint pixel = at.toPoint() - QPoint(0, 1);
    QCOMPARE(picture.pixelColor(pixel), theme().opClass(hlo::OpClass::kDataMovement));
  }

  void the_roofline_has_one_unit() {
    testing::ShownSimulation shown(sample());
    const auto& points = shown.page.roofline()->roofline().points;
    QVERIFY(!points.empty());
    const QString text = shown.page.roofline()->toolTipText(points.front().kernel);
    const QString tera = QString::number(points.front().flops_per_s / 1e12, 'g', 3);
    QVERIFY2(text.contains(tera + QStringLiteral(" TFLOP/s simulated")), qPrintable(text));
    QVERIFY(!text.contains(QStringLiteral("GFLOP")));
  }

  // A loop of 100,000 trips: what is seen is drawn, whatever its number.
  void a_million_events_are_drawn() {
    std::string text = testing::kLoopProgram;
    text.replace(text.find("constant(12)"), 12, "constant(100000)");
    testing::ShownSimulation shown(testing::reportOf(text.c_str()));
    QVERIFY(shown.page.timeline()->stretch_count() > 1e6);
    LaneTimeline* lanes = shown.page.lanes();
    QElapsedTimer clock;
    clock.start();
    int frames = 0;
    for (double zoom = 1; zoom < 1e6; zoom *= 4, ++frames) {
      lanes->repaint();
      lanes->zoomBy(4);
    }
    qInfo("%d frames of %.3g events: %.1f ms each", frames, shown.page.timeline()->stretch_count(),
          static_cast<double>(clock.elapsed()) / frames);
    const double width = lanes->windowTo() - lanes->windowFrom();
    QVERIFY(width < 1e-5 * shown.page.timeline()->total_ns());
  }
};

HLOSCOPE_TEST(TestSimulateCharts);
#include "test_simulate_charts.moc"
