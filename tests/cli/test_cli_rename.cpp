#include <QFile>
#include <QJsonArray>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kRenamedProgram = R"(HloModule net, is_scheduled=true
ENTRY main {
  a = f32[64,128]{1,0} parameter(0)
  ROOT n = f32[64,128]{1,0} negate(a)
}
)";

}  // namespace

/// Names that the user gives to data sets, runs and programs.
class TestCliRename : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  static QJsonArray array(const Outcome& outcome) {
    return QJsonDocument::fromJson(outcome.out).array();
  }
  QJsonObject newest(const QString& db) const {
    return array(run({"runs", "--json", "--db", db})).first().toObject();
  }

 private slots:
  void a_data_set_gets_a_name_and_its_old_one_back() {
    const QString file = path("set.hloscope");
    QCOMPARE(
        run({"dataset", "import", HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb", "-o", file}).code,
        0);
    const QString before = object(run({"dataset", "stats", file, "--json"}))["name"].toString();
    QVERIFY(!before.isEmpty());
    const Outcome renamed = run({"dataset", "rename", file, "it's August", "--json"});
    QVERIFY2(renamed.code == 0, renamed.err);
    QCOMPARE(object(renamed)["name"].toString(), QString("it's August"));
    QCOMPARE(object(renamed)["name_before"].toString(), before);
    QCOMPARE(object(run({"dataset", "stats", file, "--json"}))["name"].toString(),
             QString("it's August"));
    // What it prints takes it back, whatever is in the name.
    const Outcome text = run({"dataset", "rename", file, "third"});
    QVERIFY2(text.out.contains("it's August is called third now"), text.out);
    const qsizetype at = text.out.indexOf("back again: hloscope-cli ");
    QVERIFY2(at >= 0, text.out);
    const QString command =
        QString::fromUtf8(text.out.mid(at)).section("hloscope-cli ", 1).trimmed();
    QProcess shell;
    shell.start("bash", {"-c", QStringLiteral(HLOSCOPE_BINARY_DIR "/hloscope-cli ") + command});
    QVERIFY(shell.waitForFinished(60000) && shell.exitCode() == 0);
    QCOMPARE(object(run({"dataset", "stats", file, "--json"}))["name"].toString(),
             QString("it's August"));
  }

  void what_cannot_be_renamed_is_left() {
    const QString file = path("set.hloscope");
    const QByteArray bytes = read(file);
    QCOMPARE(run({"dataset", "rename", file, ""}).code, 1);
    const Outcome blank = run({"dataset", "rename", file, "  "});
    QCOMPARE(blank.code, 1);
    QVERIFY2(blank.err.contains("must have a name"), blank.err);
    QCOMPARE(run({"dataset", "rename", path("absent.hloscope"), "x"}).code, 1);
    QVERIFY(!QFile::exists(path("absent.hloscope")));
    QCOMPARE(run({"dataset", "rename", file}).code, 2);
    QVERIFY(read(file) == bytes);
  }

  void a_name_is_one_line_of_text() {
    const QString file = path("set.hloscope");
    const QByteArray bytes = read(file);
    for (const QString& name : {QString("a\nb"), QString("\x1b[31mred"), QString(201, 'x')}) {
      const Outcome renamed = run({"dataset", "rename", file, name});
      QCOMPARE(renamed.code, 1);
      QVERIFY2(renamed.err.contains("the name of the data set"), renamed.err);
      QVERIFY2(!renamed.err.contains('\x1b'), renamed.err);
      const Outcome made = run({"dataset", "import", HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb",
                                "-o", path("other.hloscope"), "--name", name});
      QCOMPARE(made.code, 1);
      QVERIFY(!QFile::exists(path("other.hloscope")));
    }
    QVERIFY(read(file) == bytes);
  }

  void a_name_that_looks_like_an_option_is_taken_back() {
    const QString file = path("set.hloscope");
    QCOMPARE(run({"dataset", "rename", file, "--", "-x"}).code, 0);
    const Outcome text = run({"dataset", "rename", file, "plain"});
    QVERIFY2(text.out.contains("dataset rename -- '" + file.toUtf8() + "' '-x'"), text.out);
    const QString command = QString::fromUtf8(text.out).section("hloscope-cli ", 1).trimmed();
    QProcess shell;
    shell.start("bash", {"-c", QStringLiteral(HLOSCOPE_BINARY_DIR "/hloscope-cli ") + command});
    QVERIFY(shell.waitForFinished(60000) && shell.exitCode() == 0);
    QCOMPARE(object(run({"dataset", "stats", file, "--json"}))["name"].toString(), QString("-x"));
  }

  void a_run_and_its_program_get_names() {
    const QString db = path("results.hloscope");
    QCOMPARE(run({"kernels", write("net.hlo", kRenamedProgram), "--db", db}).code, 0);
    const QString number = QString::number(newest(db)["run"].toInt());
    QVERIFY(number.toInt() > 0);
    const Outcome named = run({"runs", "rename", number, "before the change", "--db", db});
    QVERIFY2(named.code == 0, named.err);
    QVERIFY2(named.out.contains("name before the change"), named.out);
    QCOMPARE(newest(db)["name"].toString(), QString("before the change"));
    QCOMPARE(newest(db)["program"].toString(), QString("net"));
    QCOMPARE(run({"runs", "rename", number, "my net", "--program", "--db", db}).code, 0);
    QCOMPARE(newest(db)["program"].toString(), QString("my net"));
    QCOMPARE(newest(db)["name"].toString(), QString("before the change"));
    // Taken away again, both.
    QCOMPARE(run({"runs", "rename", number, "", "--db", db}).code, 0);
    QCOMPARE(run({"runs", "rename", number, "", "--program", "--db", db}).code, 0);
    QCOMPARE(newest(db)["name"].toString(), QString());
    QCOMPARE(newest(db)["program"].toString(), QString("net"));
  }

  void a_run_that_is_not_there_is_said_and_nothing_is_made() {
    const QString db = path("results.hloscope");
    const Outcome unknown = run({"runs", "rename", "999", "x", "--db", db});
    QCOMPARE(unknown.code, 1);
    QVERIFY2(unknown.err.contains("999"), unknown.err);
    QCOMPARE(run({"runs", "rename", "1", "x", "--db", path("absent.db")}).code, 1);
    QVERIFY(!QFile::exists(path("absent.db")));
    QCOMPARE(run({"runs", "rename", "one", "x", "--db", db}).code, 2);
  }
};

HLOSCOPE_TEST(TestCliRename);
#include "test_cli_rename.moc"
