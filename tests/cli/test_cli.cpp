#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/cli_process.h"
#include "tests/cli/folder_test.h"
#include "tests/support/test_registry.h"

namespace {

QJsonArray json(const QStringList& arguments) {
  return QJsonDocument::fromJson(run(arguments).out).array();
}

constexpr auto kTwoModules = R"(HloModule first
ENTRY main {
  p0 = f32[64,128] parameter(0)
  p1 = f32[128,256] parameter(1)
  d = f32[64,256] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = f32[64,256] tanh(d)
}
// -----
HloModule second
ENTRY main {
  p = f32[8] parameter(0)
  ROOT n = f32[8] negate(p)
}
)";

constexpr auto kBroken = "HloModule m\nENTRY e {\n  ROOT r = f32[2] negate(missing)\n}\n";

}  // namespace

class TestCli : public hloscope::testing::FolderTest {
  Q_OBJECT
 private slots:
  void exit_codes() {
    const QString good = write("good.hlo", kTwoModules);
    QCOMPARE(run({"info", good}).code, 0);
    QCOMPARE(run({"info", write("bad.hlo", kBroken)}).code, 1);
    QCOMPARE(run({"info", folder_.filePath("absent.hlo")}).code, 1);
    QCOMPARE(run({}).code, 2);
    QCOMPARE(run({"info"}).code, 2);
    QCOMPARE(run({"kernels", good, "--no-such-option"}).code, 2);
    QCOMPARE(run({"kernels", good, "--machine", "tpu_v99"}).code, 2);
    QCOMPARE(run({"kernels", good, "--sort", "colour"}).code, 2);
    QCOMPARE(run({"kernels", "--help"}).code, 0);
    const Outcome unknown = run({"kernel", good});
    QCOMPARE(unknown.code, 2);
    QVERIFY2(unknown.err.contains("no command is called 'kernel'"), unknown.err);
    QVERIFY2(unknown.err.contains("info check kernels"), unknown.err);
  }
  void one_bad_file_does_not_hide_the_good_ones() {
    const Outcome outcome = run({"check", write("bad.hlo", kBroken), write("g.hlo", kTwoModules)});
    QCOMPARE(outcome.code, 1);
    const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines[0].contains("bad.hlo:3:26: "), lines[0]);
    QVERIFY2(lines[0].contains("missing"), lines[0]);
    QVERIFY2(lines[1].contains("ok") && lines[1].contains("2 modules, 6 instructions"), lines[1]);
    QVERIFY(outcome.err.contains("^"));
  }
  void check_json() {
    const QJsonArray list =
        json({"check", write("bad.hlo", kBroken), write("g.hlo", kTwoModules), "--json"});
    QCOMPARE(list.size(), 2);
    QCOMPARE(list[0]["ok"].toBool(true), false);
    QCOMPARE(list[0]["line"].toInt(), 3);
    QCOMPARE(list[0]["column"].toInt(), 26);
    QCOMPARE(list[1]["ok"].toBool(), true);
    QCOMPARE(list[1]["modules"].toInt(), 2);
  }
  void info_json_counts_as_xla() {
    // 2*64*256*128 FLOPs of the dot; tanh is 64*256 transcendentals.
    const QJsonArray list = json({"info", write("g.hlo", kTwoModules), "--json"});
    QCOMPARE(list.size(), 2);
    QCOMPARE(list[0]["name"].toString(), QString("first"));
    QCOMPARE(list[0]["instructions"].toInt(), 4);
    QCOMPARE(list[0]["flops"].toDouble(), 4194304.0);
    QCOMPARE(list[0]["transcendentals"].toDouble(), 16384.0);
    QCOMPARE(list[0]["opcodes"].toObject()["dot"].toInt(), 1);
    QVERIFY(list[0]["simulated_total_ns"].toDouble() > 0);
    QVERIFY(list[0]["analytical_total_ns"].toDouble() > 0);
    QCOMPARE(list[0]["rule_share"].toDouble(), 1.0);
    QCOMPARE(list[1]["module_number"].toInt(), 2);
  }
  void modules_are_addressed_by_number() {
    const QString path = write("g.hlo", kTwoModules);
    const QJsonArray second = json({"info", path + "#2", "--json"});
    QCOMPARE(second.size(), 1);
    QCOMPARE(second[0]["name"].toString(), QString("second"));
    const Outcome third = run({"info", path + "#3"});
    QCOMPARE(third.code, 1);
    QVERIFY(third.err.contains("numbered from 1 to 2"));
  }
  void kernels_sort_filter_and_top() {
    const QString path = write("g.hlo", kTwoModules) + "#1";
    const QJsonObject all =
        json({"kernels", path, "--raw", "--json", "--sort", "flops"})[0].toObject();
    QCOMPARE(all["kernel_count"].toInt(), 2);
    const QJsonArray rows = all["kernels"].toArray();
    QCOMPARE(rows.size(), 2);
    QCOMPARE(rows[0]["kernel"].toString(), QString("d"));
    QVERIFY(rows[0]["analytical_ns"].toDouble() > 0);
    QVERIFY(rows[0]["measured_ns"].isNull());
    const QJsonObject top = json({"kernels", path, "--raw", "--json", "--top", "1"})[0].toObject();
    QCOMPARE(top["kernels"].toArray().size(), 1);
    // By share of the time, where no order is asked for.
    const QJsonObject by_share =
        json({"kernels", path, "--raw", "--json", "--sort", "share"})[0].toObject();
    QCOMPARE(top["kernels"][0]["kernel"], by_share["kernels"][0]["kernel"]);
    const QJsonObject filtered =
        json({"kernels", path, "--raw", "--json", "--filter", "class:matmul"})[0].toObject();
    QCOMPARE(filtered["kernels"].toArray().size(), 1);
  }
  void kernels_tell_simulated_time_tile_and_rules() {
    const QString path = write("g.hlo", kTwoModules) + "#1";
    const QJsonObject all = json({"kernels", path, "--raw", "--json"})[0].toObject();
    double total_ns = 0;
    for (const QJsonValue row : all["kernels"].toArray()) {
      total_ns += row["simulated_ns"].toDouble();
    }
    QCOMPARE(all["simulated_total_ns"].toDouble(), total_ns);
    QCOMPARE(all["rule_share"].toDouble(), 1.0);
    const QJsonArray rows = all["kernels"].toArray();
    // f32[64,256] is 8 x 2 register tiles of 8 x 128: one iteration takes them all.
    QCOMPARE(rows[1]["kernel"].toString(), QString("t"));
    QCOMPARE(rows[1]["tile"].toString(), QString("out=8x2"));
    // In and out, one buffer each: nothing changes between iterations.
    QCOMPARE(rows[1]["vmem_bytes"].toDouble(), 2 * 64 * 256 * 4.0);
    QVERIFY(rows[1]["has_fallback"].isBool());
    QCOMPARE(rows[1]["has_fallback"].toBool(true), false);
    const QJsonObject found =
        json({"kernels", path, "--raw", "--json", "--filter", "tile:8x2 simulated>0"})[0]
            .toObject();
    QVERIFY(!found["kernels"].toArray().isEmpty());
    const Outcome text = run({"kernels", path, "--raw"});
    QVERIFY2(text.out.contains("100 % of the time without fall-back"), text.out);
    QVERIFY2(text.out.contains("not measured"), text.out);
  }
  void kernels_csv_has_one_header_for_all_modules() {
    const Outcome outcome = run({"kernels", write("g.hlo", kTwoModules), "--raw", "--csv"});
    const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].contains("analytical_ns"));
    QCOMPARE(outcome.out.count("analytical_ns"), 1);
    for (const char* column :
         {"simulated_ns", "simulated_error", "tile", "vmem_bytes", "has_fallback"}) {
      QVERIFY2(lines[0].split(',').contains(column), column);
    }
  }
  void costs_json() {
    const QJsonArray list =
        json({"costs", write("g.hlo", kTwoModules) + "#1", "--json", "--instructions"});
    QCOMPARE(list[0]["total"]["flops"].toDouble(), 4194304.0);
    QCOMPARE(list[0]["weighted"]["flops"].toDouble(), 4194304.0);
    QCOMPARE(list[0]["by_class"]["matmul/conv"]["flops"].toDouble(), 4194304.0);
    // dot reads 64*128*4 + 128*256*4 bytes and writes 64*256*4.
    QCOMPARE(list[0]["instructions"][2]["bytes_accessed"].toDouble(), 229376.0);
  }
  void a_run_is_stored_only_when_asked_and_listed_again() {
    const QString path = write("g.hlo", kTwoModules) + "#1";
    const QString db = folder_.filePath("r.hloscope");
    QCOMPARE(run({"runs", "--db", db}).code, 1);
    QCOMPARE(run({"kernels", path}).code, 0);
    QVERIFY(!QFile::exists(db));
    QCOMPARE(run({"kernels", path, "--db", db}).code, 0);
    QCOMPARE(run({"kernels", path, "--db", db}).code, 0);
    const QJsonArray runs = json({"runs", "--db", db, "--json"});
    QCOMPARE(runs.size(), 3);  // newest first
    QCOMPARE(runs[0]["source"].toString(), QString("predicted"));
    QCOMPARE(runs[0]["settings"]["model"].toString(), QString("tpu_v3_fusion"));
    QCOMPARE(runs[1]["source"].toString(), QString("analytical"));
    QCOMPARE(runs[2]["source"].toString(), QString("simulator"));
    QVERIFY(runs[2]["total_ns"].toDouble() > 0);
    QCOMPARE(runs[0]["program"].toString(), QString("first"));
    QCOMPARE(runs[0]["machine"].toString(), QString("tpu_v3"));
    QCOMPARE(runs[0]["machine_hash"].toString().size(), 32);
    QCOMPARE(runs[0]["state"].toString(), QString("finished"));
    // Dot and tanh are one kernel: the program is not optimised, so it has own fusion.
    QCOMPARE(runs[0]["distinct_kernels"].toInt(), 1);
  }
  void bench_read_json() {
    const QString path = write("g.hlo", kTwoModules);
    const QJsonArray list = json({"bench", "read", path, "--json"});
    QCOMPARE(list.size(), 1);
    QCOMPARE(list[0]["file"].toString(), path);
    QCOMPARE(list[0]["instructions"].toInt(), 6);
    QCOMPARE(list[0]["bytes"].toInt(), int(strlen(kTwoModules)));
    QVERIFY(list[0]["read_ms"].toDouble() > 0);
    QVERIFY(list[0]["mb_per_s"].toDouble() > 0);
    QVERIFY(list[0]["peak_rss_bytes"].toDouble() > 1e6);
  }
  void sessions_of_the_results_of_the_window_are_listed_without_db() {
    qputenv("XDG_DATA_HOME", folder_.path().toUtf8());
    const Outcome none = run({"sessions"});
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains("hloscope/results.hloscope: there is no results file"), none.err);
    const QString database = folder_.filePath("hloscope/results.hloscope");
    QVERIFY(QDir(folder_.path()).mkpath("hloscope"));
    const Outcome made = run({"tune", "program-tiles", write("d.hlo", kTwoModules) + "#1",
                              "--evaluator", "analytical", "--trials", "3", "--db", database});
    QVERIFY2(made.code == 0, made.err);
    QVERIFY2(made.out.contains(" µs, "), made.out);
    const Outcome list = run({"sessions", "--json"});
    qunsetenv("XDG_DATA_HOME");
    const QJsonArray rows = QJsonDocument::fromJson(list.out).array();
    QVERIFY2(rows.size() == 1, list.err);
    QCOMPARE(rows[0]["db"].toString(), database);
  }
  void report_is_one_page_with_the_kernel_table() {
    const QString out = folder_.filePath("report");
    QCOMPARE(run({"report", write("g.hlo", kTwoModules), "--raw", "--out", out}).code, 0);
    QFile page(out + "/index.html");
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray html = page.readAll();
    QVERIFY(html.contains("<h2>first</h2>"));
    QVERIFY(html.contains("<td>d</td>"));
    QVERIFY(
        html.contains("<th scope=\"col\">Simulated µs</th><th scope=\"col\">Analytical µs</th>"));
    QVERIFY(html.contains("<td>out=8x2</td>"));
    QVERIFY(html.contains("100 % of the time without fall-back"));
    // The name of the language of the pictures is no address that is loaded.
    QCOMPARE(html.count("http"), html.count("http://www.w3.org/2000/svg"));
  }
};

HLOSCOPE_TEST(TestCli);
#include "test_cli.moc"
