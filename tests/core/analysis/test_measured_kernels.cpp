#include <array>

#include "core/analysis/kernel_times.h"
#include "core/analysis/metrics.h"
#include "core/analysis/report.h"
#include "tests/support/test_registry.h"

using namespace hloscope;

namespace {

// The TPU v3 kernels of samples/tpu_v3_tiles.pb. FLOPs, transcendentals and bytes: XLA's
// HloCostAnalysis (jaxlib 0.10.2). Padded bytes: by hand from the tiles, e.g. fusion.232 reads
// 26 x 26 x 32 x 256 x 4 and 26 x 32 x 256 x 4 bytes and writes 256 x 4.
struct Expected {
  const char* name;
  double flops;
  double transcendentals;
  double bytes;
  double padded;
};
constexpr std::array<Expected, 8> kExpected = {{
    {"fusion.232", 20766528, 0, 17253120, 22151168 + 851968 + 1024},
    {"fusion.191", 5468700672, 0, 8259072, 2359296 + 2654208 + 2048 + 294912 + 3538944},
    {"fusion.261", 270790144, 32000, 33551748,
     2 * 1000 * 4096 * 4 + 1024 + 131072 + 524288 + 32 * 1024 * 4 + 3 * 1024},
    {"fusion.209", 263118336, 32000, 17446272,
     131072 + 1000 * 4096 * 4 + 32 * 1024 * 4 + 3 * 1024 + 524288 + 16384 + 262144},
    {"copy.24", 0, 0, 819200, 25 * 32 * 256 * 2 + 32 * 5 * 8 * 256 * 2},
    {"fusion.181", 131072, 131072, 131072, 131072},
    {"fusion.250", 8192, 0, 49156, 3 * 16384 + 1024},
    {"reshape.39", 0, 0, 1638400, 32 * 6400 * 4 + 32 * 5 * 8 * 256 * 4},
}};

const hlo::File& sample() {
  static const auto file = hlo::read_file(HLOSCOPE_SOURCE_DIR "/samples/tpu_v3_tiles.pb");
  if (!file) qFatal("%s", file.error().format().c_str());
  return *file;
}

}  // namespace

class TestMeasuredKernels : public QObject {
  Q_OBJECT
 private slots:
  void costs_as_xla_and_padding_by_hand() {
    QCOMPARE(sample().modules.size(), kExpected.size());
    for (size_t i = 0; i < kExpected.size(); ++i) {
      const Expected& expected = kExpected[i];
      const hlo::Program& program = *sample().modules[i].program;
      const auto cost = analysis::cost(program, graph::kernels(program));
      QCOMPARE(program.name(), std::string_view(expected.name));
      QCOMPARE(cost.kernels.size(), size_t{1});
      for (const analysis::Cost& c : {cost.total, cost.kernels.raw().front(), cost.weighted}) {
        QCOMPARE(c.flops, expected.flops);
        QCOMPARE(c.transcendentals, expected.transcendentals);
        QCOMPARE(c.bytes_accessed, expected.bytes);
        QCOMPARE(c.padded_bytes, expected.padded);
      }
    }
  }
  // At the tile that the compiler chose: simulated within 8 % on average.
  void simulated_times_of_default_tiles() {
    const auto machine = sim::find_machine("tpu_v3");
    QVERIFY(machine.has_value());
    const sim::Rates rates(*machine);
    std::vector<double> simulated, measured;
    for (const hlo::Module& module : sample().modules) {
      const hlo::MeasuredRun* run = analysis::reference_run(module);
      QVERIFY(run != nullptr && run->is_default);
      if (run->output_bounds.empty()) continue;
      const hlo::Program& program = *module.program;
      const sim::KernelModel model = sim::kernel_model(program, program[program.entry()].root);
      const auto bounds = sim::loop_bounds(model, {run->output_bounds, run->kernel_bounds});
      QVERIFY2(bounds.has_value(), bounds ? "" : bounds.error().format().c_str());
      simulated.push_back(sim::simulate(model, *bounds, rates).time_ns);
      measured.push_back(static_cast<double>(run->time_ns));
    }
    QCOMPARE(measured.size(), size_t{7});
    const double mape = analysis::mape(simulated, measured);
    QVERIFY2(mape < 0.08, qPrintable(QString::number(mape)));
    QVERIFY(analysis::kendall_tau(simulated, measured) > 0.9);
  }
  // At the tile that the analytical model chooses, which is not the compiler's: within 15 %.
  void times_of_chosen_tiles() {
    const auto machine = sim::find_machine("tpu_v3");
    QVERIFY(machine.has_value());
    std::vector<double> simulated, analytical, measured;
    for (const hlo::Module& module : sample().modules) {
      const graph::KernelList kernels = graph::kernels(*module.program);
      const auto times = analysis::kernel_times(*module.program, kernels, *machine);
      QVERIFY(times.has_value());
      simulated.push_back(times->simulated.raw().front().time_ns);
      analytical.push_back(times->analytical.raw().front().time_ns);
      measured.push_back(static_cast<double>(analysis::reference_run(module)->time_ns));
    }
    for (const std::vector<double>& times : {simulated, analytical}) {
      const double mape = analysis::mape(times, measured);
      QVERIFY2(mape < 0.15, qPrintable(QString::number(mape)));
      QVERIFY(analysis::kendall_tau(times, measured) > 0.9);
    }
  }
};

HLOSCOPE_TEST(TestMeasuredKernels);
#include "test_measured_kernels.moc"
