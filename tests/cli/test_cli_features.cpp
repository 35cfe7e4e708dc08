#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "tests/cli/cli_process.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kFeaturesProgram = R"(HloModule step
body {
  a = f32[256,1024] parameter(0)
  ROOT inner = f32[256,1024] tanh(a)
}
ENTRY main {
  p0 = f32[256,1024] parameter(0)
  p1 = f32[1024,512] parameter(1)
  fused = f32[256,1024] fusion(p0), kind=kLoop, calls=body
  ROOT product = f32[256,512] dot(fused, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";
const QString kTileSample = QStringLiteral(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb");

QJsonArray array(const QStringList& arguments) {
  return QJsonDocument::fromJson(run(arguments).out).array();
}

double value(const QJsonObject& graph, int node, const QString& name) {
  const qsizetype at = graph["feature_names"].toArray().toVariantList().indexOf(name);
  return graph["nodes"][node]["features"][at].toDouble(-1);
}

}  // namespace

class TestCliFeatures : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir folder_;
  QString program_;

 private slots:
  void initTestCase() {
    program_ = folder_.filePath("step.hlo");
    QFile file(program_);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(kFeaturesProgram);
  }

  void names_of_all_groups() {
    const QJsonArray rows = array({"features", "--names", "--json"});
    QMap<QString, int> counts;
    for (const QJsonValue row : rows) {
      QCOMPARE(row["index"].toInt(), counts[row["group"].toString()]++);
    }
    QCOMPARE(counts["node"], 140);
    QCOMPARE(counts["tile"], 24);
    QCOMPARE(counts["layout"], 18);
    QCOMPARE(counts["dot"], 3);
    QCOMPARE(counts["fusion"], 1);
    QCOMPARE(rows[28]["name"].toString(), QStringLiteral("shape_dimensions_product"));
    const QByteArray csv = run({"features", "--names", "--csv"}).out;
    QVERIFY(csv.startsWith("group,index,name\nnode,0,is_root\n"));
    QVERIFY(run({"features", "--names"}).out.contains("layout_minor_to_major_5"));
  }

  void whole_module() {
    const QJsonObject graph = array({"features", program_, "--json"})[0].toObject();
    QCOMPARE(graph["nodes"].toArray().size(), 6);
    QVERIFY(graph["kernel"].isNull());
    const QJsonArray edges = {QJsonArray{1, 0}, QJsonArray{4, 1}, QJsonArray{4, 2},
                              QJsonArray{5, 3}, QJsonArray{5, 4}};
    QCOMPARE(graph["edges"].toArray(), edges);
    QCOMPARE(graph["nodes"][5]["opcode_id"].toInt(), 34);
    QCOMPARE(value(graph, 5, "shape_dimensions_product"), 131072.0);
  }

  void one_kernel_with_static_features() {
    const QJsonObject graph =
        array({"features", program_, "--kernel", "fused", "--groups", "static,extra", "--json"})[0]
            .toObject();
    QCOMPARE(graph["kernel"].toString(), QStringLiteral("fused"));
    QCOMPARE(graph["nodes"].toArray().size(), 2);
    QCOMPARE(value(graph, 1, "special_functions"), 262144.0);
    QCOMPARE(value(graph, 1, "shape_dimensions_div_128_1"), 8.0);
  }

  // Runs of copy.24: those of samples/tpu_v3_tiles.pb, measured on a TPU v3.
  void measured_tiles_come_along() {
    const QJsonObject graph = array({"features", kTileSample + "#5", "--json"})[0].toObject();
    QCOMPARE(graph["name"].toString(), QStringLiteral("copy.24"));
    const QJsonObject tile = graph["tile_configurations"][0].toObject();
    QCOMPARE(tile["measured_ns"].toInt(), 3967);
    QVERIFY(tile["is_default"].toBool());
    const QJsonArray features = tile["features"].toArray();
    QCOMPARE(features.size(), 24);
    QCOMPARE(features[8].toDouble(), 16.0);  // Output bounds 16x5x1x2: first, sum, product.
    QCOMPARE(features[14].toDouble(), 24.0);
    QCOMPARE(features[15].toDouble(), 160.0);
  }

  void csv_and_text() {
    const Outcome csv = run({"features", program_, "--csv"});
    const QList<QByteArray> lines = csv.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 7);
    QCOMPARE(lines[0].split(',').size(), 6 + 140);
    QCOMPARE(lines[6].split(',').size(), 6 + 140);
    const Outcome text = run({"features", program_});
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.contains("whole module: 6 nodes, 5 edges, 140 features"));
    QVERIFY(text.out.contains("shape_dimensions_0=256"));
  }

  void bad_input() {
    QCOMPARE(run({"features"}).code, 2);
    QCOMPARE(run({"features", program_, "--groups", "tile"}).code, 2);
    const Outcome missing = run({"features", folder_.filePath("none.hlo")});
    QCOMPARE(missing.code, 1);
    QVERIFY(missing.err.contains("none.hlo"));
    const Outcome kernel = run({"features", program_, "--kernel", "fusd"});
    QCOMPARE(kernel.code, 1);
    QVERIFY(kernel.err.contains("fused"));
  }
};

HLOSCOPE_TEST(TestCliFeatures);
#include "test_cli_features.moc"
