#include "core/measured/op_hlo.h"

#include <set>

#include "tests/core/measured/one_kernel.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::measured;
using namespace hloscope::testing;

namespace {

OpRow row(const char* op, std::vector<int64_t> shape, const char* event) {
  return {op, std::move(shape), 0, 0, 0, "f16", event, 1};
}

OpRow matmul(int64_t m, int64_t n, int64_t k) {
  return {"matmul", {}, m, n, k, "f16", "fusion", 1};
}

}  // namespace

class TestOpHlo : public QObject {
  Q_OBJECT
 private slots:
  void elementwise_operators_are_one_kernel_data() {
    QTest::addColumn<QString>("result");
    for (const char* op : {"add", "sub", "mul", "div", "elu", "leaky_relu", "linear_activation",
                           "parametric_relu", "relu", "selu", "sigmoid", "tanh"}) {
      QTest::newRow(op) << "f16[64,384]{1,0:T(8,128)(2,1)}";
    }
    QTest::newRow("binary_step") << "f32[64,384]{1,0:T(8,128)}";
  }
  void elementwise_operators_are_one_kernel() {
    QFETCH(QString, result);
    const auto workload = build_op(row(QTest::currentDataTag(), {64, 384}, "event"));
    QVERIFY2(workload, workload ? "" : workload.error().format().c_str());
    QVERIFY2(wrong_kernel(*workload).isEmpty(), qPrintable(wrong_kernel(*workload)));
    QCOMPARE(workload->kernels.size(), size_t{1});
    QCOMPARE(QString::fromStdString(result_text(workload->kernels[0])), result);
  }
  void arrays_of_one_to_four_dimensions() {
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{32}, {7552}, {8, 8, 104}, {3, 5, 7, 9}}) {
      const auto workload = build_op(row("add", shape, "add"));
      QVERIFY2(workload, workload ? "" : workload.error().format().c_str());
      QVERIFY2(wrong_kernel(*workload).isEmpty(), qPrintable(wrong_kernel(*workload)));
    }
  }
  // 24 rows of 16 x 16 take 32 tiles with the 24 in lanes, else 48.
  void layout_that_pads_least() {
    const auto workload = build_op(row("relu", {24, 16, 16}, "broadcast_maximum_fusion"));
    QVERIFY(workload);
    QCOMPARE(result_text(workload->kernels[0]), "f16[24,16,16]{0,2,1:T(8,128)(2,1)}");
  }
  // Layouts as TPU v4's compiler gave them to the three programs of ../shared/corpus/hlo_proto.
  void matmul_layouts_and_work_data() {
    QTest::addColumn<QList<int>>("mnk");
    QTest::addColumn<QStringList>("arrays");
    const QString t = ":T(8,128)(2,1)}";
    QTest::newRow("matmul_linear_1")
        << QList<int>{1789, 3955, 3628}
        << QStringList{"f16[1789,3628]{0,1" + t, "f16[3628,3955]{1,0" + t,
                       "f16[1789,3955]{0,1" + t};
    QTest::newRow("matmul_linear_37")
        << QList<int>{1789, 3955, 1675}
        << QStringList{"f16[1789,1675]{0,1" + t, "f16[1675,3955]{1,0" + t,
                       "f16[1789,3955]{0,1" + t};
    QTest::newRow("matmul_linear_88")
        << QList<int>{4084, 2001, 2326}
        << QStringList{"f16[4084,2326]{0,1" + t, "f16[2326,2001]{1,0" + t,
                       "f16[4084,2001]{0,1" + t};
  }
  void matmul_layouts_and_work() {
    QFETCH(QList<int>, mnk);
    QFETCH(QStringList, arrays);
    const auto workload = build_op(matmul(mnk[0], mnk[1], mnk[2]));
    QVERIFY(workload);
    QVERIFY2(wrong_kernel(*workload).isEmpty(), qPrintable(wrong_kernel(*workload)));
    const TimedKernel& kernel = workload->kernels.front();
    QCOMPARE(flops(kernel), 2.0 * mnk[0] * mnk[1] * mnk[2]);
    QCOMPARE(QString::fromStdString(operand_text(kernel, 0)), arrays[0]);
    QCOMPARE(QString::fromStdString(operand_text(kernel, 1)), arrays[1]);
    QCOMPARE(QString::fromStdString(result_text(kernel)), arrays[2]);
  }
  void normalisations_and_pools_data() {
    QTest::addColumn<QString>("event");
    QTest::addColumn<QString>("result");
    QTest::newRow("batch_norm_inference") << "convert_multiply_fusion"
                                          << "f32[4,8,32,128]{3,2,1,0:T(8,128)}";
    QTest::newRow("layer_norm") << "a+b+c+d+e"
                                << "f32[4,256,128]{2,1,0:T(8,128)}";
    QTest::newRow("rms_norm") << "a+b+c"
                              << "f32[4,256,128]{2,1,0:T(8,128)}";
    QTest::newRow("avg_pool_2d") << "reduce-window+broadcast_multiply_fusion"
                                 << "f16[1,64,16,128]{3,2,1,0:T(8,128)(2,1)}";
    QTest::newRow("max_pool_2d") << "reduce-window"
                                 << "f16[1,64,16,128]{3,2,1,0:T(8,128)(2,1)}";
  }
  void normalisations_and_pools() {
    QFETCH(QString, event);
    QFETCH(QString, result);
    const QByteArray op = QTest::currentDataTag();
    const std::vector<int64_t> shape = op.endsWith("2d") ? std::vector<int64_t>{1, 64, 32, 256}
                                       : op.startsWith("batch")
                                           ? std::vector<int64_t>{4, 8, 32, 128}
                                           : std::vector<int64_t>{4, 256, 128};
    const auto workload = build_op(row(op, shape, event.toUtf8()));
    QVERIFY2(workload, workload ? "" : workload.error().format().c_str());
    QVERIFY2(wrong_kernel(*workload).isEmpty(), qPrintable(wrong_kernel(*workload)));
    QCOMPARE(workload->kernels.size(), static_cast<size_t>(event.count('+')) + 1);
    QCOMPARE(QString::fromStdString(result_text(workload->kernels.back())), result);
  }
  void pool_with_a_copy_before_it() {
    const auto workload = build_op(row("max_pool_2d", {1, 128, 128, 128}, "copy+reduce-window"));
    QVERIFY(workload);
    QCOMPARE(operand_text(workload->kernels[0], 0), "f16[1,128,128,128]{3,2,1,0:T(8,128)(2,1)}");
    QCOMPARE(result_text(workload->kernels[0]), "f16[1,128,128,128]{1,3,2,0:T(8,128)(2,1)}");
    QCOMPARE(operand_text(workload->kernels[1], 0), result_text(workload->kernels[0]));
  }
  void what_is_not_known() {
    QCOMPARE(build_op(row("gelu", {8}, "gelu")).error().code, ErrorCode::kUnsupported);
    QCOMPARE(build_op(row("relu", {8}, "a+b")).error().code, ErrorCode::kUnsupported);
    OpRow wide = row("relu", {8}, "relu");
    wide.dtype = "f32";
    QCOMPARE(build_op(wide).error().code, ErrorCode::kUnsupported);
    QCOMPARE(build_op(row("relu", {}, "relu")).error().code, ErrorCode::kInvalidInput);
    QCOMPARE(build_op(row("layer_norm", {8, 8}, "a")).error().code, ErrorCode::kInvalidInput);
    QCOMPARE(build_op(row("max_pool_2d", {1, 1, 1, 8}, "a")).error().code,
             ErrorCode::kInvalidInput);
    QCOMPARE(build_op(matmul(8, 0, 8)).error().code, ErrorCode::kInvalidInput);
  }
  void every_row_of_the_table() {
    HLOSCOPE_NEEDS_SHARED();
    const auto rows = read_op_rows((shared_folder() + "/measured/tpu_v4_ops.csv").toStdString());
    QVERIFY(rows);
    std::set<std::string> ops;
    int copies = 0;
    int predicted = 0;
    for (const OpRow& row : *rows) {
      const auto workload = build_op(row);
      QVERIFY2(workload, workload ? "" : workload.error().format().c_str());
      QVERIFY2(wrong_kernel(*workload).isEmpty(), qPrintable(wrong_kernel(*workload)));
      ops.insert(row.op);
      if (!row.op.ends_with("pool_2d")) continue;
      // The layouts say by themselves which rows have a copy.
      const bool has_copy = row.event.starts_with("copy");
      OpRow direct = row;
      if (!has_copy) direct.event = "copy+" + row.event;
      const auto copied = build_op(direct);
      QVERIFY(copied);
      copies += has_copy ? 1 : 0;
      const bool changes = operand_text(copied->kernels[0], 0) != result_text(copied->kernels[0]);
      predicted += changes == has_copy ? 1 : 0;
    }
    QCOMPARE(ops.size(), size_t{19});
    QCOMPARE(copies, 149);
    QCOMPARE(predicted, 356);
  }
};
HLOSCOPE_TEST(TestOpHlo);

#include "test_op_hlo.moc"
