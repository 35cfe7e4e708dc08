#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/training_program.h"
#include "tests/support/test_registry.h"

namespace {

// Times of training are not those of another run.
QJsonArray without_times(const Outcome& outcome) {
  QJsonArray out;
  const QJsonObject table = object(outcome)["tables"].toArray()[0].toObject();
  for (const auto& variant : table["variants"].toArray()) {
    QJsonObject row = variant.toObject();
    row.remove("train_s");
    out.append(row);
  }
  return out;
}

}  // namespace

class TestCliExperiment : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString set_;

  QStringList ablation(const QString& output) const {
    return {"experiment", "ablation", set_,     "--split", "random", "--steps", "2",
            "--seeds",    "2",        "--base", "off",     "-o",     output,    "--json"};
  }

 private slots:
  void initTestCase() {
    QStringList generate{"dataset", "generate"};
    for (int i = 0; i < 4; ++i) {
      generate << write(QString("p%1.hlo").arg(i),
                        hloscope::testing::trainingProgram(256 * (i + 1)));
    }
    set_ = path("kernels.hloscope");
    const Outcome made = run(generate + QStringList{"-o", set_, "--task", "fusion"});
    QVERIFY2(made.code == 0, made.err.constData());
    QCOMPARE(
        run({"dataset", "split", set_, "--by", "random", "--valid", "0.2", "--test", "0.2"}).code,
        0);
  }

  void an_ablation_goes_on_from_its_file() {
    const QString file = path("a.csv");
    const Outcome first = run(ablation(file));
    QVERIFY2(first.code == 0, first.err.constData());
    const QJsonArray variants = without_times(first);
    QCOMPARE(variants.size(), 14);
    QCOMPARE(variants[0].toObject()["option"].toString(), QString());
    for (const auto& variant : variants) {
      const QJsonObject mape = variant.toObject()["mape"].toObject();
      QVERIFY(mape["mean"].toDouble() > 0);
      QVERIFY(mape["spread"].isDouble());
    }
    const QByteArray all = read(file);
    QCOMPARE(all.count('\n'), 1 + 2 * 14);

    // Nothing is left to do: the file stays as it is, with its times of training.
    QCOMPARE(object(run(ablation(file))), object(first));
    QCOMPARE(read(file), all);

    // As after a kill: the lines that are there are kept, the others come out the same.
    const QList<QByteArray> lines = all.split('\n');
    const QByteArray half = lines.mid(0, 10).join('\n') + "\n";
    write("a.csv", half);
    const Outcome again = run(ablation(file) + QStringList{"--threads", "1"});
    QCOMPARE(without_times(again), variants);
    QVERIFY(read(file).startsWith(half));
    QCOMPARE(read(file).count('\n'), all.count('\n'));
  }

  void text_says_where_times_come_from() {
    QStringList arguments = ablation(path("a.csv"));
    arguments.removeLast();
    const Outcome text = run(arguments);
    QVERIFY2(text.code == 0, text.err.constData());
    QVERIFY(text.out.contains("simulated (tpu_v3@"));
    QVERIFY(text.out.contains("instead of"));
    QVERIFY(!text.out.contains("measured"));
  }

  void help_shows_examples_of_experiments() {
    const Outcome help = run({"experiment", "--help"});
    QCOMPARE(help.code, 0);
    QVERIFY(help.out.contains("hloscope-cli experiment ablation tiles.hloscope"));
    QVERIFY(!help.out.contains("hloscope-cli info"));
  }

  void mistakes_end_in_errors() {
    const QString other = write("other.csv", "a,b\n1,2\n");
    const Outcome foreign = run(ablation(other));
    QCOMPARE(foreign.code, 1);
    QVERIFY(foreign.err.contains("other.csv"));
    QCOMPARE(read(other), QByteArray("a,b\n1,2\n"));
    QCOMPARE(run(ablation(set_)).code, 1);
    QCOMPARE(run(ablation(path("no/such/folder.csv"))).code, 1);
    QCOMPARE(run({"experiment"}).code, 2);
  }
};

HLOSCOPE_TEST(TestCliExperiment);
#include "test_cli_experiment.moc"
