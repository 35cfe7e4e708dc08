#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

// Runs of two kernels of samples/tpu_v3_tiles.pb, as TpuGraphs gives them; a tile of the wrong
// size, a module that is not there, and a row without bounds.
constexpr auto kTileTable = R"(module_name,run_index,output_bounds,kernel_bounds,time_ns,is_default
copy.24,9,8x5x1x2,,3872,0
fusion.250,0,4,,598,1
fusion.250,1,900,,951,0
absent,0,4,,598,0
reshape.39,0,,,5664,1
)";
// Enough to fit to: rows of the same source.
constexpr auto kMoreTiles = R"(module_name,run_index,output_bounds,kernel_bounds,time_ns,is_default
copy.24,0,16x5x1x2,,3967,1
copy.24,1,8x1x1x1,,9352,0
copy.24,7,8x2x1x2,,4897,0
copy.24,9,8x5x1x2,,3872,0
fusion.250,0,4,,598,1
fusion.250,1,1,,951,0
)";
constexpr auto kModules = HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb";
constexpr auto kWorkloads = R"(workload,kind,params,tpuv3_us
gemm_256x256x256,gemm,m=256 k=256 n=256,3.299
resnet18,model,resnet18,898.430
)";
constexpr auto kOps = R"(op,shape,m,n,k,dtype,event,min_us
add,32,,,,f16,add,0.844375
matmul,,64,64,64,f16,fusion,1.092768
)";

}  // namespace

class TestCliAccuracy : public hloscope::testing::FolderTest {
  Q_OBJECT
 private slots:
  void tiles() {
    const QString rows = folder_.filePath("rows.csv");
    const Outcome outcome = run({"accuracy", "--data", write("tiles.csv", kTileTable), "--modules",
                                 kModules, "--json", "--rows", rows});
    QCOMPARE(outcome.code, 0);
    const QJsonObject json = object(outcome);
    const QJsonArray kernels = json["kernels"].toArray();
    QCOMPARE(kernels.size(), 2);
    QCOMPARE(kernels[0]["module"].toString(), "copy.24");
    QCOMPARE(kernels[0]["n"].toInt(), 1);
    QVERIFY(kernels[0]["mape"].toDouble() > 0 && kernels[0]["mape"].toDouble() < 0.3);
    QVERIFY(kernels[0]["kendall_tau"].isNull() && kernels[0]["top1_slowdown"].isNull());
    const QJsonObject total = json["total"].toObject();
    QVERIFY(total["mape"].toDouble() > 0 && total["kernel_mean_mape"].toDouble() > 0);
    QVERIFY(total["kendall_tau"].isNull() && total["top5_slowdown"].isNull());
    QCOMPARE(json["rows_without_bounds"].toInt(), 1);
    QCOMPARE(json["rows_invalid"].toInt(), 2);
    QCOMPARE(json["invalid_rows"].toArray().at(1)["module"].toString(), "absent");
    QCOMPARE(json["machine"].toString(), "tpu_v3");
    QCOMPARE(json["machine_hash"].toString().size(), 32);
    QCOMPARE(json["model"].toString(), "simulator");
    QVERIFY2(outcome.err.contains("tiles.csv: module fusion.250, run 1"), outcome.err);
    QVERIFY2(outcome.err.contains("absent"), outcome.err);
    const QList<QByteArray> lines = read(rows).trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0], "module,run_index,tile,measured_ns,time_ns,error");
    QVERIFY2(lines[1].startsWith("copy.24,9,out=8x5x1x2,3872,"), lines[1]);
  }
  void models_and_machines() {
    const QString data = write("tiles.csv", kTileTable);
    const QJsonObject simulator =
        object(run({"accuracy", "--data", data, "--modules", kModules, "--json"}));
    const QJsonObject analytical = object(run(
        {"accuracy", "--data", data, "--modules", kModules, "--json", "--model", "analytical"}));
    QCOMPARE(analytical["model"].toString(), "analytical");
    QVERIFY(analytical["total"]["mape"].toDouble() != simulator["total"]["mape"].toDouble());
    const QJsonObject v4 = object(
        run({"accuracy", "--data", data, "--modules", kModules, "--json", "--machine", "tpu_v4"}));
    QCOMPARE(v4["machine"].toString(), "tpu_v4");
    QVERIFY(v4["total"]["mape"].toDouble() > simulator["total"]["mape"].toDouble());
  }
  void text_has_no_json() {
    const Outcome outcome =
        run({"accuracy", "--data", write("tiles.csv", kTileTable), "--modules", kModules});
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.contains("mean of kernels"), outcome.out);
    QVERIFY2(outcome.out.contains("rows without bounds, left out: 1"), outcome.out);
  }
  void workloads() {
    const Outcome outcome =
        run({"accuracy", "--workloads", write("workloads.csv", kWorkloads), "--json"});
    QCOMPARE(outcome.code, 0);
    const QJsonObject json = object(outcome);
    const QJsonObject row = json["rows"].toArray()[0].toObject();
    QCOMPARE(row["name"].toString(), "gemm_256x256x256");
    QCOMPARE(row["kind"].toString(), "gemm");
    QCOMPARE(row["measured_us"].toDouble(), 3.299);
    const double time_us = row["time_us"].toDouble();
    QVERIFY(std::abs(row["error"].toDouble() - (time_us / 3.299 - 1)) < 1e-9);
    const QJsonObject kernel = row["kernels"].toArray()[0].toObject();
    QCOMPARE(kernel["time_us"].toDouble(), time_us);
    QCOMPARE(kernel["executions"].toDouble(), 1.0);
    QVERIFY(kernel["tile"].toString().startsWith("out="));
    QVERIFY(kernel.contains("what") && !row["assumptions"].toArray().isEmpty());
    QCOMPARE(json["total"]["gemm_conv_attention_mape"].toDouble(),
             std::abs(row["error"].toDouble()));
    QCOMPARE(json["skipped"].toArray().at(0)["name"].toString(), "resnet18");
  }
  void operators() {
    const QString rows = folder_.filePath("ops_rows.csv");
    const Outcome outcome = run({"accuracy", "--ops", write("ops.csv", kOps), "--machine", "tpu_v4",
                                 "--json", "--rows", rows});
    QCOMPARE(outcome.code, 0);
    const QJsonObject json = object(outcome);
    const QJsonArray classes = json["classes"].toArray();
    QCOMPARE(classes.size(), 2);
    QCOMPARE(classes[0]["class"].toString(), "elementwise");
    QCOMPARE(classes[1]["class"].toString(), "matmul");
    for (const char* key : {"median_ape", "mean_ape", "p90_ape"}) {
      QVERIFY(classes[1].toObject()[key].isDouble());
    }
    QCOMPARE(json["total"]["n"].toInt(), 2);
    QCOMPARE(json["cores"].toInt(), 2);
    QVERIFY2(read(rows).contains("matmul,64x64x64,f16,fusion,matmul,1.092768,"), read(rows));
  }
  void wrong_usage_and_bad_input() {
    const QString tiles = write("tiles.csv", kTileTable);
    QCOMPARE(run({"accuracy"}).code, 2);
    QCOMPARE(run({"accuracy", "--data", tiles}).code, 2);
    QCOMPARE(run({"accuracy", "--data", tiles, "--modules", kModules, "--ops", tiles}).code, 2);
    QCOMPARE(run({"accuracy", "--ops", tiles, "--model", "none"}).code, 2);
    QCOMPARE(run({"accuracy", "--ops", tiles, "--machine", "tpu_v99"}).code, 2);
    QCOMPARE(run({"accuracy", "--ops", "/absent.csv"}).code, 1);
    const Outcome columns = run({"accuracy", "--ops", tiles});
    QCOMPARE(columns.code, 1);
    QVERIFY2(columns.err.contains("tiles.csv:1"), columns.err);
    const QString other =
        write("other.hlo", "HloModule m\nENTRY e { ROOT p = f32[8] parameter(0) }");
    const Outcome none = run({"accuracy", "--data", tiles, "--modules", other});
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains("no row can be held against a kernel"), none.err);
    const Outcome unwritable = run({"accuracy", "--data", tiles, "--modules", kModules, "--rows",
                                    folder_.filePath("no/such/folder.csv")});
    QCOMPARE(unwritable.code, 1);
    QVERIFY(unwritable.out.isEmpty());
  }
  void calibrate_writes_a_machine_that_can_be_used() {
    const QString machine = folder_.filePath("machine.json");
    const QStringList arguments = {
        "calibrate", "--machine", "tpu_v3", "--data", write("tiles.csv", kMoreTiles),
        "--modules", kModules,    "--out",  machine,  "--json"};
    const Outcome outcome = run(arguments);
    QCOMPARE(outcome.code, 0);
    const QJsonObject json = object(outcome);
    QCOMPARE(json["constants"].toArray().size(), 15);
    QVERIFY(json["leave_one_kernel_out"]["total"]["mape"].isDouble());
    const QJsonObject file = QJsonDocument::fromJson(read(machine)).object();
    double launch_ns = 0;
    for (const QJsonValue& constant : json["constants"].toArray()) {
      const QJsonObject written = file["constants"][constant["name"].toString()].toObject();
      QCOMPARE(written["value"].toDouble(), constant["value"].toDouble());
      const bool is_fitted =
          written["source"].toString().startsWith("fitted to measured runs: tiles.csv (");
      QCOMPARE(is_fitted, constant["determined"].toBool());
      if (constant["name"].toString() == "launch_ns") launch_ns = constant["value"].toDouble();
    }
    QVERIFY(launch_ns > 0);
    const QJsonObject again = object(run({"accuracy", "--data", folder_.filePath("tiles.csv"),
                                          "--modules", kModules, "--machine", machine, "--json"}));
    QCOMPARE(again["total"]["mape"].toDouble(), json["in_sample"]["total"]["mape"].toDouble());
    const QByteArray first = read(machine);
    QCOMPARE(run(arguments).out, outcome.out);
    QCOMPARE(read(machine), first);
  }
  // A fit to a row or two would give guesses the name of a fit.
  void calibrate_needs_several_rows() {
    const QString machine = folder_.filePath("not_written.json");
    const Outcome outcome =
        run({"calibrate", "--machine", "tpu_v3", "--data", write("few.csv", kTileTable),
             "--modules", kModules, "--out", machine});
    QCOMPARE(outcome.code, 1);
    QVERIFY(outcome.err.contains("too few to fit"));
    QVERIFY(!QFile::exists(machine));
  }
  void an_output_is_never_an_input() {
    const QString tiles = write("same.csv", kTileTable);
    const QByteArray before = read(tiles);
    const Outcome outcome =
        run({"accuracy", "--data", tiles, "--modules", kModules, "--rows", tiles});
    QCOMPARE(outcome.code, 1);
    QVERIFY(outcome.err.contains("it would be lost"));
    QCOMPARE(read(tiles), before);
    const QString program = write("program.hlo",
                                  "HloModule m\nENTRY e {\n a = f32[8,128] parameter(0)\n"
                                  " ROOT r = f32[8,128] negate(a)\n}\n");
    const QByteArray text = read(program);
    QCOMPARE(run({"simulate", program, "--kernel", "r", "--trace", program}).code, 1);
    QCOMPARE(read(program), text);
  }
  void calibrate_needs_its_files() {
    QCOMPARE(run({"calibrate", "--machine", "tpu_v3"}).code, 2);
    QCOMPARE(
        run({"calibrate", "--machine", "tpu_v3", "--data", "/absent.csv", "--modules", kModules})
            .code,
        1);
  }
};

HLOSCOPE_TEST(TestCliAccuracy);
#include "test_cli_accuracy.moc"
