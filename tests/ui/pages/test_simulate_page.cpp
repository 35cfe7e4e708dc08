#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <cmath>

#include "tests/support/test_registry.h"
#include "tests/ui/pages/simulate_fixture.h"
#include "ui/charts/bottleneck_bars.h"
#include "ui/charts/lane_timeline.h"
#include "ui/charts/program_strip.h"
#include "ui/charts/roofline_chart.h"
#include "ui/models/item_roles.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/simulate/machine_times_model.h"
#include "ui/theme/format.h"

using namespace hloscope;
using namespace hloscope::ui;
using testing::kSample;
using testing::near;
using testing::sample;

namespace {

QComboBox* combo(const SimulatePage& page, const QString& name) {
  for (QComboBox* box : page.findChildren<QComboBox*>()) {
    if (box->accessibleName() == name) return box;
  }
  return nullptr;
}

QString nameOf(const analysis::ModuleReport& report, graph::KernelId kernel) {
  return textOf((*report.module.program)[report.kernels.kernels[kernel].instruction].name);
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
    testing::ShownSimulation shown(nullptr);
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
    testing::ShownSimulation shown(report);
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
    testing::ShownSimulation shown(report);
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
    testing::ShownSimulation shown(report);
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

  void points_of_a_source_without_times_cannot_be_chosen() {
    testing::ShownSimulation shown(sample());
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
    testing::ShownSimulation shown(report);
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

  void the_baseline_stands_beside_the_times() {
    const ReportPtr before = sample("tpu_v4");
    const ReportPtr report = sample();
    testing::ShownSimulation shown(report);
    QComboBox* with = combo(shown.page, QStringLiteral("Compare with"));
    QCOMPARE(with->findText(QStringLiteral("Baseline: before")), -1);
    const auto baseline = analysis::pinned_times({&before, 1}, "before");
    shown.page.setBaseline(baseline);
    const int item = with->findText(QStringLiteral("Baseline: before"));
    QVERIFY(item > 0);
    with->setCurrentIndex(item);
    emit with->activated(item);
    MachineTimesModel* model = shown.page.machineTimes();
    QAbstractItemModelTester tester(model);
    QCOMPARE(model->columnCount(), 5);
    QCOMPARE(model->headerData(3, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Baseline µs"));
    const auto value = [model](int row, int column) {
      return model->index(row, column).data(kValueRole).toDouble();
    };
    // The whole program, then the kernels, the longest first.
    QCOMPARE(value(0, 2), report->simulated_total_ns);
    QCOMPARE(value(0, 3), before->simulated_total_ns);
    QCOMPARE(value(0, 4), (report->simulated_total_ns - before->simulated_total_ns) /
                              before->simulated_total_ns);
    for (int row = 1; row < model->rowCount(); ++row) {
      const graph::KernelId kernel = model->kernelAt(row);
      const double now_ns = report->times.simulated[kernel].time_ns;
      const double before_ns = before->times.simulated[kernel].time_ns;
      QVERIFY(near(value(row, 4), (now_ns - before_ns) / before_ns));
    }
    // A kernel that it has no time of comes last, and nothing stands for the change.
    const auto one = analysis::pinned_kernel(*report, model->kernelAt(1));
    shown.page.setBaseline(one);
    QCOMPARE(model->index(0, 4).data().toString(), noValue());
    QVERIFY(near(value(1, 4), 0));
    shown.page.setBaseline(nullptr);
    QCOMPARE(model->rowCount(), 0);
    QCOMPARE(with->currentText(), QStringLiteral("none"));
  }

  void the_view_is_kept() {
    const ReportPtr report = sample();
    testing::ShownSimulation shown(report);
    shown.page.lanes()->zoomBy(4);
    const QVariantMap state = shown.page.saveState();
    testing::ShownSimulation other(report);
    other.page.restoreState(state);
    QVERIFY(near(other.page.lanes()->windowTo(), shown.page.lanes()->windowTo()));
    QVERIFY(other.page.saveState() == state);
  }

  void a_kernel_alone_and_a_program_without_kernels_are_shown() {
    testing::ShownSimulation shown(testing::reportOf(
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

  void what_is_copied_has_a_row_for_each_kernel() {
    testing::ShownSimulation shown(sample());
    const size_t spans = shown.page.timeline()->spans().size();
    QCOMPARE(static_cast<size_t>(shown.page.bottlenecks()->csv().count('\n')), spans + 1);
    QCOMPARE(static_cast<size_t>(shown.page.roofline()->csv().count('\n')),
             shown.page.roofline()->roofline().points.size() + 1);
  }

  void everything_is_reached_by_tab() {
    testing::ShownSimulation shown(sample());
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

  // XLA counts a tanh as a transcendental, not in FLOPs.
  void a_roofline_without_points_says_why() {
    testing::ShownSimulation shown(
        testing::reportOf("HloModule t\nENTRY e { a = f32[256,128] parameter(0)\n ROOT t = "
                          "f32[256,128] tanh(a) }\n"));
    QVERIFY(shown.page.roofline()->roofline().points.empty());
    QVERIFY2(shown.page.roofline()->emptyText().contains("has FLOPs"),
             qPrintable(shown.page.roofline()->emptyText()));
  }
};

HLOSCOPE_TEST(TestSimulatePage);
#include "test_simulate_page.moc"
