#include <QComboBox>
#include <QMap>

#include "core/sim/machine.h"
#include "tests/support/test_registry.h"
#include "tests/ui/numbers/page_numbers.h"
#include "ui/charts/bottleneck_bars.h"
#include "ui/charts/lane_timeline.h"
#include "ui/charts/roofline_chart.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/pages/simulate/machine_times_model.h"
#include "ui/pages/simulate/simulate_page.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/format.h"

namespace hloscope::testing {

/// The page Simulate against `simulate`.
class TestSimulateNumbers : public QObject {
  Q_OBJECT
 private slots:
  void init() { fail_on_warnings(); }

  void program_data() { cases(); }
  void program() {
    WindowFixture fixture;
    ui::SimulatePage& page = shown(fixture);
    const QJsonObject cli = printed({"simulate", address()});
    const QString head = text_with(page, "simulated ");
    QVERIFY_SHOWS("total", head.section("simulated ", 1).section(QRegularExpression("[,;]"), 0, 0),
                  cli["simulated_total_ns"], 1);
    check_units(page, cli);
    check_parts(page.bottlenecks()->toolTipText({}), cli["parts_ns"].toObject(),
                cli["simulated_total_ns"].toDouble(), 1);
  }

  void kernels_data() { cases(); }
  void kernels() {
    WindowFixture fixture;
    ui::SimulatePage& page = shown(fixture);
    const QJsonArray kernels = printed({"simulate", address()})["kernels"].toArray();
    const auto& rows = page.bottlenecks()->rows();
    size_t row = 0;
    for (const QJsonValue& value : kernels) {
      const QJsonObject kernel = value.toObject();
      if (!(kernel["all_ns"].toDouble() > 0)) continue;
      QVERIFY(row < rows.size());
      const analysis::KernelSpan& span = page.timeline()->spans()[rows[row++]];
      const QString parts = page.bottlenecks()->toolTipText(span.kernel);
      QCOMPARE(parts.section('\n', 0, 0), kernel["kernel"].toString());
      QVERIFY_SHOWS("all", ui::formatTimeUs(span.time_ns * span.executions), kernel["all_ns"], 1e3);
      check_parts(parts, kernel["parts_ns"].toObject(), kernel["simulated_ns"].toDouble(),
                  kernel["executions"].toDouble());
      check_roof(page.roofline()->toolTipText(span.kernel), kernel);
    }
    QCOMPARE(row, rows.size());
  }

  void the_text_shows_the_same() {
    const QString path = sample_path("mobilenet_v2.hlo");
    const QJsonObject cli = printed({"simulate", path});
    const QString text = printed_text({"simulate", path});
    const TextRows units = read_table(text, "Unit");
    QVERIFY(units.rows.size() > 5);
    for (qsizetype i = 0; i < units.rows.size(); ++i) {
      const QJsonValue busy = cli["busy_ns"].toObject()[units.cell(i, "Unit")];
      QVERIFY_SHOWS("busy", units.cell(i, "Busy µs"), busy, 1e3);
    }
    const TextRows classes = read_table(text, "Class");
    QCOMPARE(classes.rows.size(), 3);
    for (qsizetype i = 0; i < classes.rows.size(); ++i) {
      const QJsonObject of = cli["by_class"].toObject()[classes.cell(i, "Class")].toObject();
      QVERIFY_SHOWS("class", classes.cell(i, "Simulated µs"), of["time_ns"], 1e3);
      QVERIFY_SHOWS("share", classes.cell(i, "Share %"), of["share"], 0.01);
      QVERIFY_SHOWS("kernels", classes.cell(i, "Kernels"), of["kernels"], 1);
    }
  }

  void two_machines() {
    WindowFixture fixture;
    const QString path = sample_path("mobilenet_v2.hlo");
    open_module(fixture.window(), path);
    auto& page = page_of<ui::SimulatePage>(fixture.window());
    page.compareWith({*sim::find_machine("tpu_v5e")});
    settle(fixture.window());
    const QJsonObject here = printed({"simulate", path});
    const QJsonObject there = printed({"simulate", path, "--machine", "tpu_v5e"});
    const ui::MachineTimesModel& model = *page.machineTimes();
    QCOMPARE(model.rowCount(), here["kernel_count"].toInt() + 1);
    const auto check = [&model](int row, const QJsonValue& a, const QJsonValue& b) {
      QVERIFY_SHOWS("first", cell(model, row, 2), a, 1e3);
      QVERIFY_SHOWS("second", cell(model, row, 3), b, 1e3);
      QVERIFY_SHOWS("ratio", cell(model, row, 4), b.toDouble() / a.toDouble(), 1);
    };
    check(0, here["simulated_total_ns"], there["simulated_total_ns"]);
    QMap<QString, QJsonValue> second;
    for (const QJsonValue& kernel : there["kernels"].toArray()) {
      second[kernel["kernel"].toString()] = kernel["all_ns"];
    }
    const QJsonArray kernels = here["kernels"].toArray();
    for (qsizetype i = 0; i < kernels.size(); ++i) {
      const int row = static_cast<int>(i) + 1;
      QCOMPARE(cell(model, row, 0), kernels[i]["kernel"].toString());
      check(row, kernels[i]["all_ns"], second[kernels[i]["kernel"].toString()]);
    }
  }

 private:
  static void cases() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("module");
    QTest::newRow("convolution") << "tpu_v3_tiles.pb" << 2;
    QTest::newRow("compiled") << "resnet50_train.cpu_after_optimizations.txt" << 1;
    QTest::newRow("own fusion") << "mobilenet_v2.hlo" << 1;
    QTest::newRow("loops and branches") << "control_flow.cpu_after_optimizations.txt" << 1;
  }

  static QString address() {
    QFETCH(QString, file);
    QFETCH(int, module);
    return QStringLiteral("%1#%2").arg(sample_path(file.toLatin1().constData())).arg(module);
  }

  static ui::SimulatePage& shown(WindowFixture& fixture) {
    QFETCH(QString, file);
    QFETCH(int, module);
    open_module(fixture.window(), sample_path(file.toLatin1().constData()), module);
    return page_of<ui::SimulatePage>(fixture.window());
  }

  static QString text_with(const QWidget& page, const QString& word) {
    for (const auto* label : page.findChildren<ui::ElidedLabel*>()) {
      if (label->wholeText().contains(word)) return label->wholeText();
    }
    return {};
  }

  static void check_units(const ui::SimulatePage& page, const QJsonObject& cli) {
    const auto& timeline = *page.timeline();
    const QJsonObject busy = cli["busy_ns"].toObject();
    QCOMPARE(busy.size(), qsizetype{sim::kUnitCount});
    for (size_t u = 0; u < sim::kUnitCount; ++u) {
      const auto unit = static_cast<sim::Unit>(u);
      const QString name = ui::textOf(sim::name(unit));
      const double share = timeline.busy_ns(unit, 0, timeline.total_ns()) / timeline.total_ns();
      const double wanted = busy[name].toDouble() / cli["simulated_total_ns"].toDouble();
      QVERIFY_SHOWS(name, ui::formatPercent(share, 0), wanted, 1);
      QVERIFY_SHOWS(name, ui::formatTime(share * timeline.total_ns()), busy[name], 1);
    }
  }

  /// "M MXU: 3.20 µs (45.6 %)" line by line, times of all executions.
  static void check_parts(const QString& text, const QJsonObject& parts_ns, double once_ns,
                          double executions) {
    QList<double> wanted;
    for (const QJsonValue& part : parts_ns) wanted << part.toDouble();
    const QStringList lines = text.split('\n').mid(1);
    QCOMPARE(lines.size(), wanted.size());
    for (const QString& line : lines) {
      const QString time = line.section(QStringLiteral(": "), -1).section(" (", 0, 0);
      const QString share = line.section('(', -1).remove(')');
      const auto fits = [&](double ns) {
        return shows(time, ns * executions) && shows(share, ns / once_ns);
      };
      QVERIFY2(std::any_of(wanted.begin(), wanted.end(), fits), qPrintable(line));
    }
  }

  /// "name\n12.3 FLOP/byte\n45 GFLOP/s simulated, 12 % of the roof\n1.2 % of the time".
  static void check_roof(const QString& text, const QJsonObject& kernel) {
    if (text.isEmpty()) {
      QVERIFY(kernel["flops_per_s"].isNull());
      return;
    }
    const QStringList lines = text.split('\n');
    QVERIFY_SHOWS("intensity", lines[1], kernel["flops_per_byte"], 1);
    QVERIFY_SHOWS("speed", lines[2].section(" simulated", 0, 0), kernel["flops_per_s"], 1);
    QVERIFY_SHOWS("share", lines[3].section(" of", 0, 0), kernel["share"], 1);
  }
};

HLOSCOPE_TEST(TestSimulateNumbers);
}  // namespace hloscope::testing
#include "test_simulate_numbers.moc"
