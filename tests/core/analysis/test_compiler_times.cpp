#include <fmt/format.h>

#include "core/analysis/compare.h"
#include "core/analysis/compiler_times.h"
#include "core/analysis/kernel_table.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::analysis;

namespace {

constexpr const char* kTwoKernels = R"(HloModule two, is_scheduled=true
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  a = f32[8,128]{1,0} add(p, p), backend_config={"window_config":{"estimated_cycles":"2100"}}
  ROOT n = f32[8,128]{1,0} negate(a), backend_config="not JSON: estimated_cycles"
}
)";

constexpr const char* kNoEstimate = R"(HloModule none, is_scheduled=true
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  ROOT n = f32[8,128]{1,0} negate(p)
}
)";

std::shared_ptr<const ModuleReport> report_of(const hlo::Module& module, const char* machine) {
  return *analyse(module, "m.hlo", 1, *sim::find_machine(machine));
}

std::shared_ptr<const ModuleReport> report_of(const char* text, const char* machine) {
  return report_of(hlo::read_bytes(text, "m.hlo")->modules.front(), machine);
}

bool has_column(const std::shared_ptr<const ModuleReport>& report, const char* key) {
  return KernelTable(report).has_column(*column_by_key(key));
}

}  // namespace

class TestCompilerTimes : public QObject {
  Q_OBJECT
 private slots:
  void cycles_of_a_backend_config_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<double>("cycles");  // 0: none.
    const auto window = [](const char* value) {
      return QString(R"({"flag_configs":[],"window_config":{"estimated_cycles":%1}})")
          .arg(QString::fromUtf8(value));
    };
    QTest::newRow("text") << window("\"254103\"") << 254103.0;
    QTest::newRow("number") << window("2120") << 2120.0;
    QTest::newRow("over 32 bits") << window("\"27402272000\"") << 27402272000.0;
    QTest::newRow("zero") << window("\"0\"") << 0.0;
    QTest::newRow("negative") << window("\"-1\"") << 0.0;
    QTest::newRow("largest int64 means unknown") << window("\"9223372036854775807\"") << 0.0;
    QTest::newRow("over int64") << window("\"9223372036854775808\"") << 0.0;
    QTest::newRow("over int64 as a number") << window("18446744073709551615") << 0.0;
    QTest::newRow("fraction") << window("12.5") << 0.0;
    QTest::newRow("no digits") << window("\"12x\"") << 0.0;
    QTest::newRow("empty") << window("\"\"") << 0.0;
    QTest::newRow("null") << window("null") << 0.0;
    QTest::newRow("no window") << R"({"estimated_cycles":"12"})" << 0.0;
    QTest::newRow("window is text") << R"({"window_config":"estimated_cycles"})" << 0.0;
    QTest::newRow("cut off") << "{\"window_config\":{\"estimated_cycles\":\"25" << 0.0;
    QTest::newRow("a list") << R"(["window_config","estimated_cycles"])" << 0.0;
    QTest::newRow("other text") << "estimated_cycles=12" << 0.0;
    QTest::newRow("nothing") << "" << 0.0;
  }
  void cycles_of_a_backend_config() {
    QFETCH(QString, config);
    QFETCH(double, cycles);
    QCOMPARE(estimated_cycles(config.toStdString()).value_or(0), cycles);
  }
  void times_are_cycles_at_the_clock_of_the_machine() {
    // 2100 cycles at 1.05 GHz are 2 us, at 0.7 GHz 3 us.
    const auto v4 = report_of(kTwoKernels, "tpu_v4");
    QCOMPARE(v4->compiler_ns.size(), size_t{2});
    QCOMPARE(*v4->compiler_ns[graph::KernelId(0)], 2000.0);
    QVERIFY(!v4->compiler_ns[graph::KernelId(1)]);
    QCOMPARE(v4->compiler_total_ns, 2000.0);
    QCOMPARE(*time_ns(*report_of(kTwoKernels, "tpu_v2"), TimeSource::kCompiler, graph::KernelId(0)),
             2100 / 0.7);
    QVERIFY(info(TimeSource::kCompiler).is_estimate);
  }
  void a_program_without_has_no_place_for_it() {
    const auto with = report_of(kTwoKernels, "tpu_v4");
    const auto without = report_of(kNoEstimate, "tpu_v4");
    QVERIFY(without->compiler_ns.empty());
    for (const char* key : {"compiler", "compiler_err"}) {
      QVERIFY(has_column(with, key));
      QVERIFY(!has_column(without, key));
    }
    for (const char* key : {"measured", "simulated", "analytical", "err", "tile"}) {
      QVERIFY(has_column(without, key));
    }
  }
  void error_and_filter_use_it() {
    const auto plain = report_of(kTwoKernels, "tpu_v4");
    IndexedVector<graph::KernelId, std::optional<double>> measured(2);
    measured[graph::KernelId(0)] = 2500.0;
    const auto report = with_measured(*plain, {"stats.json", {}, "TPU v4"}, measured);
    const KernelTable table(report);
    QCOMPARE(table.number(0, *column_by_key("compiler_err")), -0.2);
    const auto query = KernelQuery::parse("compiler>1.9 compiler_err>15");
    QVERIFY(query);
    QCOMPARE(table.filtered(*query), std::vector<uint32_t>{0});
    const auto points = compare_points(*report, MeasuredChoice::kReference);
    QCOMPARE(points.size(), size_t{1});
    QCOMPARE(points[0].estimate_ns(TimeSource::kCompiler), 2000.0);
    QVERIFY(has_place(points, TimeSource::kCompiler));
    QVERIFY(export_points(points, TableFormat::kCsv).find("compiler_ns,compiler_error\n") !=
            std::string::npos);
  }
  void exported_points_leave_it_out_where_no_point_has_it() {
    const auto plain = report_of(kNoEstimate, "tpu_v4");
    IndexedVector<graph::KernelId, std::optional<double>> measured(1);
    measured[graph::KernelId(0)] = 2500.0;
    const auto points =
        compare_points(*with_measured(*plain, {}, measured), MeasuredChoice::kReference);
    QCOMPARE(points.size(), size_t{1});
    QVERIFY(!has_place(points, TimeSource::kCompiler));
    QVERIFY(export_points(points, TableFormat::kCsv).find("compiler") == std::string::npos);
  }
  void measured_times_of_a_file_survive_another_analysis() {
    const auto plain = report_of(kTwoKernels, "tpu_v4");
    IndexedVector<graph::KernelId, std::optional<double>> measured(2);
    measured[graph::KernelId(1)] = 700.0;
    const auto old = with_measured(*plain, {"stats.json", {}, ""}, measured);
    const auto again = keep_measured(*old, report_of(kTwoKernels, "tpu_v5e"));
    QCOMPARE(again->machine.id, "tpu_v5e");
    QCOMPARE(again->measured_file->file_path, "stats.json");
    QCOMPARE(*again->measured_ns[graph::KernelId(1)], 700.0);
    // Other kernels, or no file: the report as it is.
    QVERIFY(!keep_measured(*old, report_of(kNoEstimate, "tpu_v4"))->measured_file);
    QVERIFY(!keep_measured(*plain, report_of(kTwoKernels, "tpu_v4"))->measured_file);
  }
  void matmuls_of_a_tpu_v4_data() {
    QTest::addColumn<int>("number");
    QTest::addColumn<double>("cycles");
    // As `strings` shows them in the files.
    QTest::newRow("1") << 1 << 254103.0;
    QTest::newRow("37") << 37 << 125776.0;
    QTest::newRow("88") << 88 << 226505.0;
  }
  void matmuls_of_a_tpu_v4() {
    HLOSCOPE_NEEDS_SHARED();
    QFETCH(int, number);
    QFETCH(double, cycles);
    const auto file =
        hlo::read_file(fmt::format("{}/corpus/hlo_proto/matmul_linear_{}.hlo_proto.pb",
                                   hloscope::testing::shared_folder().toStdString(), number));
    QVERIFY(file);
    const auto report = report_of(file->modules.front(), "tpu_v4");
    // The copy-start has no estimate, the matmul has.
    QCOMPARE(report->compiler_ns.size(), size_t{2});
    QVERIFY(!report->compiler_ns[graph::KernelId(0)]);
    QCOMPARE(*report->compiler_ns[graph::KernelId(1)], cycles / 1.05);
    // Both cores of the chip share the work; more than their peak is not possible.
    const double flops_per_s =
        report->cost.kernels[graph::KernelId(1)].flops / (report->compiler_total_ns * 1e-9);
    const double peak = 2 * report->machine["peak_bf16_flops_per_s"];
    QVERIFY(flops_per_s > 0.6 * peak && flops_per_s < 0.8 * peak);
  }
};
HLOSCOPE_TEST(TestCompilerTimes);

#include "test_compiler_times.moc"
