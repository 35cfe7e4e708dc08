#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

// Raw: tanh, negate and add. Own fusion: one kernel of the three.
constexpr auto kOwnFusionProgram = R"(HloModule step
ENTRY main {
  a = f32[1024]{0} parameter(0)
  b = f32[1024]{0} parameter(1)
  c = f32[1024]{0} tanh(a)
  d = f32[1024]{0} negate(c)
  ROOT e = f32[1024]{0} add(d, b)
}
)";

constexpr auto kCompiled = R"(HloModule step, is_scheduled=true
ENTRY main {
  a = f32[1024]{0} parameter(0)
  ROOT c = f32[1024]{0} tanh(a)
}
)";

// Calls of calls follow, each level two of the one below.
constexpr auto kTooDeep = R"(HloModule deep
level.0 {
  p = f32[8]{0} parameter(0)
  ROOT r = f32[8]{0} negate(p)
}
)";

}  // namespace

class TestCliOwnFusion : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString program() const { return write("step.hlo", kOwnFusionProgram); }
  static QJsonObject json(const QStringList& arguments) {
    const Outcome outcome = run(arguments + QStringList{"--json"});
    return QJsonDocument::fromJson(outcome.out).array()[0].toObject();
  }

 private slots:
  void kernels_are_those_of_own_fusion() {
    const QJsonObject own = json({"kernels", program()});
    QCOMPARE(own["kernels_from"].toString(), QString("own_fusion"));
    QCOMPARE(own["is_optimized"].toBool(), false);
    QCOMPARE(own["kernel_count"].toInt(), 1);
    const QJsonObject raw = json({"kernels", program(), "--raw"});
    QCOMPARE(raw["kernels_from"].toString(), QString("raw"));
    QCOMPARE(raw["kernel_count"].toInt(), 3);
    const QJsonObject compiled = json({"kernels", write("compiled.hlo", kCompiled)});
    QCOMPARE(compiled["kernels_from"].toString(), QString("compiled"));
    QCOMPARE(compiled["is_optimized"].toBool(), true);
  }

  void every_listing_says_where_its_kernels_come_from() {
    for (const QStringList& command :
         {QStringList{"kernels"}, QStringList{"info"}, QStringList{"simulate"},
          QStringList{"simulate", "--kernel", "fusion.1"}, QStringList{"tiles"},
          QStringList{"simulate", "--all-tiles"}}) {
      const Outcome own = run(command + QStringList{program()});
      QVERIFY2(own.code == 0, own.err);
      QVERIFY2(own.out.contains("kernels: own fusion"), own.out);
    }
    for (const char* command : {"kernels", "info", "simulate"}) {
      QVERIFY(run({command, program(), "--raw"}).out.contains("kernels: raw"));
      QVERIFY(run({command, write("c.hlo", kCompiled)}).out.contains("kernels: as compiled"));
      QCOMPARE(json({command, program()})["kernels_from"].toString(), QString("own_fusion"));
    }
    QCOMPARE(json({"tiles", program()})["kernels_from"].toString(), QString("own_fusion"));
    QCOMPARE(json({"features", program(), "--kernel", "fusion.1"})["kernels_from"].toString(),
             QString("own_fusion"));
  }

  void the_report_page_says_it_too() {
    const QString out = folder_.filePath("page");
    QCOMPARE(run({"report", program(), "--out", out}).code, 0);
    QFile page(out + "/index.html");
    QVERIFY(page.open(QIODevice::ReadOnly));
    QVERIFY(page.readAll().contains("kernels: own fusion"));
  }

  void info_counts_what_stands_in_the_file() {
    const QJsonObject info = json({"info", program()});
    QCOMPARE(info["instructions"].toInt(), 5);
    QCOMPARE(info["computations"].toInt(), 1);
    QVERIFY(!info["opcodes"].toObject().contains("fusion"));
    QCOMPARE(info["kernels"].toInt(), 1);
    // tanh and negate read and write 4096 bytes each, add reads two arrays.
    QCOMPARE(info["bytes_accessed"].toDouble(), 7 * 4096.0);
    const QJsonObject costs = json({"costs", program()});
    QCOMPARE(costs["total"]["bytes_accessed"].toDouble(), 7 * 4096.0);
  }

  void names_are_those_of_the_shown_program() {
    const Outcome fused = run({"simulate", program(), "--kernel", "c"});
    QCOMPARE(fused.code, 1);
    QVERIFY2(fused.err.contains("'c' is a part of the kernel fusion.1; with --raw it is a kernel"),
             fused.err);
    QCOMPARE(json({"simulate", program(), "--kernel", "c", "--raw"})["kernel"].toString(),
             QString("c"));
    QCOMPARE(run({"simulate", program(), "--kernel", "fusion.1", "--raw"}).code, 1);
  }

  void what_cannot_be_fused_is_shown_raw_with_a_warning() {
    QByteArray text = kTooDeep;
    for (int i = 1; i <= 22; ++i) {
      const QByteArray name = i == 22 ? "ENTRY main" : "level." + QByteArray::number(i);
      const QByteArray below = "level." + QByteArray::number(i - 1);
      text += name +
              " {\n  p = f32[8]{0} parameter(0)\n  c = f32[8]{0} call(p), to_apply=" + below +
              "\n  ROOT r = f32[8]{0} call(c), to_apply=" + below + "\n}\n";
    }
    const Outcome outcome = run({"kernels", write("deep.hlo", text)});
    QCOMPARE(outcome.code, 0);
    QVERIFY(outcome.out.contains("kernels: raw"));
    QVERIFY2(outcome.err.startsWith("warning: ") && outcome.err.contains("own fusion failed"),
             outcome.err);
  }

  void runs_of_both_are_kept_apart() {
    const QString db = folder_.filePath("runs.hloscope");
    QCOMPARE(run({"kernels", program(), "--db", db}).code, 0);
    QCOMPARE(run({"kernels", program(), "--raw", "--db", db}).code, 0);
    const QJsonArray runs =
        QJsonDocument::fromJson(run({"runs", "--db", db, "--json"}).out).array();
    // Newest first: raw predicted, analytical and simulated, then the same of the fused program.
    QCOMPARE(runs.size(), 6);
    const QJsonObject fused = runs[4].toObject();
    QVERIFY(runs[1].toObject()["settings"].toObject().isEmpty());
    QCOMPARE(runs[0].toObject()["distinct_kernels"].toInt(), 3);
    QCOMPARE(fused["settings"]["kernels"].toString(), QString("own fusion"));
    QCOMPARE(fused["distinct_kernels"].toInt(), 1);
    QVERIFY(run({"runs", "--db", db}).out.contains("own fusion"));
  }

  void the_signature_is_that_of_the_program_in_the_file() {
    // Of kernels that own fusion would join: as compiled, is_scheduled changes nothing else.
    QByteArray scheduled = kOwnFusionProgram;
    scheduled.replace("HloModule step", "HloModule step, is_scheduled=true");
    const Outcome raw = run({"bench", "signature", program()});
    QCOMPARE(raw.code, 0);
    QCOMPARE(raw.out, run({"bench", "signature", write("s.hlo", scheduled)}).out);
  }
};

HLOSCOPE_TEST(TestCliOwnFusion);
#include "test_cli_own_fusion.moc"
