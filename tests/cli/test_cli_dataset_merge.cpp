#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "db/data_sets.h"
#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

// Unit 0 met the kernels k0 and k1, unit 1 k1 and k2, unit 2 k2 and k3, ...: each shard stores what
// it meets first.
Status write_shard(const std::string& path, uint32_t index, uint32_t count) {
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path));
  db::DataSets data_set(database);
  HLOSCOPE_ASSIGN(db::Writing writing, db::Writing::begin(database));
  data::DataSetInfo info;
  info.name = path;
  info.target.device = "tpu_v3";
  info.shard_index = index;
  info.shard_count = count;
  info.unit_count = 6;
  const std::vector<data::SourceProgram> programs = {{hash128("p"), "p", "p", "p.hlo", 9}};
  HLOSCOPE_TRY(data_set.create(info, programs));
  for (int64_t unit = index; unit < info.unit_count; unit += count) {
    for (const int64_t number : {unit, unit + 1}) {
      const std::string label = "k" + std::to_string(number);
      const data::GraphRecord graph{hash128(label), label, "", 1, data::GraphForm::kHlo, label};
      const std::vector<data::Sample> samples = {{{}, 1000, std::nullopt, false}};
      HLOSCOPE_ASSIGN(const db::GraphRow row, data_set.put_graph(graph, unit, samples));
      HLOSCOPE_TRY(data_set.add_sighting({row, 0, 1, 0}));
    }
    HLOSCOPE_TRY(data_set.add_unit({unit, 0, unit, 2}));
  }
  HLOSCOPE_TRY(data_set.finish());
  return writing.commit();
}

}  // namespace

class TestCliDatasetMerge : public hloscope::testing::FolderTest {
  Q_OBJECT
 private slots:
  void initTestCase() {
    for (uint32_t index = 0; index < 3; ++index) {
      const Status written =
          write_shard(path(QString("shard%1").arg(index)).toStdString(), index, 3);
      if (!written) qFatal("%s", written.error().format().c_str());
    }
    const Status one = write_shard(path("one").toStdString(), 0, 1);
    if (!one) qFatal("%s", one.error().format().c_str());
  }

  void shards_become_one_file() {
    const Outcome outcome = run({"dataset", "merge", path("shard2"), path("shard0"), path("shard1"),
                                 "-o", path("all.hloscope")});
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.contains("simulated (tpu_v3)"), outcome.out);
    QVERIFY2(outcome.out.contains("3 shards, 1 programs, 6 units, 12 kernels met"), outcome.out);
    // 5 of 12.
    QVERIFY2(outcome.out.contains("7 distinct graphs (41.7 % were met before), 7 samples"),
             outcome.out);
  }

  void the_json_has_all_counts() {
    const Outcome outcome = run({"dataset", "merge", path("shard0"), path("shard1"), path("shard2"),
                                 "-o", path("json.hloscope"), "--json"});
    QCOMPARE(outcome.code, 0);
    const QJsonObject json = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(json["file"].toString(), path("json.hloscope"));
    QCOMPARE(json["target"].toString(), QString("simulated (tpu_v3)"));
    QCOMPARE(json["shards"].toInt(), 3);
    QCOMPARE(json["programs"].toInt(), 1);
    QCOMPARE(json["units"].toInt(), 6);
    QCOMPARE(json["kernels_met"].toInt(), 12);
    QCOMPARE(json["graphs"].toInt(), 7);
    QCOMPARE(json["repeated"].toDouble(), 1 - 7.0 / 12);
    QCOMPARE(json["samples"].toInt(), 7);
    QCOMPARE(json["bytes"].toInt(), read(path("json.hloscope")).size());
  }

  void an_existing_file_is_replaced_only_by_force() {
    QFile file(path("old"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("old");
    file.close();
    QStringList arguments = {"dataset",      "merge", path("shard0"), path("shard1"),
                             path("shard2"), "-o",    path("old")};
    const Outcome refused = run(arguments);
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("is there already") && refused.err.contains("--force"),
             refused.err);
    QCOMPARE(read(path("old")), QByteArray("old"));
    QCOMPARE(run(arguments << "--force").code, 0);
    QVERIFY(read(path("old")).startsWith("SQLite format 3"));

    const QByteArray before = read(path("shard1"));
    arguments[6] = path("shard1");
    const Outcome input = run(arguments);
    QCOMPARE(input.code, 1);
    QVERIFY2(input.err.contains("is an input"), input.err);
    QCOMPARE(read(path("shard1")), before);
  }

  void what_does_not_fit_is_told() {
    const QString to = path("bad.hloscope");
    const Outcome missing = run({"dataset", "merge", path("shard0"), path("shard2"), "-o", to});
    QCOMPARE(missing.code, 1);
    QVERIFY2(missing.err.contains("missing shard 1/3"), missing.err);
    const Outcome other = run({"dataset", "merge", path("shard0"), path("one"), "-o", to});
    QCOMPARE(other.code, 1);
    QVERIFY2(other.err.contains("shards 1, not 3") && other.err.contains("one"), other.err);
    QCOMPARE(run({"dataset", "merge", path("absent"), "-o", to}).code, 1);
    QCOMPARE(run({"dataset", "merge", "-o", to}).code, 2);
    QCOMPARE(run({"dataset", "merge", path("shard0")}).code, 2);
    QVERIFY(!QFile::exists(to));
  }
};

HLOSCOPE_TEST(TestCliDatasetMerge);
#include "test_cli_dataset_merge.moc"
