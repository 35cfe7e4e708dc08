#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kStep = R"(HloModule step, is_scheduled=true
ENTRY main {
  p = f32[1024,1024]{1,0} parameter(0)
  a = f32[1024,1024]{1,0} negate(p)
  ROOT b = f32[1024,1024]{1,0} dot(a, p), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

double change(double now, double before) {
  return (now - before) / before;
}

}  // namespace

/// Times against those of another machine or of a stored run.
class TestCliBaseline : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QJsonObject json(const QStringList& arguments) {
    return QJsonDocument::fromJson(run(arguments).out).array()[0].toObject();
  }

 private slots:
  void changes_against_another_machine_are_those_of_two_listings() {
    const QString file = write("step.hlo", kStep);
    const QJsonObject v3 = json({"kernels", file, "--json"});
    const QJsonObject v4 = json({"kernels", file, "--json", "--machine", "tpu_v4"});
    const QJsonObject both =
        json({"kernels", file, "--json", "--machine", "tpu_v4", "--baseline", "tpu_v3"});
    QVERIFY(!v4.contains("baseline"));
    const QJsonObject baseline = both["baseline"].toObject();
    QCOMPARE(baseline["label"].toString(), QString("TPU v3"));
    QCOMPARE(baseline["simulated_total_delta"].toDouble(),
             change(v4["simulated_total_ns"].toDouble(), v3["simulated_total_ns"].toDouble()));
    for (int k = 0; k < 2; ++k) {
      const QJsonObject kernel = both["kernels"][k].toObject();
      for (const QString source : {"simulated", "analytical"}) {
        QCOMPARE(kernel[source + "_delta"].toDouble(),
                 change(v4["kernels"][k][source + "_ns"].toDouble(),
                        v3["kernels"][k][source + "_ns"].toDouble()));
      }
      QVERIFY(kernel["simulated_delta"].toDouble() != 0);
      // What was measured on another machine is not known; for it nothing is predicted.
      QVERIFY(!kernel.contains("measured_delta"));
      QVERIFY(!kernel.contains("predicted_delta"));
    }
  }
  void tables_files_and_filters_have_them() {
    const QString file = write("step.hlo", kStep);
    const QStringList with{"kernels", file, "--machine", "tpu_v4", "--baseline", "tpu_v3"};
    const QByteArray text = run(with).out;
    QVERIFY2(text.contains("Δ simulated"), text.constData());
    QVERIFY2(text.contains("baseline: TPU v3; against it simulated "), text.constData());
    const QByteArray csv = run(with + QStringList{"--csv"}).out;
    const auto header = csv.left(csv.indexOf('\n')).split(',');
    QVERIFY(header.contains("simulated_delta"));
    QVERIFY(!header.contains("measured_delta"));
    QVERIFY(!run({"kernels", file, "--csv"}).out.contains("delta"));
    const QByteArray none = run(with + QStringList{"--csv", "--filter", "dsim>1000000"}).out;
    QCOMPARE(none.count('\n'), 1);
    const QByteArray same =
        run({"kernels", file, "--baseline", "tpu_v3", "--csv", "--filter", "dsim=0"}).out;
    QCOMPARE(same.count('\n'), 3);
  }
  void a_stored_run_is_a_baseline() {
    const QString file = write("step.hlo", kStep);
    const QString db = path("runs.hloscope");
    const QJsonObject v3 = json({"kernels", file, "--json", "--db", db});
    const QJsonArray runs =
        QJsonDocument::fromJson(run({"runs", "--db", db, "--json"}).out).array();
    QString number;
    for (const QJsonValue& one : runs) {
      if (one["source"].toString() == "simulator") number = QString::number(one["run"].toInt());
    }
    QVERIFY(!number.isEmpty());
    const QJsonObject v5 = json(
        {"kernels", file, "--json", "--machine", "tpu_v5e", "--baseline-run", number, "--db", db});
    QCOMPARE(v5["baseline"]["label"].toString(), "run " + number + ", TPU v3");
    QCOMPARE(v5["kernels"][1]["simulated_delta"].toDouble(),
             change(v5["kernels"][1]["simulated_ns"].toDouble(),
                    v3["kernels"][1]["simulated_ns"].toDouble()));
    QVERIFY(!v5["kernels"][1].toObject().contains("analytical_delta"));
  }
  void totals_and_pages_say_it_too() {
    const QString file = write("step.hlo", kStep);
    const QJsonObject total =
        json({"simulate", file, "--json", "--machine", "tpu_v4", "--baseline", "tpu_v3"});
    const QJsonObject kernels =
        json({"kernels", file, "--json", "--machine", "tpu_v4", "--baseline", "tpu_v3"});
    QCOMPARE(total["baseline"]["simulated_total_delta"].toDouble(),
             kernels["baseline"]["simulated_total_delta"].toDouble());
    QCOMPARE(run({"report", file, "--out", path("page"), "--baseline", "tpu_v4"}).code, 0);
    QFile page(path("page/index.html"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray html = page.readAll();
    QVERIFY(html.contains("Δ simulated %"));
    QVERIFY(html.contains("change of the time against TPU v4"));
  }
  void what_is_wrong_is_said() {
    const QString file = write("step.hlo", kStep);
    QCOMPARE(run({"kernels", file, "--baseline", "tpu_v99"}).code, 2);
    QCOMPARE(run({"kernels", file, "--baseline-run", "1"}).code, 2);  // of which file?
    QCOMPARE(run({"kernels", file, "--baseline-run", "1", "--db", path("none.hloscope")}).code, 1);
    QVERIFY(!QFile::exists(path("none.hloscope")));
    const QString db = path("some.hloscope");
    QCOMPARE(run({"kernels", file, "--db", db}).code, 0);
    const Outcome unknown = run({"kernels", file, "--baseline-run", "99", "--db", db});
    QCOMPARE(unknown.code, 1);
    QVERIFY2(unknown.err.contains("there is no run 99"), unknown.err.constData());
    QCOMPARE(run({"simulate", file, "--branches", "max", "--baseline", "tpu_v4"}).code, 2);
  }
};

HLOSCOPE_TEST(TestCliBaseline);
#include "test_cli_baseline.moc"
