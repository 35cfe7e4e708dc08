#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/cli/cli_process.h"
#include "tests/support/test_registry.h"

namespace {

const QString kImportedTiles = QStringLiteral(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb");

QJsonObject json(const Outcome& outcome) {
  return QJsonDocument::fromJson(outcome.out).object();
}

}  // namespace

class TestCliDatasetImport : public QObject {
  Q_OBJECT
 private:
  std::unique_ptr<QTemporaryDir> folder_;

  QString path(const QString& name) const { return folder_->filePath(name); }
  QString write(const QString& name, const QByteArray& bytes) const {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(bytes);
    return path(name);
  }
  QStringList names() const {
    return QDir(folder_->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  // The counts: tests/core/data/test_import_tuning.cpp.
  void import_then_export() {
    const Outcome made =
        run({"dataset", "import", kImportedTiles, "-o", path("tiles.hloscope"), "--json"});
    QVERIFY2(made.code == 0, made.err);
    const QJsonObject summary = json(made);
    QCOMPARE(summary["name"].toString(), QString("tiles"));
    QCOMPARE(summary["task"].toString(), QString("tile"));
    QCOMPARE(summary["target"].toString(), QString("measured (TPU v3, imported)"));
    QCOMPARE(summary["files"].toInt(), 1);
    QCOMPARE(summary["graphs"].toInt(), 7);
    QCOMPARE(summary["samples"].toInt(), 688);
    QCOMPARE(summary["duplicates"].toInt(), 1);
    QCOMPARE(summary["dropped"]["failed_runs"].toInt(), 2);
    QCOMPARE(summary["dropped"]["runs_without_configuration"].toInt(), 2);
    QCOMPARE(summary["dropped"]["graphs_without_time"].toInt(), 1);
    QVERIFY2(made.err.contains("module 8 (reshape.39) has no tile with a time"), made.err);

    const Outcome out = run({"dataset", "export", path("tiles.hloscope"), "--to", path("npz")});
    QVERIFY2(out.code == 0, out.err);
    QVERIFY2(out.out.contains("7 train, 0 valid and 0 test files, 688 configurations"), out.out);
    QVERIFY2(out.out.contains("--split"), out.out);
    QCOMPARE(QDir(path("npz/npz/tile/xla/train")).entryList(QDir::Files).size(), 7);

    // And back: the same samples, of features alone.
    const Outcome back =
        run({"dataset", "import", path("npz"), "-o", path("again.hloscope"), "--json"});
    QVERIFY2(back.code == 0, back.err);
    QCOMPARE(json(back)["samples"].toInt(), 688);
    QCOMPARE(json(back)["graphs"].toInt(), 7);
    QCOMPARE(json(back)["splits"].toArray().size(), 1);
  }
  void outputs_are_not_lost() {
    QCOMPARE(run({"dataset", "import", kImportedTiles, "-o", write("there", "mine")}).code, 1);
    QFile file(path("there"));
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll() == "mine");
    QCOMPARE(run({"dataset", "import", kImportedTiles, "-o", path("there"), "--force"}).code, 0);
    QFile::copy(kImportedTiles, path("in.pb"));
    const Outcome own = run({"dataset", "import", path("in.pb"), "-o", path("in.pb"), "--force"});
    QCOMPARE(own.code, 1);
    QVERIFY2(own.err.contains("is an input"), own.err);
  }
  void a_bad_file_is_named() {
    const QString bad = write("bad.npz", "PK half a file");
    const Outcome failed =
        run({"dataset", "import", kImportedTiles, bad, "-o", path("x.hloscope")});
    QCOMPARE(failed.code, 1);
    QVERIFY2(failed.err.contains("bad.npz: is cut or damaged"), failed.err);
    QCOMPARE(names(), QStringList{"bad.npz"});
    const Outcome skipped =
        run({"dataset", "import", kImportedTiles, bad, "-o", path("x.hloscope"), "--skip-bad"});
    QCOMPARE(skipped.code, 0);
    QVERIFY2(skipped.err.contains("left out: "), skipped.err);
    QVERIFY2(skipped.out.contains("1 file that cannot be read"), skipped.out);
  }
  void times_in_a_csv_and_what_the_compiler_expected() {
    const QString program = write("k.hlo", R"(HloModule k, is_scheduled=true
ENTRY e {
  p = f32[8] parameter(0)
  ROOT t = f32[8] tanh(p), backend_config={"window_config":{"estimated_cycles":"940"}}
})");
    const QString csv = write("t.csv", "program,time_ns\nk.hlo,500\nk.hlo,x\n");
    const Outcome bad = run({"dataset", "import", csv, "-o", path("c.hloscope")});
    QCOMPARE(bad.code, 1);
    QVERIFY2(bad.err.contains("t.csv:3:7: time_ns is no number above zero: \"x\""), bad.err);
    write("t.csv", "program,time_ns\nk.hlo,500\n");
    const Outcome good = run(
        {"dataset", "import", csv, "-o", path("c.hloscope"), "--device", "TPU v4", "--name", "n"});
    QVERIFY2(good.code == 0, good.err);
    QVERIFY2(good.out.contains("task fusion, times measured (TPU v4, imported)"), good.out);
    const Outcome exported = run({"dataset", "export", path("c.hloscope"), "--to", path("never")});
    QCOMPARE(exported.code, 1);
    QVERIFY2(exported.err.contains("no configurations"), exported.err);
    QVERIFY(!QDir(path("never")).exists());

    const Outcome compiler = run({"dataset", "import", program, "-o", path("d.hloscope"),
                                  "--target", "compiler", "--machine", "tpu_v3"});
    QVERIFY2(compiler.code == 0, compiler.err);
    QVERIFY2(compiler.out.contains("times compiler (tpu_v3)"), compiler.out);
    QCOMPARE(run({"dataset", "import", program, "-o", path("e"), "--target", "compiler",
                  "--program", program})
                 .code,
             2);
    QCOMPARE(run({"dataset", "import", "-o", path("e")}).code, 2);
    const Outcome plain = run({"dataset", "import", program, "-o", path("e")});
    QCOMPARE(plain.code, 1);
    QVERIFY2(plain.err.contains("holds programs without measured runs"), plain.err);
  }
  void outputs_that_cannot_be() {
    const QString one = path("one");
    QCOMPARE(run({"dataset", "import", kImportedTiles, "-o", one}).code, 0);
    for (const QString& name : {QString(), path(QString(300, 'a'))}) {
      for (const QStringList& command : {QStringList{"import", kImportedTiles, "-o"},
                                         {"generate", kImportedTiles, "-o"},
                                         {"merge", one, "-o"}}) {
        const Outcome outcome =
            run(QStringList{"dataset"} + command + QStringList{name, "--force"});
        QCOMPARE(outcome.code, name.isEmpty() ? 2 : 1);
        QVERIFY2(outcome.err.contains(name.isEmpty() ? "is empty" : "too long"), outcome.err);
      }
      QCOMPARE(run({"dataset", "export", one, "--to", name}).code, name.isEmpty() ? 2 : 1);
      QCOMPARE(run({"dataset", "split", name, "--by", "random"}).code, 1);
    }
    QCOMPARE(names(), QStringList{"one"});
  }
  // Bytes that are no UTF-8 come as U+FFFD, and a quote does not end the string.
  void names_of_any_bytes_in_json() {
    const auto shell = [this](const QString& command) {
      QProcess process;
      process.setWorkingDirectory(folder_->path());
      process.start("sh", {"-c", "n=$(printf 'a\\351\"b'); " + command + " --json",
                           HLOSCOPE_BINARY_DIR "/hloscope-cli", kImportedTiles});
      process.waitForFinished(60000);
      return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    };
    const QString name = QString("a%1\"b").arg(QChar(0xfffd));
    QCOMPARE(shell("$0 dataset import $1 -o $n")["file"].toString(), name);
    QCOMPARE(shell("$0 dataset export $n --to $n.to")["folder"].toString(),
             name + ".to/npz/tile/xla");
    QCOMPARE(shell("$0 dataset merge $n -o $n.merged")["file"].toString(), name + ".merged");
    QCOMPARE(shell("$0 dataset generate $1 --task tile --tiles 1 -o $n.made")["file"].toString(),
             name + ".made");
  }
  void a_profile_needs_its_program() {
    write("k.hlo",
          "HloModule k, is_scheduled=true\nENTRY e {\n  p = f32[8] parameter(0)\n  ROOT "
          "t = f32[8] tanh(p)\n}");
    const QString stats = write(
        "s.csv", "HLO op category,HLO op name,#Occurrences,Avg. self time (us)\nx,t,10,5.0\n");
    const Outcome alone = run({"dataset", "import", stats, "-o", path("s.hloscope")});
    QCOMPARE(alone.code, 1);
    QVERIFY2(alone.err.contains("--program FILE"), alone.err);
    const Outcome both = run({"dataset", "import", stats, "--program", path("k.hlo"), "-o",
                              path("s.hloscope"), "--device", "TPU v5e"});
    QVERIFY2(both.code == 0, both.err);
    QVERIFY2(both.out.contains("1 file, 1 program, 1 graph, 1 sample"), both.out);
  }
};

HLOSCOPE_TEST(TestCliDatasetImport);
#include "test_cli_dataset_import.moc"
