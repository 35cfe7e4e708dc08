#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

// Unfused: tanh, negate and add move 2 + 2 + 3 arrays of 4096 bytes; fused the two parameters and
// the result.
constexpr auto kFusedProgram = R"(HloModule step
ENTRY main {
  a = f32[1024] parameter(0)
  b = f32[1024] parameter(1)
  c = f32[1024] tanh(a)
  d = f32[1024] negate(c)
  ROOT e = f32[1024] add(d, b)
}
)";

}  // namespace

class TestCliFuse : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString program() const { return write("step.hlo", kFusedProgram); }
  QJsonObject fused(const QStringList& options) const {
    const Outcome outcome = run(QStringList{"fuse", program(), "--json"} + options);
    return QJsonDocument::fromJson(outcome.out).array()[0].toObject();
  }

 private slots:
  void the_json_has_kernels_and_bytes_of_both() {
    const QJsonObject row = fused({});
    QCOMPARE(row["name"].toString(), QString("step"));
    QCOMPARE(row["module_number"].toInt(), 1);
    QCOMPARE(row["before"]["kernels"].toInt(), 3);
    QCOMPARE(row["before"]["bytes"].toDouble(), 7 * 4096.0);
    QCOMPARE(row["after"]["kernels"].toInt(), 1);
    QCOMPARE(row["after"]["launches"].toDouble(), 1.0);
    QCOMPARE(row["after"]["bytes"].toDouble(), 3 * 4096.0);
    QCOMPARE(row["after"]["by_class"]["elementwise"]["bytes"].toDouble(), 3 * 4096.0);
    QCOMPARE(row["ratio"].toDouble(), 3.0 / 7);
    QCOMPARE(row["edges"].toInt(), 2);
    QCOMPARE(row["edges_set"].toInt(), 2);
    QCOMPARE(row["config"].toString(), QString("11"));
  }

  void a_configuration_or_a_seed_decides() {
    QCOMPARE(fused({"--config", write("config", "01\n")})["after"].toObject()["kernels"].toInt(),
             2);
    QCOMPARE(fused({"--config", write("config", "00\n")})["after"].toObject()["bytes"].toDouble(),
             7 * 4096.0);
    const QString once = fused({"--random", "5"}).value("config").toString();
    QCOMPARE(once.size(), 2);
    QCOMPARE(fused({"--random", "5"}).value("config").toString(), once);
    const Outcome wrong = run({"fuse", program(), "--config", write("config", "0110")});
    QCOMPARE(wrong.code, 1);
    QVERIFY2(wrong.err.contains("4 bits") && wrong.err.contains("2 fusable edges"), wrong.err);
    QCOMPARE(run({"fuse", program(), "--config", path("config"), "--random", "1"}).code, 2);
    QCOMPARE(run({"fuse", program(), "--config", path("absent")}).code, 1);
  }

  void the_output_is_a_program_that_can_be_read() {
    const Outcome outcome = run({"fuse", program(), "-o", path("out.hlo")});
    QCOMPARE(outcome.code, 0);
    QFile file(path("out.hlo"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("kind=kLoop, calls=%fused_computation.1"));
    QCOMPARE(run({"check", path("out.hlo")}).code, 0);
    // Fused again nothing changes.
    const Outcome again = run({"fuse", path("out.hlo"), "--json"});
    QCOMPARE(QJsonDocument::fromJson(again.out).array()[0].toObject()["ratio"].toDouble(), 1.0);
    const Outcome bad = run({"fuse", program(), "-o", path("no/such/folder/out.hlo")});
    QCOMPARE(bad.code, 1);
    QCOMPARE(run({"fuse", program(), "-o", path("step.hlo")}).code, 1);  // Its own input.
    const Outcome two = run({"fuse", program(), program(), "-o", path("out.hlo")});
    QCOMPARE(two.code, 1);
    QVERIFY2(two.err.contains("FILE#N"), two.err);
  }

  void the_text_shows_classes_the_other_file_and_the_mean() {
    const Outcome one = run({"fuse", program(), "--against", program()});
    QCOMPARE(one.code, 0);
    QVERIFY2(one.out.contains("2 of 2 fusable edges set"), one.out);
    QVERIFY2(one.out.contains("elementwise"), one.out);
    QVERIFY2(one.out.contains("the other file"), one.out);
    QVERIFY2(one.out.contains("0.429"), one.out);
    const Outcome two = run({"fuse", program(), program()});
    QVERIFY2(two.out.contains("geometric mean of the ratios of 2 modules: 0.429"), two.out);
    QCOMPARE(run({"fuse", path("absent.hlo")}).code, 1);
    QCOMPARE(run({"fuse"}).code, 2);
  }

  void why_nothing_is_fused_is_said() {
    const QString compiled =
        write("compiled.hlo",
              "HloModule m, is_scheduled=true\nENTRY main {\n  a = f32[8] parameter(0)\n"
              "  f = f32[8] fusion(a), kind=kLoop, calls={ b = f32[8] parameter(0)\n"
              "    ROOT n = f32[8] negate(b) }\n  ROOT t = f32[8] tanh(f)\n}\n");
    const QString one = write("one.hlo",
                              "HloModule m\nENTRY main {\n  a = f32[8] parameter(0)\n"
                              "  ROOT n = f32[8] negate(a)\n}\n");
    const Outcome of_compiled = run({"fuse", compiled});
    QVERIFY2(of_compiled.out.contains("the program is compiled"),
             of_compiled.out + of_compiled.err);
    const Outcome of_one = run({"fuse", one});
    QVERIFY2(of_one.out.contains("nothing can be fused in the program"), of_one.out + of_one.err);
    QVERIFY(!run({"fuse", program()}).out.contains("  nothing"));
    const auto rows = QJsonDocument::fromJson(run({"fuse", compiled, one, "--json"}).out).array();
    QCOMPARE(rows[0]["is_compiled"].toBool(), true);
    QCOMPARE(rows[1]["is_compiled"].toBool(true), false);
  }

  void a_program_without_kernels_has_no_ratio() {
    const QString file =
        write("empty.hlo", "HloModule m\nENTRY main { ROOT a = f32[8] parameter(0) }\n");
    const Outcome outcome = run({"fuse", file, "--json"});
    QCOMPARE(outcome.code, 0);
    QVERIFY(QJsonDocument::fromJson(outcome.out).array()[0].toObject()["ratio"].isNull());
    QCOMPARE(run({"fuse", file, program()}).code, 0);
  }
};

HLOSCOPE_TEST(TestCliFuse);
#include "test_cli_fuse.moc"
