#include "core/accuracy/tile_accuracy.h"

#include <fmt/format.h>

#include "core/sim/machine.h"
#include "tests/core/accuracy/sample_tiles.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::testing;
using accuracy::TimeModel;

namespace {

sim::Rates rates_v3() {
  return sim::Rates(*sim::find_machine("tpu_v3"));
}

accuracy::TileAccuracy result(const accuracy::TileSamples& samples, TimeModel model) {
  return accuracy::tile_accuracy(samples, *accuracy::predict(samples, rates_v3(), model));
}

hlo::Module small_module(const char* name, const char* shape, int64_t time_ns) {
  const std::string text = fmt::format(
      "HloModule {}, is_scheduled=true\nENTRY e {{\n  p = {} parameter(0)\n"
      "  ROOT c = {} copy(p)\n}}\n",
      name, shape, shape);
  hlo::Module module;
  module.program = *hlo::parse_program(text);
  hlo::MeasuredRun run;
  run.time_ns = time_ns;
  module.runs = {run};
  return module;
}

constexpr auto kSmall = "f32[64,256]{1,0:T(8,128)}";
constexpr auto kLarge = "f32[128,512]{1,0:T(8,128)}";

}  // namespace

class TestTiles : public QObject {
  Q_OBJECT
 private slots:
  // Measured on a TPU v3, TpuGraphs; the errors are those of the model's first fit in Python, which
  // shares no code with this one (4.3 and 4.8 %, mean tau 0.88).
  void simulator_on_the_samples() {
    const auto samples = sample_tiles();
    QCOMPARE(samples.samples.size(), size_t{689});
    QCOMPARE(samples.rows_without_bounds, size_t{2});
    QVERIFY(samples.invalid.empty());
    QCOMPARE(accuracy::beyond_vmem(samples, rates_v3()), size_t{0});
    const auto all = result(samples, TimeModel::kSimulator);
    QCOMPARE(all.n, size_t{689});
    QCOMPARE(all.kernels.size(), size_t{7});
    QVERIFY2(all.mape < 0.05, qPrintable(QString::number(all.mape)));
    QVERIFY2(all.kernel_mean_mape < 0.06, qPrintable(QString::number(all.kernel_mean_mape)));
    QVERIFY(all.kendall_tau && *all.kendall_tau > 0.85);
    QVERIFY(all.top1_slowdown && *all.top1_slowdown < 0.05);
    QVERIFY(all.top5_slowdown && *all.top5_slowdown < 0.01);
  }
  void analytical_model_is_worse() {
    const auto samples = sample_tiles();
    const auto simulated = result(samples, TimeModel::kSimulator);
    const auto analytical = result(samples, TimeModel::kAnalytical);
    QVERIFY(analytical.mape > simulated.mape);
    QVERIFY(analytical.mape < 0.15);
    QVERIFY(*analytical.kendall_tau < *simulated.kendall_tau);
  }
  void totals_are_means() {
    const auto samples = sample_tiles({"fusion.209", "copy.24", "fusion.250"});
    std::vector<double> times;
    for (const accuracy::TileSample& sample : samples.samples) {
      const double wrong_by = samples.kernels[sample.kernel].module_name == "copy.24" ? 1.5 : 0.9;
      times.push_back(sample.measured_ns * wrong_by);
    }
    const auto all = accuracy::tile_accuracy(samples, times);
    // 16 rows of fusion.209, 10 of copy.24, 2 of fusion.250.
    QVERIFY(near(all.mape, (16 * 0.1 + 10 * 0.5 + 2 * 0.1) / 28, 1e-12));
    QVERIFY(near(all.kernel_mean_mape, (0.1 + 0.5 + 0.1) / 3, 1e-12));
    QVERIFY(near(*all.kendall_tau, 1, 1e-12));
    QVERIFY(near(*all.top1_slowdown, 0, 1e-12));
  }
  void rows_that_take_no_part_are_told() {
    const std::vector<hlo::Module> modules = {small_module("a", kSmall, 100)};
    const std::vector<measured::TileRow> rows = {
        {"a", 0, {8, 2}, {}, 100, true},  {"a", 1, {}, {}, 100, false},
        {"b", 2, {8, 2}, {}, 100, false}, {"a", 3, {9, 2}, {}, 100, false},
        {"a", 4, {8}, {}, 100, false},    {"a", 5, {4, 1}, {}, 50, false}};
    const auto samples = accuracy::join_tiles(rows, modules);
    QCOMPARE(samples.samples.size(), size_t{2});
    QCOMPARE(samples.samples[1].row, 5U);
    QCOMPARE(samples.samples[1].measured_ns, 50.0);
    QCOMPARE(samples.rows_without_bounds, size_t{1});
    QCOMPARE(samples.invalid.size(), size_t{3});
    QCOMPARE(samples.invalid[0].module_name, "b");
    QVERIFY(samples.invalid[0].message.find("no module") != std::string::npos);
    QCOMPARE(samples.invalid[1].run_index, 3U);
    QVERIFY(samples.invalid[1].message.find("1 to 8") != std::string::npos);
    QCOMPARE(samples.invalid[2].run_index, 4U);
  }
  void modules_of_one_name_are_told_apart_by_their_runs() {
    const std::vector<hlo::Module> modules = {small_module("a", kSmall, 100),
                                              small_module("a", kLarge, 300)};
    const std::vector<measured::TileRow> rows = {{"a", 0, {16, 4}, {}, 300, true},
                                                 {"a", 0, {8, 2}, {}, 100, true},
                                                 {"a", 0, {8, 2}, {}, 101, true}};
    const auto samples = accuracy::join_tiles(rows, modules);
    QCOMPARE(samples.samples.size(), size_t{2});
    QCOMPARE(samples.kernels[0].module_name, "a#2");
    QCOMPARE(samples.kernels[1].module_name, "a#1");
    QCOMPARE(samples.invalid.size(), size_t{1});
    QVERIFY(samples.invalid[0].message.find("2 modules") != std::string::npos);
  }
  void a_module_of_several_kernels_is_no_kernel() {
    hlo::Module module;
    module.program = *hlo::parse_program(R"(HloModule two, is_scheduled=true
ENTRY e {
  p = f32[64,256] parameter(0)
  a = f32[64,256] negate(p)
  b = f32[64,256] exponential(p)
  ROOT t = (f32[64,256], f32[64,256]) tuple(a, b)
})");
    const std::vector<measured::TileRow> rows = {{"two", 0, {8, 2}, {}, 100, true}};
    const auto samples = accuracy::join_tiles(rows, std::span(&module, 1));
    QVERIFY(samples.samples.empty());
    QVERIFY(samples.invalid[0].message.find("2 kernels") != std::string::npos);
  }
  void stops_when_asked() {
    std::stop_source stop;
    stop.request_stop();
    const auto times = accuracy::predict(sample_tiles({"copy.24"}), rates_v3(),
                                         TimeModel::kSimulator, Progress(stop.get_token()));
    QVERIFY(!times && times.error().code == ErrorCode::kCancelled);
  }
};

HLOSCOPE_TEST(TestTiles);
#include "test_tiles.moc"
