#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "app/cli/text_histogram.h"
#include "core/data/split.h"
#include "db/data_sets.h"
#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

struct Program {
  std::string family;
  std::vector<std::string> labels;  // Of its kernels.
};

// Four image programs, two variants of a ranking program that have nothing in common with them.
// The kernel "shared" is in programs 0 and 5.
const std::vector<Program> kPrograms{{"vgg", {"conv 3×3 + add", "add", "shared"}},
                                     {"resnet", {"conv 3×3 + add", "add"}},
                                     {"unet", {"conv 3×3 + add", "tanh"}},
                                     {"bert", {"dot [64,64]", "add"}},
                                     {"rank", {"sort [1000]"}},
                                     {"rank", {"sort [2000]", "shared"}}};

// Each kernel of a program has two tiles, of 2000 ns and 3000 ns x the position of its program.
Status fill(db::DataSets& sets, const data::Target& target) {
  data::DataSetInfo info;
  info.name = "synthetic";
  info.task = data::Task::kTile;
  info.target = target;
  std::vector<data::SourceProgram> programs;
  for (size_t i = 0; i < kPrograms.size(); ++i) {
    const std::string name = "p" + std::to_string(i);
    programs.push_back({hash128(name), name, kPrograms[i].family, name + ".hlo", 10});
  }
  HLOSCOPE_TRY(sets.create(info, programs));
  for (uint32_t i = 0; i < kPrograms.size(); ++i) {
    for (const std::string& label : kPrograms[i].labels) {
      const std::string content = label == "shared" ? label : label + programs[i].name;
      const data::GraphRecord graph{
          hash128(content),      label,  label == "add" ? "elementwise" : "other", 4,
          data::GraphForm::kHlo, content};
      const std::vector<data::Sample> samples{{{{1}}, 2000.0, std::nullopt, true},
                                              {{{2}}, 3000.0 * (i + 1), std::nullopt, false}};
      HLOSCOPE_ASSIGN(const db::GraphRow row, sets.put_graph(graph, i, samples));
      HLOSCOPE_TRY(sets.add_sighting({row, i, 1, 1}));
    }
    HLOSCOPE_TRY(sets.add_unit({i, i, 0, static_cast<int64_t>(kPrograms[i].labels.size())}));
  }
  HLOSCOPE_TRY(sets.set_unit_count(static_cast<int64_t>(kPrograms.size())));
  return sets.finish();
}

Status make_data_set(const std::string& path, const data::Target& target) {
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path, db::OpenMode::kReadWrite));
  db::DataSets sets(database);
  HLOSCOPE_ASSIGN(db::Writing writing, db::Writing::begin(database));
  HLOSCOPE_TRY(fill(sets, target));
  return writing.commit();
}

}  // namespace

class TestCliDatasetSplit : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString file_;

 private slots:
  void init() {
    file_ = path("set.hloscope");
    QFile::remove(file_);
    const Status made = make_data_set(
        file_.toStdString(), {data::Target::Kind::kSimulated, "tpu_v3", "4f1c09ab77", 0.02, 3});
    QVERIFY2(made.has_value(), made ? "" : made.error().message.c_str());
  }

  void a_random_split_has_the_wanted_parts() {
    const QJsonObject split = object(run({"dataset", "split", file_, "--by", "random", "--json"}));
    QCOMPARE(split["name"].toString(), QString("random"));
    QCOMPARE(split["settings"]["seed"].toInt(), 1);
    QCOMPARE(split["settings"]["families"].toBool(), false);
    const QJsonArray parts = split["parts"].toArray();
    QCOMPARE(parts[0]["part"].toString(), QString("train"));
    QCOMPARE(parts[0]["programs"].toInt(), 4);
    QCOMPARE(parts[1]["programs"].toInt(), 1);
    QCOMPARE(parts[2]["programs"].toInt(), 1);
    int graphs = 0;
    int samples = 0;
    for (const auto& part : parts) {
      graphs += part.toObject()["graphs"].toInt();
      samples += part.toObject()["samples"].toInt();
    }
    QCOMPARE(graphs, 11);
    QCOMPARE(samples, 22);  // Of equal tiles of the shared kernel the least time is kept.
    QCOMPARE(split["held_out"].toArray().size(), 2);
    QCOMPARE(object(run({"dataset", "split", file_, "--by", "random", "--json"})), split);
  }

  void the_manual_split_explains_itself() {
    const QStringList command{"dataset", "split", file_, "--by", "manual", "--test", "0.33"};
    const QJsonObject split = object(run(command + QStringList{"--json"}));
    const QJsonArray held_out = split["held_out"].toArray();
    // The two ranking programs, 33 % of six, are kept together.
    QCOMPARE(held_out.size(), 3);
    int test = 0;
    for (const auto& program : held_out) {
      const QJsonObject row = program.toObject();
      if (row["part"].toString() != "test") continue;
      ++test;
      QCOMPARE(row["family"].toString(), QString("rank"));
    }
    QCOMPARE(test, 2);
    // "shared" is met in program 0 of train and 5 of test: it is a test kernel.
    QCOMPARE(split["settings"]["moved_graphs"]["train_to_test"].toInt(), 1);
    QCOMPARE(split["parts"][2]["graphs"].toInt(), 3);
    const Outcome text = run(command);
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains("no program and no kernel is in two parts"), text.out);
    QVERIFY2(text.out.contains("nearest of train"), text.out);
    QVERIFY2(text.out.contains("1 of train to\ntest"), text.out);
  }

  void splits_have_names_and_are_listed() {
    QVERIFY(run({"dataset", "split", file_, "--list"}).out.contains("no splits"));
    QCOMPARE(run({"dataset", "split", file_, "--by", "random", "--name", "a"}).code, 0);
    QCOMPARE(run({"dataset", "split", file_, "--by", "random", "--seed", "9", "--families"}).code,
             0);
    const Outcome list = run({"dataset", "split", file_, "--list"});
    QVERIFY2(list.out.contains("a       4 / 1 / 1"), list.out);
    QVERIFY2(list.out.contains("seed 9, families true"), list.out);
    const Outcome json = run({"dataset", "split", file_, "--list", "--json"});
    const QJsonArray rows = QJsonDocument::fromJson(json.out).array();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0]["train_programs"].toInt(), 4);
    QCOMPARE(rows[1]["settings"]["seed"].toInt(), 9);
  }

  void wrong_use_says_what_to_do() {
    QCOMPARE(run({"dataset", "split", file_}).code, 2);
    QCOMPARE(run({"dataset", "split", file_, "--by", "chance"}).code, 2);
    QCOMPARE(run({"dataset", "split", file_, "--by", "random", "--list"}).code, 2);
    const Outcome much =
        run({"dataset", "split", file_, "--by", "random", "--valid", "0.5", "--test", "0.5"});
    QCOMPARE(much.code, 1);
    QVERIFY2(much.err.contains("less than 1"), much.err);
    QVERIFY(run({"dataset", "split", file_, "--list"}).out.contains("no splits"));
    QCOMPARE(run({"dataset", "split", path("absent"), "--by", "random"}).code, 1);
    QVERIFY(!QFile::exists(path("absent")));
    QCOMPARE(run({"dataset", "stats", path("absent")}).code, 1);
    const Outcome unknown = run({"dataset", "stats", file_, "--split", "b"});
    QCOMPARE(unknown.code, 1);
    QVERIFY2(unknown.err.contains("no split b"), unknown.err);
  }

  void the_json_of_stats_counts() {
    QCOMPARE(run({"dataset", "split", file_, "--by", "manual"}).code, 0);
    const QJsonObject stats =
        object(run({"dataset", "stats", file_, "--split", "manual", "--json"}));
    QCOMPARE(stats["target"].toString(),
             QString("simulated (tpu_v3@4f1c09ab, noise 2 %, min of 3)"));
    QCOMPARE(stats["programs"].toInt(), 6);
    QCOMPARE(stats["families"].toInt(), 5);
    QCOMPARE(stats["configurations"].toInt(), 6);
    QCOMPARE(stats["kernels_met"].toInt(), 12);
    QCOMPARE(stats["graphs"].toInt(), 11);
    QCOMPARE(stats["samples"].toInt(), 22);
    QCOMPARE(stats["repeated"].toDouble(), 1 - 11.0 / 12);
    // All 11 of 2000 ns, and the second tiles of the three kernels of program 0 (3000 ns).
    QCOMPARE(stats["under_5_us_samples"].toDouble(), 14.0 / 22);
    QCOMPARE(stats["under_5_us_graphs"].toDouble(), 1.0);
    QCOMPARE(stats["by_op_class"][1]["op_class"].toString(), QString("elementwise"));
    QCOMPARE(stats["by_op_class"][1]["graphs"].toInt(), 3);
    const QJsonArray families = stats["by_family"].toArray();
    QCOMPARE(families[1]["family"].toString(), QString("rank"));
    QCOMPARE(families[1]["graphs"].toInt(), 3);
    QCOMPARE(stats["nodes"]["histogram"][0]["from"].toInt(), 4);
    QCOMPARE(stats["nodes"]["histogram"][0]["to"].toInt(), 8);
    QCOMPARE(stats["time_ns"]["most"].toDouble(), 18000.0);  // p5's own kernel.
    QCOMPARE(stats["slowdown"]["most"].toDouble(), 9.0);
    QCOMPARE(stats["samples_per_graph"]["mean"].toDouble(), 2.0);
    QCOMPARE(stats["split"]["parts"][0]["part"].toString(), QString("train"));
    QCOMPARE(stats["splits"].toArray(), QJsonArray{"manual"});
  }

  void the_text_of_stats_fits_and_names_the_target() {
    const QString text = QString::fromUtf8(run({"dataset", "stats", file_}).out);
    const QStringList lines = text.split('\n');
    QVERIFY2(lines[1] == "times: simulated (tpu_v3@4f1c09ab, noise 2 %, min of 3)",
             qPrintable(text));
    QVERIFY2(!text.contains("measured"), qPrintable(text));
    QVERIFY2(text.contains("█"), qPrintable(text));
    QVERIFY2(text.contains("slowdown against the best of the same kernel"), qPrintable(text));
    for (const QString& line : lines.mid(1)) QVERIFY2(line.size() <= 100, qPrintable(line));
  }

  void bars_are_drawn_in_eighths() {
    QCOMPARE(cli::bar(0), std::string());
    QCOMPARE(cli::bar(0.00001), std::string("▏"));
    QCOMPARE(cli::bar(1.5 / 40), std::string("█▌"));
    QCOMPARE(QString::fromStdString(cli::bar(1)).size(), 40);
    QCOMPARE(
        cli::histogram_text({{"1", 30}, {"10 – 20", 15}}, 1000),
        "        1  30  3.0 %  " + cli::bar(1) + "\n  10 – 20  15  1.5 %  " + cli::bar(0.5) + "\n");
    QCOMPARE(cli::histogram_text({}, 0), std::string());
  }
};

HLOSCOPE_TEST(TestCliDatasetSplit);
#include "test_cli_dataset_split.moc"
