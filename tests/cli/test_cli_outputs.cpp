#include <QDir>
#include <QDirIterator>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kOutputKernel = R"(HloModule one, is_scheduled=true
ENTRY main {
  a = f32[512,512]{1,0} parameter(0)
  b = f32[512,512]{1,0} parameter(1)
  ROOT d = f32[512,512]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";
constexpr auto kOutputStep = R"(HloModule step
ENTRY main {
  a = f32[512,512]{1,0} parameter(0)
  t = f32[512,512]{1,0} tanh(a)
  ROOT n = f32[512,512]{1,0} negate(t)
}
)";

QStringList entriesOf(const QString& folder) {
  QStringList out;
  QDirIterator all(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot,
                   QDirIterator::Subdirectories);
  while (all.hasNext()) out << all.next();
  out.sort();
  return out;
}

}  // namespace

/// Places that cannot be written: the message says what, where and what to do, and nothing is left.
class TestCliOutputs : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  /// Commands that write, with OUT for what; the last ones make folders that are absent.
  static constexpr const char* kCommands[] = {
      "fuse STEP -o OUT",
      "simulate ONE --trace OUT",
      "dataset import TILES -o OUT",
      "dataset merge SET -o OUT",
      "train SET --split random --steps 2 -o OUT",
      "sessions export 1 --db SESSIONS -o OUT",
      "sessions export 1 --db SESSIONS --format optuna -o OUT",
      "tune best 1 --db SESSIONS -o OUT",
      "dataset generate STEP -o OUT --configurations 1",
      "tune tiles ONE --evaluator analytical --measure none --trials 3 --db OUT",
      "kernels ONE --db OUT",
      "dataset export SET --to OUT --split random",
      "report TILES --out OUT"};
  static constexpr size_t kMakeFolders = 5;

  QStringList arguments(const QString& command, const QString& out) const {
    QStringList words = command.split(' ');
    for (QString& word : words) {
      if (word == "OUT") word = out;
      if (word == "STEP") word = path("step.hlo");
      if (word == "ONE") word = path("one.hlo");
      if (word == "SET") word = path("set.hloscope");
      if (word == "SESSIONS") word = path("sessions.hloscope");
      if (word == "TILES") word = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
    }
    return words;
  }
  static void addCommands(size_t count) {
    QTest::addColumn<QString>("command");
    for (size_t i = 0; i < count; ++i) QTest::newRow(kCommands[i]) << QString(kCommands[i]);
  }
  // Folders are the place for an export and a report.
  static bool writesFolder(const QString& command) {
    return command.startsWith("dataset export") || command.startsWith("report");
  }

 private slots:
  void initTestCase() {
    write("step.hlo", kOutputStep);
    write("one.hlo", kOutputKernel);
    const Outcome made =
        run({"dataset", "generate", HLOSCOPE_SOURCE_DIR "/samples", "-o", path("set.hloscope"),
             "--task", "tile", "--tiles", "3", "--configurations", "1"});
    QVERIFY2(made.code == 0, made.err);
    QCOMPARE(run({"dataset", "split", path("set.hloscope"), "--by", "random"}).code, 0);
    QCOMPARE(run({"tune", "tiles", path("one.hlo"), "--evaluator", "analytical", "--measure",
                  "none", "--trials", "3000", "--db", path("sessions.hloscope")})
                 .code,
             0);
  }

  void a_missing_folder_is_named_data() { addCommands(std::size(kCommands) - kMakeFolders); }
  void a_missing_folder_is_named() {
    QFETCH(const QString, command);
    const QStringList before = entriesOf(folder_.path());
    const Outcome outcome = run(arguments(command, path("missing/deep/out")));
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("there is no folder " + path("missing").toUtf8()), outcome.err);
    QVERIFY2(outcome.err.contains("hint: make it"), outcome.err);
    QCOMPARE(entriesOf(folder_.path()), before);
  }

  // Nobody may make a file there, not even the administrator.
  void a_folder_that_may_not_be_written_is_named_data() { addCommands(std::size(kCommands)); }
  void a_folder_that_may_not_be_written_is_named() {
    QFETCH(const QString, command);
    const Outcome outcome = run(arguments(command, "/sys/hloscope_out"));
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("written in the folder /sys") ||
                 outcome.err.contains("write in the folder /sys") ||
                 outcome.err.contains("/sys/hloscope_out: you may not write in the folder /sys"),
             outcome.err);
    QVERIFY2(!outcome.err.contains("No such file"), outcome.err);
    QVERIFY2(outcome.err.contains("hint: choose another folder"), outcome.err);
  }

  void a_folder_in_the_place_of_a_file_is_named_data() { addCommands(std::size(kCommands)); }
  void a_folder_in_the_place_of_a_file_is_named() {
    QFETCH(const QString, command);
    if (writesFolder(command)) return;
    QDir(folder_.path()).mkdir("taken");
    const Outcome outcome = run(arguments(command, path("taken")));
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("folder") && outcome.err.contains("hint: "), outcome.err);
    QVERIFY(entriesOf(path("taken")).isEmpty());
  }

  void a_file_in_the_place_of_a_folder_is_named_data() { addCommands(std::size(kCommands)); }
  void a_file_in_the_place_of_a_folder_is_named() {
    QFETCH(const QString, command);
    write("file", "text");
    const Outcome outcome = run(arguments(command, path("file/out")));
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains(path("file").toUtf8() + " is no folder"), outcome.err);
    QCOMPARE(read(path("file")), QByteArray("text"));
  }

  // A limit on the size of files stands for a full disk.
  void what_does_not_fit_leaves_nothing_data() {
    QTest::addColumn<QString>("command");
    for (const char* command : kCommands) {
      const QString text(command);
      const bool is_small = text.startsWith("fuse") || text.startsWith("tune best") ||
                            text.startsWith("simulate") || text.startsWith("dataset generate") ||
                            text.startsWith("dataset export");
      if (!is_small) QTest::newRow(command) << text;
    }
  }
  void what_does_not_fit_leaves_nothing() {
    QFETCH(const QString, command);
    const QString folder = path("full");
    QDir(folder).removeRecursively();
    QDir(folder_.path()).mkdir("full");
    QStringList words = arguments(command, folder + "/out");
    // KiB, smaller than what these write; SQLite needs 32 KiB beside a file that it reads.
    words.prepend(QStringLiteral("ulimit -f 64; trap '' XFSZ; exec " HLOSCOPE_BINARY_DIR
                                 "/hloscope-cli \"$0\" \"$@\""));
    words.prepend(QStringLiteral("-c"));
    QProcess process;
    process.start("bash", words);
    QVERIFY(process.waitForFinished(60000));
    const QByteArray err = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(err.contains("error: ") && err.contains("hint: ") && err.contains(folder.toUtf8()),
             err);
    QCOMPARE(entriesOf(folder), QStringList());
  }
};

HLOSCOPE_TEST(TestCliOutputs);
#include "test_cli_outputs.moc"
