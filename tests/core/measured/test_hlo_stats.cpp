#include <zlib.h>

#include "core/measured/hlo_stats.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::measured;

namespace {

// Ids and labels as XProf writes them; the other columns do not matter.
constexpr const char* kTable = R"json({"cols":[
 {"id":"rank","label":"Rank","type":"number"},
 {"id":"program_id","label":"Program id","type":"string"},
 {"id":"category","label":"HLO op category","type":"string"},
 {"id":"hlo_op_name","label":"HLO op name","type":"string"},
 {"id":"hlo_op_expression","label":"HLO op text","type":"string"},
 {"id":"occurrences","label":"#Occurrences","type":"number"},
 {"id":"total_time","label":"Total time (us)","type":"number"},
 {"id":"avg_time","label":"Avg. time (us)","type":"number"},
 {"id":"total_self_time","label":"Total self time (us)","type":"number"},
 {"id":"avg_self_time","label":"Avg. self time (us)","type":"number"},
 {"id":"total_self_time_percent","label":"Total self time (%)","type":"number"}],
"rows":[
 {"c":[{"v":1},{"v":"42"},{"v":"loop fusion"},{"v":"%fusion.3"},{"v":"%fusion.3 = f32[8] fusion()"},{"v":4},{"v":60},{"v":15},{"v":50},{"v":12.5},{"v":0.9}]},
 {"c":[{"v":2},{"v":"42"},null,{"v":"copy.1"},{},{"v":"2"},{"v":1},{"v":0.5},{"v":1},{"v":5e-1},{"v":0.1}]},
 {"c":[{"v":3},{"v":"42"},null,{"v":"never"},{},{"v":0},{"v":null},{"v":null},{"v":null},{"v":null},{"v":0}]}
]
})json";

QString headline(std::string_view text) {
  const auto stats = parse_hlo_stats(text, "s");
  if (stats) return QStringLiteral("no error");
  return QString::fromStdString(stats.error().headline());
}

std::string gzipped(std::string text) {
  std::string out(text.size() + 256, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

class TestHloStats : public QObject {
  Q_OBJECT
 private slots:
  void json_table() {
    const auto stats = parse_hlo_stats(kTable, "s.json");
    QVERIFY(stats);
    QCOMPARE(stats->rows.size(), size_t{2});  // What never ran has no time.
    const HloStat& fusion = stats->rows[0];
    QCOMPARE(fusion.program, "42");
    QCOMPARE(fusion.name, "fusion.3");
    QCOMPARE(fusion.category, "loop fusion");
    QCOMPARE(fusion.expression, "%fusion.3 = f32[8] fusion()");
    QCOMPARE(fusion.occurrences, int64_t{4});
    QCOMPARE(fusion.time_ns, 12500.0);   // The self time, not the 15 us with children.
    QCOMPARE(fusion.total_ns, 50000.0);  // 4 x 12.5 us
    QCOMPARE(stats->rows[1].occurrences, int64_t{2});
    QCOMPARE(stats->rows[1].time_ns, 500.0);
    QCOMPARE(stats->rows[1].category, "");
  }
  void the_first_table_of_ops_in_an_array_and_gzip() {
    const std::string array =
        R"([{"cols":[{"id":"device","label":"Device","type":"string"}],"rows":[]},)" +
        std::string(kTable) + "]";
    const auto stats = parse_hlo_stats(gzipped(array), "s.json.gz");
    QVERIFY(stats);
    QCOMPARE(stats->rows.size(), size_t{2});
    QCOMPARE(stats->hash, parse_hlo_stats(array, "other")->hash);
  }
  void csv_with_labels_in_other_units() {
    const auto stats = parse_hlo_stats(
        "\xEF\xBB\xBF"
        "HLO Op Name,# Occurrences,Total Self Time (ms)\r\n"
        "fusion.1,4,0.5\r\n",
        "s.csv");
    QVERIFY(stats);
    QCOMPARE(stats->rows[0].total_ns, 500000.0);
    QCOMPARE(stats->rows[0].time_ns, 125000.0);
    QCOMPARE(stats->rows[0].program, "");
  }
  void columns_in_order_of_preference_data() {
    QTest::addColumn<QString>("times");
    QTest::addColumn<QString>("row");
    QTest::addColumn<double>("time_ns");
    QTest::newRow("self before all") << "avg_time_us,total_self_time_us,avg_self_time_us"
                                     << "9,9,2" << 2000.0;
    QTest::newRow("total self before mean") << "avg_time,total_self_time"
                                            << "9,8" << 2000.0;
    QTest::newRow("mean before total") << "total_time,Average time"
                                       << "9,3" << 3000.0;
    QTest::newRow("total alone") << "Total time (ns)"
                                 << "10" << 2.5;
    QTest::newRow("picoseconds") << "avg_self_time_ps"
                                 << "10" << 0.01;
    QTest::newRow("per cent is no time") << "Total self time (%),avg_time"
                                         << "50,3" << 3000.0;
  }
  void columns_in_order_of_preference() {
    QFETCH(QString, times);
    QFETCH(QString, row);
    QFETCH(double, time_ns);
    const QString text = "hlo_op_name,occurrences," + times + "\na,4," + row + "\n";
    const auto stats = parse_hlo_stats(text.toStdString(), "s");
    QVERIFY(stats);
    QCOMPARE(stats->rows[0].time_ns, time_ns);
  }
  void errors_say_where_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const QString csv = "hlo_op_name,occurrences,avg_self_time\n";
    QTest::newRow("not a number") << csv + "a,1,2\nb,1,x\n"
                                  << "s:3:5: this is no number from 0 up: \"x\"";
    QTest::newRow("NaN") << csv + "a,1,NaN\n"
                         << "s:2:5: this is no number from 0 up: \"NaN\"";
    QTest::newRow("infinite") << csv + "a,1,inf\n"
                              << "s:2:5: this is no number from 0 up: \"inf\"";
    QTest::newRow("negative") << csv + "a,1,-2\n"
                              << "s:2:5: this is no number from 0 up: \"-2\"";
    QTest::newRow("huge") << csv + "a,1,1e300\n"
                          << "s:2:5: this is no number from 0 up: \"1e300\"";
    QTest::newRow("part of a count") << csv + "a,1.5,2\n"
                                     << "s:2:3: this is no whole number: 1.5";
    QTest::newRow("no name") << csv + ",1,2\n"
                             << "s:2:1: the name of the instruction is missing";
    QTest::newRow("short row") << csv + "a,1,2\nb,1\n"
                               << "s:3:1: this row has 2 fields, but the header has 3";
  }
  void errors_say_where() {
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(headline(text.toLatin1().toStdString()), expected);
  }
  void broken_files_are_refused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("only a header") << "hlo_op_name,occurrences,avg_self_time\n"
                                   << "s: the table has no row of an instruction that ran";
    QTest::newRow("broken JSON") << "{\"cols\":[],\n\"rows\":[}"
                                 << "s:2:9: the table is not valid JSON";
    QTest::newRow("other JSON") << "{\"a\":1}"
                                << "s: the JSON is no table: it has no \"cols\" and \"rows\"";
    QTest::newRow("empty array") << "[]"
                                 << "s: the JSON holds no table";
    QTest::newRow("rows of numbers") << R"({"cols":[],"rows":[3]})"
                                     << "s: row 1 has no list \"c\" of cells";
    QTest::newRow("empty") << ""
                           << "s:1:1: the file has no header line";
    QTest::newRow("cut gzip") << QString::fromLatin1("\x1f\x8b\x08")
                              << "s: this gzip file is damaged or cut off";
  }
  void broken_files_are_refused() { errors_say_where(); }
  void errors_say_the_row_of_json_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const QString json =
        R"({"cols":[{"id":"hlo_op_name","label":"HLO op name"},{"id":"occurrences"},)"
        R"json({"id":"avg_time","label":"Avg. time (us)"}],)json"
        R"("rows":[{"c":[{"v":"a"},{"v":1},{"v":2}]},)";
    QTest::newRow("JSON number") << json + R"({"c":[{"v":"b"},{"v":1},{"v":"-"}]}]})"
                                 << "s: row 2, Avg. time (us): this is no number from 0 up: \"-\"";
    QTest::newRow("JSON null") << json + R"({"c":[{"v":"b"},null,{"v":1}]}]})"
                               << "s: row 2, occurrences: this is no number from 0 up: \"\"";
    QTest::newRow("JSON short row") << json + R"({"c":[{"v":"b"},{"v":1}]}]})"
                                    << "s: row 2 has 2 cells, but there are 3 columns";
  }
  void errors_say_the_row_of_json() { errors_say_where(); }
  void missing_columns_are_named_with_those_found() {
    const auto stats = parse_hlo_stats("Step,Device time (us)\n1,2\n", "s.csv");
    QVERIFY(!stats);
    QCOMPARE(QString::fromStdString(stats.error().headline()),
             "s.csv: this is no table of HLO ops: looked for the columns hlo_op_name, occurrences, "
             "one of avg_self_time, total_self_time, avg_time, total_time");
    QVERIFY(stats.error().hint.starts_with("found the columns Step, Device time (us); "));
  }
  void tables_are_told_from_programs() {
    QVERIFY(looks_like_hlo_stats(kTable));
    QVERIFY(looks_like_hlo_stats("hlo_op_name,occurrences,avg_time\n"));
    QVERIFY(looks_like_hlo_stats("\xEF\xBB\xBFHLO op name,Occurrences,Avg. time (us)\r\n"));
    QVERIFY(!looks_like_hlo_stats("HloModule m\nENTRY e {\n}\n"));
    QVERIFY(!looks_like_hlo_stats("a,b,c\n1,2,3\n"));
    QVERIFY(!looks_like_hlo_stats("{\"a\":1}"));
    QVERIFY(!looks_like_hlo_stats(""));
  }
  void a_stopped_read_is_cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto stats = parse_hlo_stats(kTable, "s", Progress(stop.get_token()));
    QVERIFY(!stats);
    QCOMPARE(stats.error().code, ErrorCode::kCancelled);
  }
  void ops_of_a_profiled_training_run() {
    HLOSCOPE_NEEDS_SHARED();
    const auto stats = read_hlo_stats(hloscope::testing::shared_folder().toStdString() +
                                      "/measured/tpu_v5p_train_ops.csv");
    QVERIFY(stats);
    QCOMPARE(stats->rows.size(), size_t{180});
    // Read off the file with a text editor.
    const HloStat& first = stats->rows[0];
    QCOMPARE(first.program, "jit_train_step");
    QCOMPARE(first.name, "dynamic-update-slice.33");
    QCOMPARE(first.category, "dynamic-update-slice");
    QVERIFY(first.expression.starts_with("%dynamic-update-slice.33 = f32[16,7168,512]{2,0,1"));
    QCOMPARE(first.occurrences, int64_t{512});
    QCOMPARE(first.time_ns, 390708.735);
    QCOMPARE(stats->rows[3].name, "fusion.556");
    QCOMPARE(stats->rows[3].occurrences, int64_t{544});
    QCOMPARE(stats->rows[3].time_ns, 155229.435);
  }
};
HLOSCOPE_TEST(TestHloStats);

#include "test_hlo_stats.moc"
