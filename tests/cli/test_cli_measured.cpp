#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kMeasuredProgram = R"(HloModule step, is_scheduled=true
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  a = f32[8,128]{1,0} negate(p), backend_config={"window_config":{"estimated_cycles":"2100"}}
  b = f32[8,128]{1,0} add(a, a)
  ROOT c = f32[8,128]{1,0} exponential(b)
}
)";

constexpr auto kPlain = R"(HloModule plain, is_scheduled=true
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  ROOT n = f32[8,128]{1,0} negate(p)
}
)";

// The default fusion makes one kernel of it, fusion.1.
constexpr auto kNotOptimised = R"(HloModule before
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  a = f32[8,128]{1,0} negate(p)
  ROOT b = f32[8,128]{1,0} exponential(a)
}
)";

constexpr auto kStats =
    "program_id,hlo_op_name,occurrences,avg_self_time\n"
    "7,a,4,2.5\n"
    "7,b,4,4\n"
    "7,gone,4,1\n";

}  // namespace

/// Measured times and the compiler's estimates on the command line.
class TestCliMeasured : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QJsonObject json(const QStringList& arguments) {
    return QJsonDocument::fromJson(run(arguments).out).array()[0].toObject();
  }

 private slots:
  void own_fusion_never_ran() {
    const QString program = write("before.hlo", kNotOptimised);
    const QString stats =
        write("fusion.csv", "hlo_op_name,occurrences,avg_self_time\nfusion.1,4,2.5\na,4,1\n");
    QVERIFY(run({"kernels", program}).out.contains("fusion.1"));
    const Outcome own = run({"kernels", program, "--measured", stats});
    QCOMPARE(own.code, 1);
    QVERIFY2(own.err.contains("of hloscope's own fusion"), own.err);
    const QJsonArray raw =
        json({"kernels", program, "--raw", "--measured", stats, "--json"})["kernels"].toArray();
    QCOMPARE(raw[0]["measured_ns"].toDouble(), 1000.0);
  }
  void estimates_of_the_compiler_are_listed_where_there_are_any() {
    const QString program = write("step.hlo", kMeasuredProgram);
    const QJsonArray rows =
        json({"kernels", program, "--machine", "tpu_v4", "--json"})["kernels"].toArray();
    QCOMPARE(rows[0]["compiler_ns"].toDouble(), 2000.0);  // 2100 / 1.05 GHz
    QVERIFY(rows[1].toObject().contains("compiler_ns"));
    QVERIFY(rows[1]["compiler_ns"].isNull());
    const Outcome text = run({"kernels", program, "--machine", "tpu_v4"});
    QVERIFY(text.out.contains("XLA estimate µs"));
    QVERIFY(text.out.contains("XLA estimate 2.00 µs in all"));
    const QString plain = write("plain.hlo", kPlain);
    QVERIFY(!run({"kernels", plain}).out.contains("XLA"));
    QVERIFY(!json({"kernels", plain, "--json"})["kernels"][0].toObject().contains("compiler_ns"));
    QVERIFY(!run({"kernels", plain, "--csv"}).out.contains("compiler"));
    const QString page = folder_.filePath("page");
    QCOMPARE(run({"report", program, "--machine", "tpu_v4", "--out", page}).code, 0);
    QFile html(page + "/index.html");
    QVERIFY(html.open(QIODevice::ReadOnly));
    QVERIFY(html.readAll().contains("<th scope=\"col\">XLA estimate µs</th>"));
    // One header is for both.
    const QList<QByteArray> lines = run({"kernels", plain, program, "--csv"}).out.split('\n');
    QVERIFY(lines[0].contains(",compiler_ns,"));
    QCOMPARE(lines[1].count(','), lines[0].count(','));
  }
  void measured_times_fill_their_column() {
    const QStringList arguments{
        "kernels",    write("step.hlo", kMeasuredProgram), "--machine", "tpu_v4",
        "--measured", write("stats.csv", kStats),          "--device",  "TPU v4"};
    const QJsonObject all = json(arguments + QStringList{"--json"});
    const QJsonArray rows = all["kernels"].toArray();
    QCOMPARE(rows[0]["measured_ns"].toDouble(), 2500.0);
    QCOMPARE(rows[0]["compiler_error"].toDouble(), -0.2);
    QCOMPARE(rows[1]["measured_ns"].toDouble(), 4000.0);
    QVERIFY(rows[2]["measured_ns"].isNull());
    const QJsonObject measured = all["measured"].toObject();
    QCOMPARE(measured["device"].toString(), QString("TPU v4"));
    QCOMPARE(measured["program"].toString(), QString("7"));
    QCOMPARE(measured["fits"].toBool(), true);
    QCOMPARE(measured["matched_share"].toDouble(), 26.0 / 30.0);
    QCOMPARE(measured["measured_kernels"].toInt(), 2);
    QCOMPARE(measured["kernels_without_row"].toInt(), 1);
    QCOMPARE(measured["unknown_rows"]["examples"][0].toString(), QString("gone"));
    const QJsonArray accuracy = measured["accuracy"].toArray();
    QCOMPARE(accuracy.size(), 3);
    QCOMPARE(accuracy[2]["source"].toString(), QString("compiler"));
    QCOMPARE(accuracy[2]["kernels"].toInt(), 1);
    QCOMPARE(accuracy[2]["mape"].toDouble(), 0.2);
    const Outcome text = run(arguments);
    QVERIFY2(text.out.contains("2 of 3 kernels measured; 2 of 3 rows and 87 % of the measured"),
             text.out);
    QVERIFY(text.out.contains("XLA estimate against measured: MAPE 20.0 %, median 20.0 %"));
    QVERIFY(text.err.isEmpty());
  }
  void times_of_another_program_are_a_warning_and_are_not_stored() {
    const QString other = write("other.csv", "hlo_op_name,occurrences,avg_time\na,1,1\nx,1,9\n");
    const QString db = folder_.filePath("r.hloscope");
    const Outcome outcome =
        run({"kernels", write("step.hlo", kMeasuredProgram), "--measured", other, "--db", db});
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.err.contains("warning: ") && outcome.err.contains("10 % of the measured"),
             outcome.err);
    const Outcome runs = run({"runs", "--db", db, "--csv"});
    QVERIFY2(runs.out.contains("compiler"), runs.out);
  }
  void errors() {
    const QString program = write("step.hlo", kMeasuredProgram);
    const Outcome absent = run({"kernels", program, "--measured", "/absent.json"});
    QCOMPARE(absent.code, 1);
    QVERIFY(absent.out.isEmpty());
    const Outcome columns = run({"kernels", program, "--measured", write("c.csv", "a,b\n1,2\n")});
    QCOMPARE(columns.code, 1);
    QVERIFY2(columns.err.contains("looked for the columns hlo_op_name"), columns.err);
    QVERIFY2(columns.err.contains("found the columns a, b"), columns.err);
    QCOMPARE(run({"kernels", program, "--device", "TPU v4"}).code, 2);
  }
};
HLOSCOPE_TEST(TestCliMeasured);

#include "test_cli_measured.moc"
