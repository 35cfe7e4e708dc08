#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/data/npz.h"
#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

constexpr size_t kDots = 6;
constexpr size_t kConfigurations = 64;

// A chain of dots; every configuration gives each of them one of two output layouts, by the bits of
// its number, and the second one takes 50 us more. Programs differ in the sizes of their dots.
std::vector<data::NamedArray> layouts_of(size_t program) {
  std::vector<float> nodes(kDots * 140, 0);
  std::vector<int64_t> edges;
  std::vector<int64_t> configurable;
  std::vector<uint8_t> opcodes(kDots, 34);
  for (size_t i = 0; i < kDots; ++i) {
    nodes[i * 140 + 21] = static_cast<float>(128 << i);
    nodes[i * 140 + 22] = static_cast<float>(128 << (i + program) % kDots);
    configurable.push_back(static_cast<int64_t>(i));
    if (i > 0) edges.insert(edges.end(), {static_cast<int64_t>(i), static_cast<int64_t>(i - 1)});
  }
  std::vector<float> layouts(kConfigurations * kDots * 18, -1);
  std::vector<int64_t> times(kConfigurations, 1'000'000);
  for (size_t c = 0; c < kConfigurations; ++c) {
    for (size_t i = 0; i < kDots; ++i) {
      const size_t first = c >> i & 1U;
      layouts[(c * kDots + i) * 18] = static_cast<float>(first);
      layouts[(c * kDots + i) * 18 + 1] = static_cast<float>(1 - first);
      times[c] += first == 1 ? 50'000 : 0;
    }
  }
  return {{"node_feat", data::array_of({kDots, 140}, nodes)},
          {"node_opcode", data::array_of({kDots}, opcodes)},
          {"edge_index", data::array_of({kDots - 1, 2}, edges)},
          {"node_config_feat", data::array_of({kConfigurations, kDots, 18}, layouts)},
          {"node_config_ids", data::array_of({kDots}, configurable)},
          {"config_runtime", data::array_of({kConfigurations}, times)},
          {"node_splits", data::array_of({1, 2}, std::vector<int64_t>{0, kDots})}};
}

}  // namespace

/// Layouts of whole programs, from files of TpuGraphs to a trained model.
class TestCliLayout : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString set_;

  QStringList train(const QString& output, const QStringList& split) const {
    return QStringList{"train",
                       set_,
                       "-o",
                       output,
                       "--steps",
                       "80",
                       "--evaluate-every",
                       "20",
                       "--learning-rate",
                       "0.01",
                       "--json",
                       "--model-options",
                       R"({"hidden_width": 16, "layers": 1})"} +
           split;
  }

 private slots:
  void initTestCase() {
    QStringList import{"dataset", "import"};
    const QStringList parts{"train", "valid", "test"};
    for (qsizetype i = 0; i < 3; ++i) {
      const QString name = path(QString("layout_xla_random_%1_net%2.npz").arg(parts[i]).arg(i));
      QVERIFY(data::write_npz(name.toStdString(), layouts_of(static_cast<size_t>(i))).has_value());
      import << name;
    }
    set_ = path("layouts.hloscope");
    const Outcome made = run(import + QStringList{"-o", set_});
    QVERIFY2(made.code == 0, made.err.constData());
  }

  void unseen_programs_are_ranked() {
    const QStringList split{"--split", "published"};
    const Outcome trained =
        run(train(path("a.safetensors"), split) + QStringList{"--threads", "1"});
    QVERIFY2(trained.code == 0, trained.err.constData());
    const QJsonObject record = object(trained)["training"].toObject();
    QCOMPARE(record["task"].toString(), QString("layout"));
    QCOMPARE(record["target_kind"].toString(), QString("measured"));
    const Outcome evaluated =
        run(QStringList{"evaluate", set_, path("a.safetensors"), "--json"} + split);
    QVERIFY2(evaluated.code == 0, evaluated.err.constData());
    const QJsonObject out = object(evaluated);
    QCOMPARE(out["task"].toString(), QString("layout"));
    QCOMPARE(out["knows_the_graphs"].toBool(), false);
    const Outcome text = run(QStringList{"evaluate", set_, path("a.safetensors")} + split);
    QVERIFY2(text.out.contains("part test, 1 graph\n"), text.out.constData());
    const QJsonArray rows = out["models"].toArray();
    QCOMPARE(rows.size(), 3);
    QVERIFY(rows[0].toObject()["trained_with_this_split"].toBool());
    QVERIFY2(rows[0].toObject()["kendall_tau"].toDouble() > 0.7, evaluated.out.constData());
    // Every node is given a layout in each configuration: the guess is the same for all.
    QCOMPARE(rows[1].toObject()["kind"].toString(), QString("guess"));
    QVERIFY(rows[1].toObject()["kendall_tau"].isNull());
    QCOMPARE(rows[2].toObject()["kind"].toString(), QString("linear"));
    // Two threads, the same bytes.
    QCOMPARE(run(train(path("b.safetensors"), split) + QStringList{"--threads", "2"}).code, 0);
    QVERIFY(!read(path("a.safetensors")).isEmpty());
    QVERIFY(read(path("b.safetensors")) == read(path("a.safetensors")));
    const Outcome shown = run({"models", path("a.safetensors"), "--json"});
    const QJsonObject model = QJsonDocument::fromJson(shown.out).array()[0].toObject();
    QCOMPARE(model["architecture"].toObject()["join"].toString(), QString("node"));
  }

  void held_out_configurations_say_so() {
    const QStringList held{"--hold-out-configurations"};
    const QString model = path("h.safetensors");
    const Outcome trained = run(train(model, held));
    QVERIFY2(trained.code == 0, trained.err.constData());
    QCOMPARE(object(trained)["training"].toObject()["split"].toString(),
             QString("held-out configurations of known graphs"));
    const Outcome evaluated = run(QStringList{"evaluate", set_, model, "--json"} + held);
    QVERIFY2(evaluated.code == 0, evaluated.err.constData());
    QCOMPARE(object(evaluated)["knows_the_graphs"].toBool(), true);
    QCOMPARE(object(evaluated)["kernels"].toInt(), 3);
    const Outcome text = run(QStringList{"evaluate", set_, model} + held);
    QVERIFY2(text.out.contains("held-out configurations of known graphs"), text.out.constData());
    QVERIFY(text.out.contains("nothing is said of other graphs"));
    // With the published split it would know graphs of the test part.
    const Outcome other = run({"evaluate", set_, model, "--split", "published"});
    QVERIFY2(other.out.contains("may know graphs of this part"), other.out.constData());
  }

  void mistakes_end_in_errors() {
    const Outcome none = run(train(path("x.safetensors"), {}));
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains("no split is named"), none.err.constData());
    QVERIFY(run(train(path("x.safetensors"), {"--split", "published", "--hold-out-configurations"}))
                .code != 0);
    const Outcome preset = run(train(path("x.safetensors"), {"--split", "published"}) +
                               QStringList{"--preset", "sage-lstm"});
    QCOMPARE(preset.code, 1);
    QVERIFY2(preset.err.contains("not for whole programs"), preset.err.constData());
  }
};

HLOSCOPE_TEST(TestCliLayout);
#include "test_cli_layout.moc"
