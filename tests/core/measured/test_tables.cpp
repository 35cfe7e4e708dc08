#include "core/measured/tables.h"
#include "tests/core/measured/table_file.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::measured;
using namespace hloscope::testing;

namespace {

std::string shared_table(const char* name) {
  return (shared_folder() + "/measured/" + name).toStdString();
}

template <typename Rows>
QString headline(const Rows& rows) {
  return rows ? "no error" : QString::fromStdString(rows.error().headline()).section('/', -1);
}

}  // namespace

class TestTables : public QObject {
  Q_OBJECT
 private slots:
  void columns_are_found_by_name() {
    const TableFile file(
        "extra,time_ns,is_default,kernel_bounds,output_bounds,run_index,module_name\n"
        "?,57188,1,,2x26x4x2,7,fusion.232\n");
    const auto rows = read_tile_rows(file.path());
    QVERIFY(rows);
    QCOMPARE(rows->size(), size_t{1});
    const TileRow& row = rows->front();
    QCOMPARE(row.module_name, "fusion.232");
    QCOMPARE(row.run_index, 7U);
    QCOMPARE(row.output_bounds, (std::vector<int64_t>{2, 26, 4, 2}));
    QVERIFY(row.kernel_bounds.empty());
    QCOMPARE(row.time_ns, 57188.0);
    QVERIFY(row.is_default);
  }
  void workload_parameters() {
    const TableFile file(
        "workload,kind,params,tpuv3_us\na,gemm,m=256 k=1 n=3,3.299\nb,model,resnet18,\n");
    const auto rows = read_workload_rows(file.path());
    QVERIFY(rows);
    QCOMPARE((*rows)[0].params, (std::map<std::string, int64_t>{{"k", 1}, {"m", 256}, {"n", 3}}));
    QCOMPARE(*(*rows)[0].time_us, 3.299);
    QCOMPARE((*rows)[1].params.count("resnet18"), size_t{1});
    QVERIFY(!(*rows)[1].time_us);
  }
  void missing_column_lists_the_columns() {
    const TableFile file("op,shape,m,n,dtype,event,min_us\n");
    const auto rows = read_op_rows(file.path());
    QCOMPARE(headline(rows), "table.csv:1:1: there is no column \"k\"");
    QCOMPARE(QString::fromStdString(rows.error().hint),
             "the columns are: op, shape, m, n, dtype, event, min_us");
  }
  void bad_numbers_are_told_with_their_place_data() {
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("message");
    QTest::newRow("time") << "m,0,1,1,fast,0"
                          << "2:9: time_ns is no number above zero: \"fast\"";
    QTest::newRow("zero") << "m,0,1,1,0,0"
                          << "2:9: time_ns is no number above zero: \"0\"";
    QTest::newRow("infinite") << "m,0,1,1,inf,0"
                              << "2:9: time_ns is no number above zero: \"inf\"";
    QTest::newRow("run") << "m,-1,1,1,5,0"
                         << "2:3: run_index is no whole number: \"-1\"";
    QTest::newRow("large run") << "m,4294967296,1,1,5,0"
                               << "2:3: run_index is too large";
    QTest::newRow("bounds") << "m,0,1x?,1,5,0"
                            << "2:5: output_bounds is no list of sizes: \"1x?\"";
    QTest::newRow("flag") << "m,0,1,1,5,yes"
                          << "2:11: is_default is \"yes\"";
  }
  void bad_numbers_are_told_with_their_place() {
    QFETCH(QString, row);
    QFETCH(QString, message);
    const TableFile file("module_name,run_index,output_bounds,kernel_bounds,time_ns,is_default\n" +
                         row.toStdString());
    const auto rows = read_tile_rows(file.path());
    QCOMPARE(headline(rows), "table.csv:" + message);
    QVERIFY(!rows.error().hint.empty());
  }
  void bad_parameters() {
    const TableFile file("workload,kind,params,tpuv3_us\na,gemm,m=256 k=,3\n");
    QCOMPARE(headline(read_workload_rows(file.path())),
             "table.csv:2:8: params holds no number: \"k=\"");
  }
  void absent_file() {
    const auto rows = read_op_rows("/nowhere/ops.csv");
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, ErrorCode::kNotFound);
  }
  // The numbers of rows are those of the tables' own descriptions (../shared/measured/*.md).
  void real_tables() {
    HLOSCOPE_NEEDS_SHARED();
    const auto tiles = read_tile_rows(shared_table("tpu_v3_tiles.csv"));
    QVERIFY2(tiles, qPrintable(headline(tiles)));
    QCOMPARE(tiles->size(), size_t{691});
    QCOMPARE(std::ranges::count(*tiles, "fusion.191", &TileRow::module_name), 579);
    const auto workloads = read_workload_rows(shared_table("tpu_v3_workloads.csv"));
    QVERIFY2(workloads, qPrintable(headline(workloads)));
    QCOMPARE(workloads->size(), size_t{10});
    const auto ops = read_op_rows(shared_table("tpu_v4_ops.csv"));
    QVERIFY2(ops, qPrintable(headline(ops)));
    QCOMPARE(ops->size(), size_t{3284});
    QCOMPARE(std::ranges::count(*ops, "matmul", &OpRow::op), 796);
  }
};
HLOSCOPE_TEST(TestTables);

#include "test_tables.moc"
