#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/nn/safetensors.h"
#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/training_program.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

// As compiled; no program that is learned from has a sort.
constexpr auto kAsked = R"(HloModule asked, is_scheduled=true

less {
  l = f32[] parameter(0)
  r = f32[] parameter(1)
  ROOT c = pred[] compare(l, r), direction=LT
}

ENTRY main {
  a = f32[512,512]{1,0} parameter(0)
  b = f32[512,256]{1,0} parameter(1)
  d = f32[512,256]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT s = f32[512,256]{1,0} sort(d), dimensions={0}, to_apply=less
}
)";

QJsonObject first_object(const Outcome& outcome) {
  const QJsonDocument document = QJsonDocument::fromJson(outcome.out);
  return document.isArray() ? document.array()[0].toObject() : document.object();
}

}  // namespace

class TestCliPredict : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString asked_;
  QStringList times_, tiles_;  // Models.

  void train(const QString& task, QStringList& models) {
    QStringList generate{"dataset", "generate"};
    for (int i = 0; i < 12; ++i) {
      generate << write(QString("p%1.hlo").arg(i),
                        hloscope::testing::trainingProgram(128 * (i + 1)));
    }
    const QString set = path(task + ".hloscope");
    const Outcome made =
        run(generate + QStringList{"-o", set, "--task", task, "--configurations", "2"});
    QVERIFY2(made.code == 0, made.err.constData());
    run({"dataset", "split", set, "--by", "random", "--valid", "0.3", "--test", "0.3"});
    for (const char* seed : {"1", "2", "3"}) {
      models << path(task + seed + ".safetensors");
      const Outcome trained = run({"train", set, "--split", "random", "-o", models.back(),
                                   "--steps", "20", "--evaluate-every", "10", "--seed", seed,
                                   "--model-options", R"({"hidden_width": 16, "layers": 1})"});
      QVERIFY2(trained.code == 0, trained.err.constData());
    }
  }

 private slots:
  void initTestCase() {
    asked_ = write("asked.hlo", kAsked);
    train("fusion", times_);
    train("tile", tiles_);
  }

  void kernels_have_times_with_spread_and_mark() {
    const Outcome out = run(QStringList{"predict", asked_, "--json", "--model", times_.join(',')});
    QVERIFY2(out.code == 0, out.err.constData());
    const QJsonObject program = first_object(out);
    QCOMPARE(program["source"].toString(), QString("predicted"));
    QCOMPARE(program["members"].toInt(), 3);
    QCOMPARE(program["model_hash"].toString().size(), 32);
    QVERIFY(program["trained_on"].toString().startsWith("simulated (tpu_v3@"));
    QCOMPARE(program["is_calibrated"].toBool(true), false);
    const QJsonArray kernels = program["kernels"].toArray();
    QCOMPARE(kernels.size(), 2);
    double total_ns = 0;
    for (const auto& value : kernels) {
      const QJsonObject kernel = value.toObject();
      const double time_ns = kernel["predicted_ns"].toDouble();
      total_ns += time_ns;
      QVERIFY(kernel["low_ns"].toDouble() < time_ns && time_ns < kernel["high_ns"].toDouble());
      if (kernel["kernel"].toString() == "s") QVERIFY(kernel["is_far"].toBool());
      QVERIFY(kernel["simulated_ns"].toDouble() > 0 && kernel["analytical_ns"].toDouble() > 0);
    }
    QCOMPARE(program["predicted_total_ns"].toDouble(), total_ns);
    const Outcome text = run(QStringList{"predict", asked_, "--model", times_.join(',')});
    QVERIFY(text.out.contains("predicted, not measured"));
    QVERIFY(text.out.contains("far from those"));
  }

  // One kernel each; four programs are for validation, four for tests.
  void kernels_that_were_learned_from_are_not_far() {
    int near = 0;
    for (int i = 0; i < 12; ++i) {
      const QString program = path(QString("p%1.hlo").arg(i));
      const Outcome out =
          run(QStringList{"predict", program, "--json", "--model", times_.join(',')});
      for (const auto& kernel : first_object(out)["kernels"].toArray()) {
        near += kernel.toObject()["is_far"].toBool() ? 0 : 1;
      }
    }
    QVERIFY2(near >= 4, qPrintable(QString("%1 near").arg(near)));
  }

  // Its times are exp(1e30) ns, none of which is finite.
  void times_that_are_not_finite_are_no_times() {
    nn::SafeTensors content = *nn::read_safetensors(times_[0].toStdString());
    for (nn::Tensor& tensor : content.tensors) {
      if (tensor.name != "output.bias") continue;
      tensor = nn::make_tensor(tensor.name, tensor.shape, std::vector<float>{1e30F});
    }
    const QString model = path("infinite.safetensors");
    QVERIFY(nn::write_safetensors(model.toStdString(), content));
    const Outcome text = run({"predict", asked_, "--model", model});
    QVERIFY2(text.code == 0, text.err.constData());
    QVERIFY2(text.out.contains("predicted - µs in all (simulated "), text.out.constData());
    QVERIFY(text.out.contains("the kernels have no predicted time: it is not finite, or "));
    QVERIFY(!text.out.contains(" 0.00"));
    const QJsonObject program = first_object(run({"predict", asked_, "--json", "--model", model}));
    for (const char* key : {"predicted_total_ns", "far_share"}) {
      QVERIFY(program.contains(key) && program[key].isNull());
    }
    for (const auto& kernel : program["kernels"].toArray()) {
      QVERIFY(kernel.toObject()["predicted_ns"].isNull());
      QVERIFY(kernel.toObject()["share"].isNull());
    }
  }

  void records_that_would_steer_a_terminal_are_escaped() {
    nn::SafeTensors content = *nn::read_safetensors(times_[0].toStdString());
    content.metadata["training"] =  // a raw string with \u hides the class from moc
        "{\"target\": \"\\u001b[2Jx\", \"data_set\": \"\\u009b1m\\n\"}";
    const QString model = path("steering.safetensors");
    QVERIFY(nn::write_safetensors(model.toStdString(), content));
    const Outcome predicted = run({"predict", asked_, "--model", model});
    QVERIFY2(predicted.code == 0, predicted.err.constData());
    QVERIFY2(predicted.out.contains("learned from \\033[2Jx times"), predicted.out.constData());
    const Outcome shown = run({"models", model});
    QVERIFY2(shown.out.contains("\\302\\2331m\\n\n"), shown.out.constData());
    // One that cannot be read is named, and keeps no other back.
    const Outcome both = run({"models", path("absent.safetensors"), model, "--json"});
    QCOMPARE(both.code, 1);
    QVERIFY2(both.err.contains("absent.safetensors"), both.err);
    const QJsonArray listed = QJsonDocument::fromJson(both.out).array();
    QCOMPARE(listed.size(), 1);
    QCOMPARE(listed[0]["file"].toString(), model);
    const Outcome unknown = run({"models", path("\x1b[2J")});
    QVERIFY(unknown.err.contains("\\033[2J"));
    for (const QByteArray& all : {predicted.out, shown.out, unknown.err}) {
      QVERIFY(!all.contains('\x1b') && !all.contains("\xc2\x9b"));
    }
  }

  void rows_can_be_chosen() {
    const auto kernels = [this](const QStringList& options) {
      return first_object(run(QStringList{"predict", asked_, "--json"} + options +
                              QStringList{"--model", times_.join(',')}))["kernels"]
          .toArray();
    };
    QCOMPARE(kernels({"--top", "1"}).size(), 1);
    QCOMPARE(kernels({"--kernel", "main/d"}).size(), 1);
    QCOMPARE(kernels({"--filter", "far=1"})[0].toObject()["kernel"].toString(), QString("s"));
    const Outcome none =
        run(QStringList{"predict", asked_, "--kernel", "x", "--model", times_.join(',')});
    QCOMPARE(none.code, 1);
    QVERIFY(none.err.contains("no kernel is called 'x'"));
  }

  void times_are_stored_with_their_model() {
    const QString database = path("results.hloscope");
    QCOMPARE(
        run(QStringList{"predict", asked_, "--db", database, "--model", times_.join(',')}).code, 0);
    const Outcome runs = run({"runs", "--db", database, "--json"});
    QVERIFY2(runs.out.contains("predicted"), runs.err.constData());
    QVERIFY(runs.out.contains("model_hash"));
  }

  void tiles_are_ranked() {
    const Outcome out = run(QStringList{"predict", asked_, "--tiles", "--kernel", "d", "--json",
                                        "--model", tiles_.join(',')});
    QVERIFY2(out.code == 0, out.err.constData());
    const QJsonObject kernel = first_object(out);
    const QJsonArray tiles = kernel["tiles"].toArray();
    QVERIFY(tiles.size() > 1);
    QCOMPARE(kernel["tile_count"].toInt(), static_cast<int>(tiles.size()));
    QVERIFY(!kernel.contains("accuracy"));
    for (int i = 1; i < tiles.size(); ++i) {
      QVERIFY(tiles[i - 1].toObject()["score"].toDouble() <=
              tiles[i].toObject()["score"].toDouble());
    }
  }

  void measured_tiles_have_their_accuracy() {
    const QString sample = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb#1";
    const Outcome out = run(QStringList{"predict", sample, "--tiles", "--json", "--top", "3",
                                        "--model", tiles_.join(',')});
    QVERIFY2(out.code == 0, out.err.constData());
    const QJsonObject kernel = first_object(out);
    QCOMPARE(kernel["tiles"].toArray().size(), 3);
    QVERIFY(kernel["tiles"].toArray()[0].toObject()["measured_ns"].toDouble() > 0);
    for (const char* source : {"predicted", "analytical"}) {
      const QJsonObject accuracy = kernel["accuracy"].toObject()[source].toObject();
      QVERIFY(std::abs(accuracy["kendall_tau"].toDouble(2)) <= 1);
      QVERIFY(accuracy["top10_slowdown"].toDouble(-1) <= accuracy["top1_slowdown"].toDouble());
    }
  }

  void an_ensemble_is_evaluated_and_calibrated() {
    const QStringList command =
        QStringList{"ensemble", path("fusion.hloscope"), "--split", "random", "--json"} + times_;
    const QJsonObject plain = first_object(run(command));
    QCOMPARE(plain["spread"].toObject()["kernels"].toInt(-1), 0);
    const Outcome fitted = run(command + QStringList{"--write"});
    if (fitted.code != 0) QVERIFY2(fitted.err.contains("too few"), fitted.err.constData());
    QVERIFY(plain["all"].toObject()["mape"].isDouble());
    QVERIFY(plain["coverage"].toDouble(-1) >= 0);
  }

  void models_that_do_not_fit_are_refused() {
    const auto complaint = [this](const QStringList& arguments) {
      const Outcome out = run(QStringList{"predict", asked_} + arguments);
      return out.code == 1 ? QString::fromUtf8(out.err) : QString::number(out.code);
    };
    QVERIFY(complaint({"--model", tiles_[0]}).contains("was trained for tiles"));
    QVERIFY(complaint({"--tiles", "--model", times_[0]}).contains("trained for times"));
    QVERIFY(
        complaint({"--machine", "tpu_v4", "--model", times_[0]}).contains("trained for tpu_v3"));
    QVERIFY(complaint({"--model", "tpu_v9_fusion"}).contains("no built-in model"));
    QVERIFY(complaint({"--machine", "tpu_v4"}).contains("is built in"));
    QVERIFY(complaint({"--model", asked_}).contains("asked.hlo"));
    QCOMPARE(run({"models", "--json"}).code, 0);
    QVERIFY(QJsonDocument::fromJson(run({"models", "--json"}).out).isArray());
  }
};

HLOSCOPE_TEST(TestCliPredict);
#include "test_cli_predict.moc"
