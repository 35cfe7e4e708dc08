#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

constexpr auto kSimulatedProgram = R"(HloModule step, is_scheduled=true
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
body {
  a = f32[256,1024] parameter(0)
  ROOT inner = f32[256,1024] tanh(a)
}
ENTRY main {
  p0 = f32[256,1024] parameter(0)
  p1 = f32[1024,512] parameter(1)
  fused = f32[256,1024] fusion(p0), kind=kLoop, calls=body
  product = f32[256,512] dot(fused, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  summed = f32[256,512] all-reduce(product), replica_groups={{0,1}}, to_apply=add
  ROOT call = f32[256,512] custom-call(summed), custom_call_target="mystery"
}
)";

constexpr auto kOneKernel = R"(HloModule one
ENTRY main {
  p = f32[64,256] parameter(0)
  ROOT n = f32[64,256] negate(p)
}
)";

const QString kSample = QStringLiteral(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb");

QJsonObject first(const QStringList& arguments) {
  return QJsonDocument::fromJson(run(arguments).out).array()[0].toObject();
}

// The names of `keys` that the object lacks.
QString missing(const QJsonObject& object, const QString& keys) {
  QStringList absent;
  for (const QString& key : keys.split(' ')) {
    if (!object.contains(key)) absent += key;
  }
  return absent.join(' ');
}

}  // namespace

class TestCliSimulate : public hloscope::testing::FolderTest {
  Q_OBJECT
 private:
  QString program() { return write("program.hlo", kSimulatedProgram); }
  QString one_kernel() { return write("one.hlo", kOneKernel); }
  // TPU v3 with 1 TB of VMEM: every tile fits.
  QString roomy_machine() {
    QFile file(QStringLiteral(HLOSCOPE_SOURCE_DIR "/resources/machines/tpu_v3.json"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QJsonObject machine = QJsonDocument::fromJson(file.readAll()).object();
    QJsonObject constants = machine["constants"].toObject();
    QJsonObject vmem = constants["vmem_bytes"].toObject();
    vmem["value"] = 1e12;
    constants["vmem_bytes"] = vmem;
    machine["constants"] = constants;
    return write("roomy.json", QJsonDocument(machine).toJson());
  }

 private slots:
  void program_json_has_the_keys_of_the_help() {
    const QJsonObject json = first({"simulate", program(), "--json"});
    QCOMPARE(missing(json,
                     "file module_number name source machine machine_hash is_optimized "
                     "kernels_from branches "
                     "simulated_total_ns rule_share kernel_count distinct_kernels unknown_loops "
                     "by_class fallbacks assumed kernels"),
             QString());
    QCOMPARE(json["source"].toString(), QString("simulated"));
    double classes_ns = 0;
    for (const QJsonValue& value : json["by_class"].toObject()) {
      classes_ns += value["time_ns"].toDouble();
    }
    double kernels_ns = 0;
    for (const QJsonValue& value : json["kernels"].toArray()) {
      kernels_ns += value["all_ns"].toDouble();
    }
    QVERIFY(json["simulated_total_ns"].toDouble() > 0);
    QVERIFY(qFuzzyCompare(classes_ns, json["simulated_total_ns"].toDouble()));
    QVERIFY(qFuzzyCompare(kernels_ns, json["simulated_total_ns"].toDouble()));
    QCOMPARE(json["kernels"].toArray().size(), 4);
    QCOMPARE(json["fallbacks"][0]["opcode"].toString(), QString("custom-call"));
    QCOMPARE(json["assumed"][0]["kind"].toString(), QString("collective"));
    const double rules = json["rule_share"].toDouble();
    QVERIFY(qFuzzyCompare(rules + json["fallbacks"][0]["share"].toDouble(), 1.0));
  }
  void text_says_simulated_and_names_the_machine() {
    const QString hash = first({"simulate", program(), "--json"})["machine_hash"].toString();
    QCOMPARE(hash.size(), 32);
    const QByteArray line =
        "simulated, not measured; TPU v3, 1 core (tpu_v3, hash " + hash.toUtf8() + ")";
    for (const QStringList& arguments :
         {QStringList{"simulate", program()},
          {"simulate", program(), "--kernel", "product"},
          {"simulate", program(), "--kernel", "product", "--all-tiles"},
          {"tiles", program(), "--kernel", "product"},
          {"tiles", program(), "--kernel", "product", "--count"},
          {"tiles", program(), "--kernel", "product", "--random", "2"}}) {
      const Outcome outcome = run(arguments);
      QVERIFY2(outcome.code == 0, outcome.err);
      QVERIFY2(outcome.out.contains(line), outcome.out);
    }
  }
  void kernel_json_adds_up() {
    const QJsonObject json = first({"simulate", program(), "--kernel", "main/product", "--json"});
    QCOMPARE(missing(json,
                     "file module_number kernel computation source machine machine_hash kind tile "
                     "is_default_tile time_ns analytical_ns measured_ns iterations launch_ns "
                     "first_read_ns last_write_ns compute_ns read_ns write_ns exposed_ns "
                     "bytes_read bytes_written runs_read runs_written descriptors footprint_bytes "
                     "vmem_bytes fits bottleneck busy_ns first_iterations fallbacks assumed"),
             QString());
    // Both operands once, 4 bytes each; the result once.
    QVERIFY(json["bytes_read"].toDouble() >= 4.0 * (256 * 1024 + 1024 * 512));
    QCOMPARE(json["bytes_written"].toDouble(), 4.0 * 256 * 512);
    QVERIFY(qFuzzyCompare(json["time_ns"].toDouble(), json["compute_ns"].toDouble() +
                                                          json["exposed_ns"].toDouble() +
                                                          json["launch_ns"].toDouble()));
    const QJsonArray iterations = json["first_iterations"].toArray();
    QCOMPARE(iterations.size(), std::min(8, json["iterations"].toInt()));
    QCOMPARE(iterations[0]["start_ns"].toDouble(),
             json["launch_ns"].toDouble() + json["first_read_ns"].toDouble());
  }
  void a_given_tile_is_the_one_simulated() {
    const QJsonObject whole = first({"simulate", one_kernel(), "--tile", "out=8x2", "--json"});
    QCOMPARE(whole["iterations"].toDouble(), 1.0);
    QCOMPARE(whole["is_default_tile"].toBool(true), false);
    const QJsonObject cut = first({"simulate", one_kernel(), "--tile", "out=3x1", "--json"});
    QCOMPARE(cut["tile"].toString(), QString("out=3x1"));
    QCOMPARE(cut["iterations"].toDouble(), 6.0);
    QCOMPARE(cut["first_iterations"].toArray().size(), 6);
  }
  void bad_tiles_are_told() {
    const Outcome text = run({"simulate", one_kernel(), "--tile", "8x2"});
    QCOMPARE(text.code, 2);
    QVERIFY2(text.err.contains("cannot read the tile"), text.err);
    const Outcome range = run({"simulate", one_kernel(), "--tile", "out=9x2"});
    QCOMPARE(range.code, 1);
    QVERIFY2(range.err.contains("one.hlo: kernel n: bound 1 of out= is 9, its range is 1 to 8"),
             range.err);
    QVERIFY2(range.err.contains("hint: "), range.err);
    const Outcome count = run({"simulate", one_kernel(), "--tile", "out=9"});
    QCOMPARE(count.code, 1);
    QVERIFY2(count.err.contains("out= needs 2 bounds"), count.err);
    const Outcome big = run({"simulate", kSample + "#1", "--tile", "out=26x26x4x2"});
    QCOMPARE(big.code, 1);
    QVERIFY2(big.err.contains("MiB of VMEM"), big.err);
    const Outcome link = run({"simulate", program(), "--kernel", "summed", "--tile", "out=1"});
    QCOMPARE(link.code, 1);
    QVERIFY2(link.err.contains("not cut in tiles (collective)"), link.err);
  }
  void kernels_that_are_not_there_or_not_alone() {
    const Outcome typo = run({"simulate", program(), "--kernel", "prodcut"});
    QCOMPARE(typo.code, 1);
    QVERIFY2(typo.err.contains("no kernel is called 'prodcut'"), typo.err);
    QVERIFY2(typo.err.contains("there are product"), typo.err);
    const Outcome inside = run({"simulate", program(), "--kernel", "inner"});
    QVERIFY2(inside.err.contains("'inner' is a part of the kernel fused"), inside.err);
    const Outcome twice = run({"simulate", one_kernel(), one_kernel(), "--kernel", "n"});
    QCOMPARE(twice.code, 1);
    QVERIFY2(twice.err.contains("2 kernels are called 'n'"), twice.err);
    const Outcome several = run({"simulate", program(), "--all-tiles"});
    QCOMPARE(several.code, 1);
    QVERIFY2(several.err.contains("has 4 kernels"), several.err);
    QVERIFY2(several.err.contains("--kernel"), several.err);
  }
  void options_that_do_not_go_together() {
    const QString path = one_kernel();
    QCOMPARE(run({"simulate", path, "--all-tiles", "--tile", "out=1x1"}).code, 2);
    QCOMPARE(run({"simulate", path, "--all-tiles", "--trace", "t.json"}).code, 2);
    QCOMPARE(run({"simulate", path, "--sample", "3"}).code, 2);
    QCOMPARE(run({"simulate", path, "--kernel", "n", "--db", "x.db"}).code, 2);
    QCOMPARE(run({"simulate", path, "--branches", "some"}).code, 2);
    QCOMPARE(run({"tiles", path, "--count", "--list"}).code, 2);
    QCOMPARE(run({"tiles", path, "--machine", "tpu_v99"}).code, 2);
  }
  void all_tiles_are_sorted_and_complete() {
    // 64 x 256 in units of 8 x 128: 8 x 2 tiles, all fit.
    const QJsonObject json = first({"simulate", one_kernel(), "--all-tiles", "--json"});
    QCOMPARE(missing(json,
                     "file module_number kernel computation source machine machine_hash vmem_bytes "
                     "tile_count all_tile_count simulated_count default_tile default_time_ns "
                     "faster_than_default measured_tiles measured_simulated tiles"),
             QString());
    const QJsonArray tiles = json["tiles"].toArray();
    QCOMPARE(json["tile_count"].toDouble(), 16.0);
    QCOMPARE(tiles.size(), 16);
    QCOMPARE(missing(tiles[0].toObject(),
                     "tile time_ns iterations footprint_bytes bottleneck measured_ns"),
             QString());
    for (int i = 1; i < tiles.size(); ++i) {
      QVERIFY(tiles[i - 1]["time_ns"].toDouble() <= tiles[i]["time_ns"].toDouble());
    }
    int faster = 0;
    for (const QJsonValue& tile : tiles) {
      const QJsonObject alone =
          first({"simulate", one_kernel(), "--tile", tile["tile"].toString(), "--json"});
      QCOMPARE(alone["time_ns"].toDouble(), tile["time_ns"].toDouble());
      faster += tile["time_ns"].toDouble() < json["default_time_ns"].toDouble() ? 1 : 0;
    }
    QCOMPARE(json["faster_than_default"].toInt(), faster);
    const Outcome csv = run({"simulate", one_kernel(), "--all-tiles", "--csv", "--limit", "3"});
    const QList<QByteArray> lines = csv.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY2(lines[0].endsWith("bottleneck,measured_ns"), lines[0]);
  }
  void measured_tiles_stand_beside_the_simulated_ones() {
    // samples/tpu_v3_tiles.pb#5: copy.24.
    const QJsonObject json = first({"simulate", kSample + "#5", "--all-tiles", "--json"});
    int measured = 0;
    for (const QJsonValue& tile : json["tiles"].toArray()) {
      if (tile["measured_ns"].isNull()) continue;
      QVERIFY(tile["measured_ns"].toDouble() > 0);
      ++measured;
    }
    QVERIFY(measured > 0);
    QCOMPARE(measured, json["measured_simulated"].toInt());
    const Outcome text = run({"simulate", kSample + "#5", "--all-tiles"});
    QVERIFY2(text.out.contains("Measured µs"), text.out);
    QVERIFY2(text.out.contains("measured in this file: "), text.out);
  }
  void too_many_tiles_need_a_limit_or_a_sample() {
    // 256 x 256 x 64 x 1 tiles.
    const QString path = write("large.hlo",
                               "HloModule m\nENTRY e {\n  p = f32[256,256,512,128] parameter(0)\n"
                               "  ROOT n = f32[256,256,512,128] negate(p)\n}\n");
    const QString machine = roomy_machine();
    const QStringList base = {"simulate", path, "--machine", machine, "--all-tiles"};
    const Outcome refused = run(base);
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("4,194,304 tiles fit"), refused.err);
    QVERIFY2(refused.err.contains("--sample") && refused.err.contains("--limit"), refused.err);
    const QStringList sample = base + QStringList{"--sample", "40", "--seed", "7", "--csv"};
    const Outcome drawn = run(sample);
    QVERIFY2(drawn.code == 0, drawn.err);
    const auto rows = drawn.out.trimmed().split('\n').size() - 1;
    QVERIFY(rows > 30 && rows <= 40);
    QCOMPARE(run(sample).out, drawn.out);
    QCOMPARE(run({"tiles", path, "--machine", machine, "--list", "--csv"}).code, 1);
    const Outcome some =
        run({"tiles", path, "--machine", machine, "--list", "--csv", "--limit", "5"});
    QCOMPARE(some.out.trimmed().split('\n').size(), 6);
  }
  void branches_by_mean_or_largest() {
    const QString path = write("branches.hlo", R"(HloModule m
small { a = f32[256,1024] parameter(0)
  ROOT x = f32[256,1024] negate(a) }
large { b = f32[256,1024] parameter(0)
  y = f32[256,1024] tanh(b)
  ROOT z = f32[256,1024] tanh(y) }
ENTRY e { i = s32[] parameter(0)
  p = f32[256,1024] parameter(1)
  ROOT c = f32[256,1024] conditional(i, p, p), branch_computations={small, large} }
)");
    const QJsonObject mean = first({"simulate", path, "--raw", "--json"});
    const QJsonObject largest = first({"simulate", path, "--raw", "--json", "--branches", "max"});
    QMap<QString, QJsonObject> once;
    for (const QJsonValue& kernel : mean["kernels"].toArray()) {
      QCOMPARE(kernel["executions"].toDouble(), 0.5);
      once[kernel["kernel"].toString()] = kernel.toObject();
    }
    const double x = once["x"]["simulated_ns"].toDouble();
    const double yz = once["y"]["simulated_ns"].toDouble() + once["z"]["simulated_ns"].toDouble();
    QVERIFY(x < yz);
    QVERIFY(qFuzzyCompare(mean["simulated_total_ns"].toDouble(), (x + yz) / 2));
    QVERIFY(qFuzzyCompare(largest["simulated_total_ns"].toDouble(), yz));
  }
  void traces_are_written() {
    const QString path = folder_.filePath("t.json");
    QCOMPARE(run({"simulate", program(), "--trace", path}).code, 0);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonArray events = QJsonDocument::fromJson(file.readAll())["traceEvents"].toArray();
    QStringList kernels;
    for (const QJsonValue& event : events) {
      if (event["ph"] == "X" && event["tid"] == 1) kernels += event["name"].toString();
    }
    QCOMPARE(kernels.join(' '), QString("fused product summed call"));
    const Outcome bad = run({"simulate", program(), "--trace", folder_.filePath("no/t.json")});
    QCOMPARE(bad.code, 1);
    QVERIFY2(bad.err.contains("cannot write"), bad.err);
  }
  void programs_are_stored_when_asked() {
    const QString db = folder_.filePath("s.hloscope");
    QCOMPARE(run({"simulate", program(), "--db", db}).code, 0);
    const QJsonArray runs =
        QJsonDocument::fromJson(run({"runs", "--db", db, "--json"}).out).array();
    QVERIFY(!runs.isEmpty());
    QCOMPARE(runs[0]["program"].toString(), QString("step"));
  }
  void tiles_lists_the_loops() {
    const QJsonObject json = first({"tiles", program(), "--kernel", "product", "--json"});
    QCOMPARE(missing(json,
                     "file module_number kernel computation source machine machine_hash vmem_bytes "
                     "tile_count all_tile_count loops whole_tile default_tile"),
             QString());
    QMap<QString, QJsonObject> loops;
    for (const QJsonValue& loop : json["loops"].toArray()) {
      loops[loop["dimension"].toString()] = loop.toObject();
    }
    // 256 x 512 in units of 8 x 128, and 1024 summed over in units of 8.
    QCOMPARE(loops.size(), 3);
    QCOMPARE(loops["out 1"]["most_bound"].toInt(), 32);
    QCOMPARE(loops["out 2"]["most_bound"].toInt(), 4);
    QCOMPARE(loops["kernel 1"]["size"].toInt(), 1024);
    QCOMPARE(loops["kernel 1"]["is_contracted"].toBool(), true);
    QCOMPARE(loops["out 1"]["is_contracted"].toBool(true), false);
    QCOMPARE(json["all_tile_count"].toDouble(), 32.0 * 4 * loops["kernel 1"]["most_bound"].toInt());
    QCOMPARE(missing(json["whole_tile"].toObject(), "tile fits footprint_bytes time_ns iterations"),
             QString());
    QCOMPARE(json["whole_tile"]["iterations"].toDouble(), 1.0);
  }
  void tiles_check_and_neighbours() {
    const QJsonObject checked = first({"tiles", one_kernel(), "--check", "out=4x1", "--json"});
    QCOMPARE(checked["tiles"].toArray().size(), 1);
    QCOMPARE(checked["tiles"][0]["iterations"].toDouble(), 4.0);
    const QJsonObject near = first({"tiles", one_kernel(), "--neighbours", "out=4x1", "--json"});
    QStringList tiles;
    for (const QJsonValue& tile : near["tiles"].toArray()) tiles += tile["tile"].toString();
    tiles.sort();
    // Of 8 x 2: 3 and 5 are one step away, 8 makes one tile of two; 2 columns, the other loop.
    QCOMPARE(tiles.join(' '), QString("out=3x1 out=4x2 out=5x1 out=8x1"));
    QCOMPARE(run({"tiles", one_kernel(), "--check", "out=4x3"}).code, 1);
    QCOMPARE(run({"tiles", one_kernel(), "--check", "4x1"}).code, 2);
    const Outcome link = run({"tiles", program(), "--kernel", "summed"});
    QCOMPARE(link.code, 1);
    QVERIFY2(link.err.contains("not cut in tiles"), link.err);
    const QJsonObject list = first({"tiles", one_kernel(), "--list", "--json"});
    QCOMPARE(list["tiles"].toArray().size(), 16);
    QCOMPARE(list["tiles"][0]["tile"].toString(), QString("out=1x1"));
  }
};

HLOSCOPE_TEST(TestCliSimulate);
#include "test_cli_simulate.moc"
