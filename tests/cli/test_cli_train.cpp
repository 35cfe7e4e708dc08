#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/training_program.h"
#include "tests/support/test_registry.h"

class TestCliTrain : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString set_;

  QStringList train(const QString& output) const {
    return {"train",
            set_,
            "--split",
            "random",
            "-o",
            output,
            "--steps",
            "20",
            "--json",
            "--evaluate-every",
            "10",
            "--model-options",
            R"({"hidden_width": 16, "layers": 1})"};
  }

 private slots:
  void initTestCase() {
    QStringList generate{"dataset", "generate"};
    for (int i = 0; i < 6; ++i) {
      QFile file(path(QString("p%1.hlo").arg(i).toUtf8().constData()));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(hloscope::testing::trainingProgram(256 * (i + 1)));
      generate << file.fileName();
    }
    set_ = path("tiles.hloscope");
    const Outcome made = run(generate + QStringList{"-o", set_, "--task", "tile", "--tiles", "20"});
    QVERIFY2(made.code == 0, made.err.constData());
    QCOMPARE(
        run({"dataset", "split", set_, "--by", "random", "--valid", "0.2", "--test", "0.2"}).code,
        0);
  }

  void a_model_is_trained_and_compared() {
    const QString model = path("m.safetensors");
    const Outcome trained = run(train(model) + QStringList{"--threads", "2"});
    QVERIFY2(trained.code == 0, trained.err.constData());
    const QJsonObject record = object(trained)["training"].toObject();
    QCOMPARE(record["steps_done"].toInt(), 20);
    QCOMPARE(record["target_kind"].toString(), QString("simulated"));
    QVERIFY(!QFile::exists(model + ".part"));

    const Outcome evaluated = run({"evaluate", set_, model, "--split", "random", "--json"});
    QVERIFY2(evaluated.code == 0, evaluated.err.constData());
    const QJsonObject out = object(evaluated);
    QVERIFY(out["target"].toString().startsWith("simulated (tpu_v3@"));
    const QJsonArray rows = out["models"].toArray();
    QCOMPARE(rows.size(), 4);
    QCOMPARE(rows[0].toObject()["kind"].toString(), QString("learned"));
    QCOMPARE(rows[0].toObject()["trained_with_this_split"].toBool(), true);
    QCOMPARE(rows[1].toObject()["model"].toString(), QString("analytical"));
    for (const auto& row : rows) {
      QCOMPARE(row.toObject()["kernels"].toInt(), out["kernels"].toInt());
      QVERIFY(row.toObject()["tile_ape"].isDouble());
      QVERIFY(row.toObject().contains("kendall_tau"));
    }
    const Outcome text = run({"evaluate", set_, model, "--split", "random"});
    QVERIFY(text.out.contains("simulated (tpu_v3@"));
    QVERIFY(!text.out.contains("measured"));

    const Outcome shown = run({"models", model, "--json"});
    const QJsonObject first = QJsonDocument::fromJson(shown.out).array()[0].toObject();
    QCOMPARE(first["training"].toObject(), record);
    QCOMPARE(first["architecture"].toObject()["hidden_width"].toInt(), 16);
  }

  void equal_commands_give_equal_files() {
    const auto bytes = [this](const char* name, const char* threads) {
      run(train(path(name)) + QStringList{"--threads", threads});
      QFile file(path(name));
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray first = bytes("one.safetensors", "1");
    QVERIFY(!first.isEmpty());
    QVERIFY(bytes("two.safetensors", "2") == first);
  }

  // Before the data set is read, which is not there either.
  void an_output_that_cannot_be_written_is_told_first() {
    for (const QString& output : {path("no/such/folder/m.safetensors"), path("")}) {
      const Outcome out =
          run({"train", path("none.hloscope"), "--split", "random", "-o", output, "--force"});
      QCOMPARE(out.code, 1);
      QVERIFY2(out.err.contains("cannot write"), out.err.constData());
      QVERIFY(out.out.isEmpty());
    }
  }

  void mistakes_end_in_errors() {
    const QString model = path("x.safetensors");
    QStringList arguments = train(model);
    arguments[3] = "none";
    const Outcome no_split = run(arguments);
    QCOMPARE(no_split.code, 1);
    QVERIFY(no_split.err.contains("none"));
    QCOMPARE(run({"evaluate", set_, set_, "--split", "random"}).code, 1);
    QCOMPARE(run({"models", set_}).code, 1);
    QCOMPARE(run(train(set_)).code, 1);
    QFile part(model + ".part");
    QVERIFY(part.open(QIODevice::WriteOnly));
    part.write("damaged");
    part.close();
    const Outcome damaged = run(train(model));
    QCOMPARE(damaged.code, 1);
    QVERIFY(damaged.err.contains("x.safetensors.part"));
    QVERIFY(!QFile::exists(model));
  }
};

HLOSCOPE_TEST(TestCliTrain);
#include "test_cli_train.moc"
