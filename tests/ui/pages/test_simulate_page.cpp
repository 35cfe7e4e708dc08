#include <QAbstractItemModelTester>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>

#include "tests/support/test_registry.h"
#include "tests/ui/models/report_fixture.h"
#include "ui/charts/bottleneck_bars.h"
#include "ui/charts/lane_timeline.h"
#include "ui/charts/program_strip.h"
#include "ui/charts/roofline_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/simulate/machine_times_model.h"
#include "ui/pages/simulate/simulate_page.h"

using namespace hloscope;
using namespace hloscope::ui;

namespace {

constexpr const char* kSample =
    HLOSCOPE_SOURCE_DIR "/samples/control_flow.cpu_after_optimizations.txt";

ReportPtr sample(const char* machine = "tpu_v3") {
  const auto file = hlo::read_file(kSample);
  if (!file) qFatal("%s", file.error().format().c_str());
  return *analysis::analyse(file->modules.front(), kSample, 1, *sim::find_machine(machine));
}

// A page that answers its own selection, as the window does.
struct Shown {
  TaskRunner tasks;
  SimulatePage page{tasks};

  explicit Shown(const ReportPtr& report) {
    QObject::connect(
        &page, &SimulatePage::selectionRequested, &page,
        [this](const ReportPtr&, const Selection& selection) { page.setSelection(selection); });
    page.setMachine(*sim::find_machine("tpu_v3"));
    page.resize(1500, 900);
    page.show();
    if (!QTest::qWaitForWindowExposed(&page)) qFatal("not shown");
    if (report) show(report);
  }
  void show(const ReportPtr& report) {
    page.setReports({report});
    page.setReport(report);
    page.setSelection({});
    if (!QTest::qWaitFor([this] { return tasks.isIdle(); }, 20'000)) qFatal("still busy");
    QApplication::processEvents();
  }
};

QComboBox* combo(const SimulatePage& page, const QString& name) {
  for (QComboBox* box : page.findChildren<QComboBox*>()) {
    if (box->accessibleName() == name) return box;
  }
  return nullptr;
}

QString nameOf(const analysis::ModuleReport& report, graph::KernelId kernel) {
  return textOf((*report.module.program)[report.kernels.kernels[kernel].instruction].name);
}

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// What hloscope-cli prints of a program, as JSON.
QJsonObject printed(const QStringList& arguments) {
  QProcess process;
  process.start(QStringLiteral(HLOSCOPE_BINARY_DIR "/hloscope-cli"), arguments);
  process.waitForFinished(60'000);
  const QByteArray out = process.readAllStandardOutput();
  return QJsonDocument::fromJson(out).array().first().toObject();
}

}  // namespace

class TestSimulatePage : public QObject {
  Q_OBJECT
 private slots:
  void init() { testing::failOnWarnings(); }

  void without_a_program_it_says_what_to_do() {
    Shown shown(nullptr);
    auto* open = shown.page.findChild<QPushButton*>(QStringLiteral("open_program"));
    QVERIFY(open != nullptr && open->isVisible());
    QSignalSpy spy(&shown.page, &SimulatePage::openRequested);
    QTest::mouseClick(open, Qt::LeftButton);
    QCOMPARE(spy.count(), 1);
    QVERIFY(!shown.page.lanes()->isVisible());
    shown.show(sample());
    QVERIFY(shown.page.lanes()->isVisible());
    shown.page.setReports({});
    shown.page.setReport(nullptr);
    QVERIFY(!shown.page.timeline());
    QVERIFY(!shown.page.lanes()->isVisible());
  }

  void its_numbers_are_those_of_the_command_line() {
    const ReportPtr report = sample();
    Shown shown(report);
    const QJsonObject cli =
        printed({QStringLiteral("simulate"), QString::fromUtf8(kSample), QStringLiteral("--json")});
    QCOMPARE(cli[QStringLiteral("machine_hash")].toString(), textOf(report->machine.hash.hex()));
    QVERIFY(near(shown.page.timeline()->total_ns(),
                 cli[QStringLiteral("simulated_total_ns")].toDouble()));
    const QJsonArray kernels = cli[QStringLiteral("kernels")].toArray();
    const auto& rows = shown.page.bottlenecks()->rows();
    QCOMPARE(static_cast<qsizetype>(rows.size()), kernels.size());
    for (size_t row = 0; row < rows.size(); ++row) {
      const analysis::KernelSpan& span = shown.page.timeline()->spans()[rows[row]];
      const QJsonObject kernel = kernels[static_cast<qsizetype>(row)].toObject();
      QCOMPARE(nameOf(*report, span.kernel), kernel[QStringLiteral("kernel")].toString());
      QVERIFY(near(span.time_ns, kernel[QStringLiteral("simulated_ns")].toDouble()));
      QVERIFY(near(span.executions, kernel[QStringLiteral("executions")].toDouble()));
    }
  }

  void busy_units_are_those_of_the_command_line() {
    const std::string path = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
    const auto file = hlo::read_file(path);
    const ReportPtr report =
        *analysis::analyse(file->modules[1], path, 2, *sim::find_machine("tpu_v3"));
    Shown shown(report);
    const QString tile = textOf(sim::tile_text(report->times.tiles.front().tile));
    const QJsonObject cli =
        printed({QStringLiteral("simulate"), textOf(path) + QStringLiteral("#2"),
                 QStringLiteral("--tile"), tile, QStringLiteral("--json")});
    const sim::Simulation& one = shown.page.timeline()->activity(graph::KernelId(0)).simulation;
    QVERIFY(near(one.time_ns, cli[QStringLiteral("time_ns")].toDouble()));
    const QJsonObject busy = cli[QStringLiteral("busy_ns")].toObject();
    QVERIFY(busy.contains(QStringLiteral("MXU")));
    for (const QString& unit : busy.keys()) {
      for (size_t u = 0; u < sim::kUnitCount; ++u) {
        if (textOf(sim::name(static_cast<sim::Unit>(u))) != unit) continue;
        QVERIFY(near(one.busy_ns[u], busy[unit].toDouble()));
      }
    }
  }

  void a_click_in_any_chart_selects_the_kernel_everywhere() {
    const ReportPtr report = sample();
    Shown shown(report);
    QSignalSpy spy(&shown.page, &SimulatePage::selectionRequested);
    BottleneckBars* bars = shown.page.bottlenecks();
    bars->grab();
    QTest::mouseClick(bars->viewport(), Qt::LeftButton, {}, bars->rowPosition(1));
    const auto chosen = [&spy] { return spy.takeLast()[1].value<Selection>(); };
    QCOMPARE(spy.count(), 1);
    const analysis::KernelSpan& second = shown.page.timeline()->spans()[bars->rows()[1]];
    QVERIFY(chosen().kernel == second.kernel);

    LaneTimeline* lanes = shown.page.lanes();
    const analysis::KernelSpan& first = shown.page.timeline()->spans()[bars->rows()[0]];
    const double middle = first.start_ns + 0.5 * first.time_ns * first.executions;
    QTest::mouseClick(lanes, Qt::LeftButton, {},
                      lanes->positionOf(sim::Unit::kMxu, middle).toPoint());
    QVERIFY(chosen().kernel == first.kernel);

    RooflineChart* roofline = shown.page.roofline();
    roofline->grab();
    const graph::KernelId point = roofline->roofline().points.front().kernel;
    QTest::mouseClick(roofline, Qt::LeftButton, {}, roofline->positionOf(point).toPoint());
    QCOMPARE(spy.count(), 1);
    spy.clear();
    roofline->setFocus();
    QTest::keyClick(roofline, Qt::Key_Right);
    QCOMPARE(spy.count(), 1);
  }

  void the_frame_of_the_strip_is_the_window_of_the_lanes() {
    Shown shown(sample());
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
    Shown shown(sample());
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
    Shown shown(sample());
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
    Shown shown(sample());
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
    Shown shown(sample());
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

  void points_of_a_source_without_times_cannot_be_chosen() {
    Shown shown(sample());
    const auto buttons = shown.page.findChildren<QToolButton*>();
    const auto find = [&buttons](const QString& text) {
      for (QToolButton* button : buttons) {
        if (button->text() == text) return button;
      }
      return static_cast<QToolButton*>(nullptr);
    };
    QVERIFY(find(QStringLiteral("Simulated"))->isEnabled());
    QVERIFY(!find(QStringLiteral("Measured"))->isEnabled());
    QVERIFY(!find(QStringLiteral("Measured"))->toolTip().isEmpty());
    shown.show(testing::measuredReport(3));
    QVERIFY(find(QStringLiteral("Measured"))->isEnabled());
    QTest::mouseClick(find(QStringLiteral("Measured")), Qt::LeftButton);
    QVERIFY(shown.page.roofline()->roofline().source == analysis::TimeSource::kMeasured);
  }

  void machines_stand_side_by_side() {
    const ReportPtr report = sample();
    Shown shown(report);
    QComboBox* with = combo(shown.page, QStringLiteral("Compare with"));
    const int v5e = with->findText(QStringLiteral("TPU v5e"), Qt::MatchStartsWith);
    with->setCurrentIndex(v5e);
    emit with->activated(v5e);
    QTRY_VERIFY(shown.tasks.isIdle());
    MachineTimesModel* model = shown.page.machineTimes();
    QTRY_VERIFY(model->rowCount() > 0);
    QAbstractItemModelTester tester(model);
    QCOMPARE(model->rowCount(), static_cast<int>(report->kernels.kernels.size()) + 1);
    QCOMPARE(model->columnCount(), 5);
    const ReportPtr other = sample("tpu_v5e");
    QCOMPARE(model->machines()[0].total_ns, report->simulated_total_ns);
    QCOMPARE(model->machines()[1].total_ns, other->simulated_total_ns);
    QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("whole program"));
    // Longest first, and the whole program stays on top.
    const double first = model->index(1, 2).data(Qt::UserRole).toDouble();
    QVERIFY(first >= model->index(2, 2).data(Qt::UserRole).toDouble());
    model->sort(2, Qt::AscendingOrder);
    QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("whole program"));
    const double ratio = model->index(0, 4).data(Qt::UserRole).toDouble();
    QVERIFY(near(ratio, other->simulated_total_ns / report->simulated_total_ns));
    const int all = with->findText(QStringLiteral("all machines"));
    with->setCurrentIndex(all);
    emit with->activated(all);
    QTRY_COMPARE(model->machines().size(), sim::builtin_machines().size());
  }

  void the_view_is_kept() {
    const ReportPtr report = sample();
    Shown shown(report);
    shown.page.lanes()->zoomBy(4);
    const QVariantMap state = shown.page.saveState();
    Shown other(report);
    other.page.restoreState(state);
    QVERIFY(near(other.page.lanes()->windowTo(), shown.page.lanes()->windowTo()));
    QVERIFY(other.page.saveState() == state);
  }

  void a_kernel_alone_and_a_program_without_kernels_are_shown() {
    Shown shown(testing::reportOf(
        "HloModule one, is_scheduled=true\nENTRY main {\n  x = f32[16]{0} parameter(0)\n"
        "  ROOT negate.7 = f32[16]{0} negate(x)\n}\n"));
    QCOMPARE(shown.page.timeline()->spans().size(), size_t{1});
    shown.page.grab();
    shown.show(
        testing::reportOf("HloModule none, is_scheduled=true\nENTRY main {\n  ROOT x = f32[16]{0} "
                          "parameter(0)\n}\n"));
    QVERIFY(shown.page.timeline()->spans().empty());
    shown.page.grab();
    for (QWidget* chart :
         {static_cast<QWidget*>(shown.page.lanes()), static_cast<QWidget*>(shown.page.strip())}) {
      QTest::keyClick(chart, Qt::Key_W);
      QTest::keyClick(chart, Qt::Key_F);
      QTest::keyClick(chart, Qt::Key_M);
      QTest::keyClick(chart, Qt::Key_Right);
    }
    QTest::keyClick(shown.page.bottlenecks(), Qt::Key_Down);
    QTest::keyClick(shown.page.roofline(), Qt::Key_Right);
  }

  // A loop of 100,000 trips: what is seen is drawn, whatever its number.
  void a_million_events_are_drawn() {
    std::string text = testing::kLoopProgram;
    text.replace(text.find("constant(12)"), 12, "constant(100000)");
    Shown shown(testing::reportOf(text.c_str()));
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

  void what_is_copied_has_a_row_for_each_kernel() {
    Shown shown(sample());
    const size_t spans = shown.page.timeline()->spans().size();
    QCOMPARE(static_cast<size_t>(shown.page.bottlenecks()->csv().count('\n')), spans + 1);
    QCOMPARE(static_cast<size_t>(shown.page.roofline()->csv().count('\n')),
             shown.page.roofline()->roofline().points.size() + 1);
  }

  void everything_is_reached_by_tab() {
    Shown shown(sample());
    shown.page.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&shown.page));
    shown.page.strip()->setFocus();
    QSet<QWidget*> seen;
    for (int i = 0; i < 60; ++i) {
      seen << QApplication::focusWidget();
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    for (QWidget* chart :
         {static_cast<QWidget*>(shown.page.strip()), static_cast<QWidget*>(shown.page.lanes()),
          static_cast<QWidget*>(shown.page.roofline()),
          static_cast<QWidget*>(shown.page.bottlenecks())}) {
      QVERIFY2(seen.contains(chart), qPrintable(chart->accessibleName()));
      QVERIFY(!chart->accessibleName().isEmpty());
    }
  }
};

HLOSCOPE_TEST(TestSimulatePage);
#include "test_simulate_page.moc"
