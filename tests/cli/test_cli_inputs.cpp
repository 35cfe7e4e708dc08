#include <sys/stat.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <fstream>

#include "tests/cli/cli_process.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kInputProgram =
    "HloModule m\nENTRY e {\n  p = f32[8] parameter(0)\n  ROOT n = f32[8] negate(p)\n}\n";

}  // namespace

// Inputs that are no ordinary files, and output that must stay readable for programs.
class TestCliInputs : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;
  std::string write(const std::string& name, const std::string& bytes) const {
    std::string path = folder_.path().toStdString() + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  // A shell passes names of bytes that are not UTF-8, which QProcess can't.
  static Outcome shell(const std::string& command) {
    QProcess process;
    process.start(
        "bash",
        {"-c", QString::fromStdString("CLI=" HLOSCOPE_BINARY_DIR "/hloscope-cli; " + command)});
    process.waitForFinished(60000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
  }

 private slots:
  void json_of_names_that_are_not_utf8() {
    const std::string good = write("good.hlo", kInputProgram);
    for (const char* command : {"check", "info", "kernels", "costs", "bench read"}) {
      const Outcome outcome =
          shell("cd " + folder_.path().toStdString() + " && cp good.hlo $'b\\xffd.hlo' && $CLI " +
                command + " --json $'b\\xffd.hlo'");
      QVERIFY2(outcome.code == 0, outcome.err);
      const QJsonArray list = QJsonDocument::fromJson(outcome.out).array();
      QVERIFY2(list.size() == 1, outcome.out);
      QCOMPARE(list[0]["file"].toString(), QStringLiteral(u"b\ufffdd.hlo"));
    }
    // QTemporaryDir cannot remove a file of that name.
    QCOMPARE(shell("rm " + folder_.path().toStdString() + "/b*.hlo").code, 0);
  }
  void json_of_messages_that_are_not_utf8() {
    const std::string path = write("wild.pb", "\x0a\xff\xfe\x80 damaged \x9f\x12\x01");
    const Outcome outcome = run({"check", "--json", QString::fromStdString(path)});
    QCOMPARE(outcome.code, 1);
    const QJsonArray list = QJsonDocument::fromJson(outcome.out).array();
    QVERIFY2(list.size() == 1, outcome.out);
    QCOMPARE(list[0]["ok"].toBool(true), false);
  }
  void json_of_no_runs_is_an_empty_list() {
    const Outcome outcome = run({"runs", "--json", "--db", folder_.filePath("absent.db")});
    QCOMPARE(outcome.code, 1);
    QCOMPARE(outcome.out, QByteArray("[]\n"));
  }
  void endless_and_silent_inputs_end() {
    const Outcome device = run({"check", "/dev/zero"});
    QCOMPARE(device.code, 1);
    QCOMPARE(device.out, QByteArray("/dev/zero: this is a device or socket, not a file\n"));
    const QString pipe = folder_.filePath("pipe");
    QCOMPARE(mkfifo(pipe.toUtf8().constData(), 0600), 0);
    QCOMPARE(run({"check", pipe}).code, 1);
  }
  void pipes_are_read() {
    const std::string path = write("p.hlo", kInputProgram);
    const Outcome outcome = shell("cat " + path + " | $CLI check /dev/stdin <(cat " + path + ")");
    QCOMPARE(outcome.code, 0);
    QCOMPARE(outcome.out.count("ok, HLO text, 1 module, 2 instructions"), 2);
  }
  void bad_machine_files() {
    const QString path = QString::fromStdString(write("m.hlo", kInputProgram));
    const Outcome folder = run({"kernels", path, "--machine", folder_.path()});
    QCOMPARE(folder.code, 1);
    QVERIFY2(folder.err.contains("Is a directory"), folder.err);
    const QString broken = QString::fromStdString(write("broken.json", "{\"id\": 3}"));
    const Outcome json = run({"kernels", path, "--machine", broken});
    QCOMPARE(json.code, 1);
    QVERIFY2(json.err.contains("text \"id\" is missing"), json.err);
    QCOMPARE(run({"kernels", path, "--machine", "/dev/zero"}).code, 1);
  }
  void top_is_at_least_one() {
    const QString path = QString::fromStdString(write("t.hlo", kInputProgram));
    QCOMPARE(run({"kernels", path, "--top", "1"}).code, 0);
    for (const char* top : {"0", "-1", "1.5", "99999999999999999999"}) {
      QCOMPARE(run({"kernels", path, "--top", top}).code, 2);
      QCOMPARE(run({"runs", "--top", top}).code, 2);
    }
  }
  void a_number_that_an_option_cannot_take_is_wrong_usage_data() {
    QTest::addColumn<QStringList>("command");
    for (const char* command : {"fuse x --random",
                                "tune tiles x --seed",
                                "tune fusion x --trials",
                                "tune layout x --refine",
                                "tune program-tiles x --time",
                                "tune best 1 --db x --trial",
                                "simulate x --seed",
                                "tiles x --random",
                                "tiles x --seed",
                                "eval x --seed",
                                "eval x --max-operations",
                                "dataset generate x -o y --seed",
                                "dataset generate x -o y --noise",
                                "dataset split x --valid",
                                "train x --steps",
                                "train x --learning-rate",
                                "report x --out y --from",
                                "report x --out y --to",
                                "sessions --limit",
                                "runs --top"}) {
      QTest::newRow(command) << QString(command).split(' ');
    }
  }
  void a_number_that_an_option_cannot_take_is_wrong_usage() {
    QFETCH(QStringList, command);
    for (const char* number : {"-1", "nan", "-9e999", "1x", "-99999999999999999999"}) {
      // Temperatures and seconds below 0 are refused by the settings.
      const bool is_finite = QString(number) == "-1" || QString(number).startsWith("-9999");
      if (command.contains("--time") && is_finite) continue;
      const Outcome outcome = run(command + QStringList{number});
      QVERIFY2(outcome.code == 2, number);
      QVERIFY2(outcome.err.contains(command.last().toUtf8()), outcome.err);
      QVERIFY2(outcome.err.size() < 200, outcome.err);
    }
  }
  void an_option_that_is_given_empty_is_not_taken_for_left_out_data() {
    QTest::addColumn<QStringList>("command");
    const QString file = QString::fromStdString(write("few.hlo", kInputProgram));
    QTest::newRow("baseline") << QStringList{"kernels", file, "--baseline"};
    QTest::newRow("database") << QStringList{"kernels", file, "--db"};
    QTest::newRow("measured") << QStringList{"kernels", file, "--measured"};
    QTest::newRow("trace") << QStringList{"simulate", file, "--trace"};
    QTest::newRow("kernel") << QStringList{"simulate", file, "--kernel"};
    QTest::newRow("runs") << QStringList{"runs", "--db"};
    QTest::newRow("report") << QStringList{"report", file, "--out"};
  }
  void an_option_that_is_given_empty_is_not_taken_for_left_out() {
    QFETCH(QStringList, command);
    const Outcome outcome = run(command + QStringList{""});
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(command.last().toUtf8() + ": the value is empty"), outcome.err);
    QVERIFY2(outcome.out.isEmpty(), outcome.out);
  }
  void full_disk_is_an_error() {
    const Outcome outcome = shell("$CLI check " + write("f.hlo", kInputProgram) + " > /dev/full");
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("could not be written"), outcome.err);
  }
  void megabyte_name_in_a_message_is_cut() {
    const std::string name(1000000, 'a');
    const std::string path =
        write("long.hlo", "HloModule m\nENTRY e {\n  x = f32[] negate(" + name + ")\n}\n");
    const Outcome outcome = run({"check", QString::fromStdString(path)});
    QCOMPARE(outcome.code, 1);
    QVERIFY(outcome.out.size() < 1000);
    QVERIFY2(outcome.out.contains("long.hlo:3:20: "), outcome.out);
  }
};

HLOSCOPE_TEST(TestCliInputs);
#include "test_cli_inputs.moc"
