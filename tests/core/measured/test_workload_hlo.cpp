#include "core/measured/workload_hlo.h"
#include "tests/core/measured/one_kernel.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::measured;
using namespace hloscope::testing;

namespace {

WorkloadRow row(const char* kind, std::map<std::string, int64_t> params) {
  return {"test", kind, std::move(params), {}};
}

const WorkloadRow kGemm = row("gemm", {{"m", 256}, {"k", 512}, {"n", 1024}});
const WorkloadRow kConv = row("conv", {{"batch", 64},
                                       {"h", 28},
                                       {"w", 28},
                                       {"c_in", 128},
                                       {"c_out", 256},
                                       {"kernel", 3},
                                       {"stride", 1},
                                       {"pad", 1}});

}  // namespace

class TestWorkloadHlo : public QObject {
  Q_OBJECT
 private slots:
  void every_kind_is_kernels_one_by_one_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("kernels");
    QTest::addColumn<double>("executions");
    QTest::newRow("gemm") << "gemm" << 1 << 1.0;
    QTest::newRow("conv") << "conv" << 1 << 1.0;
    QTest::newRow("softmax") << "softmax" << 3 << 3.0;
    QTest::newRow("layernorm") << "layernorm" << 4 << 4.0;
    QTest::newRow("attention") << "attention" << 3 << 3.0;
    QTest::newRow("encoder_block") << "encoder_block" << 11 << 17.0;
  }
  void every_kind_is_kernels_one_by_one() {
    QFETCH(QString, kind);
    QFETCH(int, kernels);
    QFETCH(double, executions);
    WorkloadRow all = kConv;
    all.kind = kind.toStdString();
    for (const char* name : {"m", "k", "n", "rows", "cols", "features", "seq", "head_dim"}) {
      all.params[name] = 128;
    }
    all.params["heads"] = 4;
    all.params["hidden"] = 256;
    for (const StoredTypes types :
         {StoredTypes{}, StoredTypes{hlo::PrimitiveType::kF32, hlo::PrimitiveType::kF32},
          StoredTypes{hlo::PrimitiveType::kBf16, hlo::PrimitiveType::kBf16}}) {
      const auto workload = build_workload(all, types);
      QVERIFY2(workload, workload ? "" : workload.error().format().c_str());
      QVERIFY2(wrong_kernel(*workload).isEmpty(), qPrintable(wrong_kernel(*workload)));
      QCOMPARE(workload->kernels.size(), static_cast<size_t>(kernels));
      double runs = 0;
      for (const TimedKernel& kernel : workload->kernels) runs += kernel.executions;
      QCOMPARE(runs, executions);
      QVERIFY(!workload->assumptions.empty());
    }
  }
  void gemm_work_and_layout() {
    const auto workload = build_workload(kGemm);
    QVERIFY(workload);
    const TimedKernel& kernel = workload->kernels.front();
    QCOMPARE(flops(kernel), 2.0 * 256 * 512 * 1024);
    QCOMPARE(operand_text(kernel, 0), "f32[256,512]{1,0:T(8,128)}");
    QCOMPARE(operand_text(kernel, 1), "f32[512,1024]{1,0:T(8,128)}");
    QCOMPARE(result_text(kernel), "f32[256,1024]{1,0:T(8,128)}");
  }
  // 3 taps meet 28 real rows or columns 28 * 3 - 2 times: padding does no work.
  void convolution_work_and_layout() {
    const auto workload = build_workload(kConv);
    QVERIFY(workload);
    const TimedKernel& kernel = workload->kernels.front();
    QCOMPARE(flops(kernel), 2.0 * 64 * 82 * 82 * 128 * 256);
    QCOMPARE(operand_text(kernel, 0), "f32[64,28,28,128]{3,0,2,1:T(8,128)}");
    QCOMPARE(result_text(kernel), "f32[64,28,28,256]{3,0,2,1:T(8,128)}");
  }
  void attention_work_and_types() {
    const auto workload =
        build_workload(row("attention", {{"heads", 12}, {"seq", 512}, {"head_dim", 64}}));
    QVERIFY(workload);
    const double scores = 12.0 * 512 * 512;
    // Beside the product XLA counts the scale and the conversion as one each, and the division with
    // two conversions.
    QCOMPARE(flops(workload->kernels[0]), scores * (2 * 64 + 2));
    QCOMPARE(flops(workload->kernels[2]), scores * (2 * 64 + 3));
    QCOMPARE(result_text(workload->kernels[0]), "bf16[12,512,512]{2,1,0:T(8,128)(2,1)}");
    QCOMPARE(result_text(workload->kernels[1]),
             "(bf16[12,512,512]{2,1,0:T(8,128)(2,1)}, f32[12,512]{1,0:T(8,128)})");
    QCOMPARE(result_text(workload->kernels[2]), "f32[12,512,64]{2,1,0:T(8,128)}");
  }
  void models_are_not_supported() {
    const auto workload = build_workload(row("model", {{"resnet18", 1}}));
    QVERIFY(!workload);
    QCOMPARE(workload.error().code, ErrorCode::kUnsupported);
  }
  void bad_parameters_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("name");
    QTest::addColumn<qlonglong>("value");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing") << "gemm"
                             << "x" << 1LL << "workload test (gemm): the parameter m is missing";
    QTest::newRow("zero") << "gemm"
                          << "m" << 0LL << "workload test (gemm): the parameter m is out of range";
    QTest::newRow("huge") << "softmax"
                          << "rows" << (1LL << 40)
                          << "workload test (softmax): the parameter rows is out of range";
  }
  void bad_parameters() {
    QFETCH(QString, kind);
    QFETCH(QString, name);
    QFETCH(qlonglong, value);
    QFETCH(QString, message);
    const auto workload =
        build_workload(row(kind.toUtf8().constData(), {{name.toStdString(), value}}));
    QVERIFY(!workload);
    QCOMPARE(workload.error().code, ErrorCode::kInvalidInput);
    QCOMPARE(QString::fromStdString(workload.error().message), message);
    QVERIFY(!workload.error().hint.empty());
  }
  void kernel_larger_than_the_image() {
    WorkloadRow conv = kConv;
    conv.params["kernel"] = 31;
    const auto workload = build_workload(conv);
    QVERIFY(!workload);
    QCOMPARE(workload.error().code, ErrorCode::kInvalidInput);
  }
  void every_row_of_the_table_but_the_model() {
    HLOSCOPE_NEEDS_SHARED();
    const auto rows =
        read_workload_rows((shared_folder() + "/measured/tpu_v3_workloads.csv").toStdString());
    QVERIFY(rows);
    int built = 0;
    for (const WorkloadRow& row : *rows) {
      const auto workload = build_workload(row);
      if (row.kind == "model") {
        QVERIFY(!workload);
        continue;
      }
      QVERIFY2(workload, row.name.c_str());
      QVERIFY2(wrong_kernel(*workload).isEmpty(), qPrintable(wrong_kernel(*workload)));
      ++built;
    }
    QCOMPARE(built, 9);
  }
};
HLOSCOPE_TEST(TestWorkloadHlo);

#include "test_workload_hlo.moc"
