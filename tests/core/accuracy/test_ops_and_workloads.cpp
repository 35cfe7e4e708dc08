#include <cmath>

#include "core/accuracy/op_accuracy.h"
#include "core/accuracy/workload_accuracy.h"
#include "core/sim/machine.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using accuracy::TimeModel;
using measured::OpRow;
using measured::WorkloadRow;

namespace {

OpRow op(const char* name, std::vector<int64_t> shape, const char* event, double min_us) {
  OpRow row;
  row.op = name;
  row.shape = std::move(shape);
  row.dtype = "f16";
  row.event = event;
  row.min_us = min_us;
  return row;
}

sim::Rates rates(const char* machine) {
  return sim::Rates(*sim::find_machine(machine));
}

const std::vector<WorkloadRow> kWorkloads = {
    {"g", "gemm", {{"m", 256}, {"k", 256}, {"n", 256}}, 3.299},
    {"s", "softmax", {{"rows", 512}, {"cols", 512}}, 13.726},
    {"r", "model", {{"resnet18", 1}}, 898.43},
    {"untimed", "gemm", {{"m", 256}, {"k", 256}, {"n", 256}}, {}}};

}  // namespace

class TestOpsAndWorkloads : public QObject {
  Q_OBJECT
 private slots:
  void classes() {
    for (const char* name : {"add", "div", "tanh", "parametric_relu", "binary_step"}) {
      QCOMPARE(accuracy::op_class(name), "elementwise");
    }
    QCOMPARE(accuracy::op_class("matmul"), "matmul");
    QCOMPARE(accuracy::op_class("layer_norm"), "layer_norm");
    QCOMPARE(accuracy::op_class("rms_norm"), "rms_norm");
    QCOMPARE(accuracy::op_class("batch_norm_inference"), "batch_norm");
    QCOMPARE(accuracy::op_class("avg_pool_2d"), "avg_pool");
    QCOMPARE(accuracy::op_class("max_pool_2d"), "max_pool");
  }
  void equal_kernels_are_timed_once() {
    const std::vector<OpRow> rows = {
        op("add", {64, 128}, "add", 1), op("add", {64, 128}, "add", 2),
        op("tanh", {64, 128}, "tanh", 1), op("fft", {64, 128}, "fft", 1),
        op("layer_norm", {1, 128, 512},
           "convert_reduce_fusion+fusion+fusion+fusion+divide_convert_fusion", 5)};
    const auto result = accuracy::op_accuracy(rows, rates("tpu_v4"), TimeModel::kSimulator);
    QVERIFY(result);
    QCOMPARE(result->rows.size(), size_t{4});
    QCOMPARE(result->skipped.size(), size_t{1});
    QCOMPARE(result->skipped[0].row, 3U);
    QVERIFY(!result->skipped[0].reason.empty());
    QCOMPARE(result->distinct_kernels, size_t{7});
    QCOMPARE(result->rows[0].time_ns, result->rows[1].time_ns);
    QCOMPARE(result->rows[0].measured_ns, 1000.0);
    QCOMPARE(result->rows[3].row, 4U);
    QCOMPARE(result->classes.size(), size_t{2});
    QCOMPARE(result->classes[0].op_class, "elementwise");
    QCOMPARE(result->classes[0].errors.n, size_t{3});
    QCOMPARE(result->total.n, size_t{4});
  }
  void workload_times_are_sums_of_kernels() {
    const auto result =
        accuracy::workload_accuracy(kWorkloads, rates("tpu_v3"), TimeModel::kSimulator);
    QVERIFY(result);
    QCOMPARE(result->rows.size(), size_t{2});
    for (const accuracy::WorkloadAccuracy& row : result->rows) {
      double sum = 0;
      for (const accuracy::WorkloadKernel& kernel : row.kernels) {
        sum += kernel.time_ns * kernel.executions;
        QVERIFY(!kernel.tile.output.empty());
      }
      QCOMPARE(row.time_ns, sum);
      QCOMPARE(row.error, row.time_ns / row.measured_ns - 1);
      QVERIFY(!row.assumptions.empty());
    }
    QCOMPARE(result->rows[1].kernels.size(), size_t{3});
    QCOMPARE(*result->gemm_conv_attention_mape, std::abs(result->rows[0].error));
    QCOMPARE(*result->mape,
             (std::abs(result->rows[0].error) + std::abs(result->rows[1].error)) / 2);
  }
  void what_is_skipped_has_a_reason() {
    const auto result =
        accuracy::workload_accuracy(kWorkloads, rates("tpu_v3"), TimeModel::kSimulator);
    QCOMPARE(result->skipped.size(), size_t{2});
    QCOMPARE(result->skipped[0].name, "r");
    QVERIFY(result->skipped[0].reason.find("model") != std::string::npos);
    QVERIFY(result->skipped[1].reason.find("no measured time") != std::string::npos);
    const auto none = accuracy::workload_accuracy({}, rates("tpu_v3"), TimeModel::kSimulator);
    QVERIFY(!none->mape && !none->gemm_conv_attention_mape);
  }
  void models_differ() {
    const auto simulated =
        accuracy::workload_accuracy(kWorkloads, rates("tpu_v3"), TimeModel::kSimulator);
    const auto analytical =
        accuracy::workload_accuracy(kWorkloads, rates("tpu_v3"), TimeModel::kAnalytical);
    QVERIFY(simulated->rows[1].time_ns != analytical->rows[1].time_ns);
  }
  // Published measurements of a TPU v3 and a TPU v4.
  void shared_tables() {
    HLOSCOPE_NEEDS_SHARED();
    const std::string folder = testing::shared_folder().toStdString() + "/measured/";
    const auto workloads = measured::read_workload_rows(folder + "tpu_v3_workloads.csv");
    const auto result =
        accuracy::workload_accuracy(*workloads, rates("tpu_v3"), TimeModel::kSimulator);
    QCOMPARE(result->rows.size(), size_t{9});
    QVERIFY2(*result->gemm_conv_attention_mape < 0.15,
             qPrintable(QString::number(*result->gemm_conv_attention_mape)));
    const auto ops = measured::read_op_rows(folder + "tpu_v4_ops.csv");
    const auto chip = sim::Rates::chip(*sim::find_machine("tpu_v4"));
    const auto errors = accuracy::op_accuracy(*ops, chip, TimeModel::kSimulator);
    QCOMPARE(errors->total.n, size_t{3284});
    QVERIFY(errors->skipped.empty());
    QCOMPARE(errors->classes.size(), size_t{7});
    QVERIFY2(errors->total.median < 0.1, qPrintable(QString::number(errors->total.median)));
  }
  void stops_when_asked() {
    std::stop_source stop;
    stop.request_stop();
    const Progress progress(stop.get_token());
    const auto workloads =
        accuracy::workload_accuracy(kWorkloads, rates("tpu_v3"), TimeModel::kSimulator, progress);
    QVERIFY(!workloads && workloads.error().code == ErrorCode::kCancelled);
    const std::vector<OpRow> rows = {op("add", {64, 128}, "add", 1)};
    const auto ops = accuracy::op_accuracy(rows, rates("tpu_v4"), TimeModel::kSimulator, progress);
    QVERIFY(!ops && ops.error().code == ErrorCode::kCancelled);
  }
};

HLOSCOPE_TEST(TestOpsAndWorkloads);
#include "test_ops_and_workloads.moc"
