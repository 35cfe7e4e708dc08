#include <array>

#include "core/analysis/analytical.h"
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
  // The model knows no tiles: within 15 % on average over the compiler's own choices of them.
  void analytical_times_of_default_tiles() {
    const auto machine = sim::find_machine("tpu_v3");
    QVERIFY(machine.has_value());
    std::vector<double> estimated, measured;
    for (const hlo::Module& module : sample().modules) {
      const hlo::MeasuredRun* run = analysis::reference_run(module);
      QVERIFY(run != nullptr && run->is_default);
      const graph::KernelList kernels = graph::kernels(*module.program);
      const auto cost = analysis::cost(*module.program, kernels);
      const auto times = analysis::analytical_times(*module.program, kernels, cost, *machine);
      estimated.push_back(times.raw().front().time_ns);
      measured.push_back(static_cast<double>(run->time_ns));
    }
    QVERIFY(analysis::mape(estimated, measured) < 0.15);
    QVERIFY(analysis::kendall_tau(estimated, measured) > 0.9);
  }
};

HLOSCOPE_TEST(TestMeasuredKernels);
#include "test_measured_kernels.moc"
