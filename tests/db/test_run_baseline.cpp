#include "db/run_baseline.h"

#include "core/analysis/kernel_table.h"
#include "db/store.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

constexpr const char* kTwice = R"(HloModule twice, is_scheduled=true
ENTRY main {
  p0 = f32[8,128]{1,0} parameter(0)
  sine.1 = f32[8,128]{1,0} sine(p0)
  sine.2 = f32[8,128]{1,0} sine(sine.1)
  ROOT copy.1 = f32[8,128]{0,1} copy(sine.2)
}
)";

std::shared_ptr<const analysis::ModuleReport> on(const char* machine) {
  hlo::Module module;
  module.program = *hlo::parse_program(kTwice);
  module.content_hash = hash_of(kTwice);
  return *analysis::analyse(module, "twice.hlo", 1, *sim::find_machine(machine));
}

}  // namespace

/// Stored runs as baselines.
class TestRunBaseline : public DatabaseTest {
  Q_OBJECT
 private slots:
  void every_place_of_a_kernel_is_found() {
    const auto before = on("tpu_v3");
    const StoredRuns runs = HLOSCOPE_MUST(store_report(*database_, *before));
    const auto baseline = HLOSCOPE_MUST(run_baseline(*database_, runs.simulated));
    QCOMPARE(baseline->label(), "run " + std::to_string(runs.simulated.value) + ", TPU v3");
    const auto now = on("tpu_v4");
    const analysis::KernelTable table(now, baseline);
    const auto delta = *analysis::column_by_key("dsim");
    for (uint32_t k = 0; k < 3; ++k) {
      const double before_ns = before->times.simulated[graph::KernelId(k)].time_ns;
      const double now_ns = now->times.simulated[graph::KernelId(k)].time_ns;
      QVERIFY(before_ns != now_ns);
      QCOMPARE(table.number(k, delta), (now_ns - before_ns) / before_ns);
    }
    const std::vector<uint32_t> all{0, 1, 2};
    QCOMPARE(table.totals(all).delta[static_cast<size_t>(analysis::TimeSource::kSimulated)],
             (now->simulated_total_ns - before->simulated_total_ns) / before->simulated_total_ns);
    // A run has the times of one source.
    QVERIFY(!table.has_column(*analysis::column_by_key("dana")));
  }
  void its_name_stands_in_the_label() {
    const StoredRuns runs = HLOSCOPE_MUST(store_report(*database_, *on("tpu_v3")));
    (void)HLOSCOPE_MUST(Runs(*database_).rename(runs.analytical, "before fix"));
    const auto baseline = HLOSCOPE_MUST(run_baseline(*database_, runs.analytical));
    QCOMPARE(baseline->label(),
             "before fix (run " + std::to_string(runs.analytical.value) + ", TPU v3)");
  }
  void kernels_that_the_program_was_shown_without_since_are_found_by_hash() {
    const ProgramRow program = add_program(*database_, "p");
    const KernelRow kernel = add_kernel(*database_, "a");
    const RunId run = add_run(*database_, key_of(program), {kernel});
    HLOSCOPE_OK(
        Programs(*database_).set_kernels(program, {{add_kernel(*database_, "b"), "b.1", 1}}));
    const auto baseline = HLOSCOPE_MUST(run_baseline(*database_, run));
    auto report = std::make_shared<analysis::ModuleReport>(*on("tpu_v3"));
    report->kernels.kernels[graph::KernelId(1)].hash = hash_of("a");
    // add_run() gives its first kernel 1 µs.
    QCOMPARE(*baseline->time_ns(*report, analysis::TimeSource::kAnalytical, graph::KernelId(1)),
             1000.0);
    QVERIFY(!baseline->time_ns(*report, analysis::TimeSource::kAnalytical, graph::KernelId(0)));
  }
  void what_has_no_times_says_so() {
    QCOMPARE(run_baseline(*database_, {99}).error().code, ErrorCode::kNotFound);
    const RunId running =
        HLOSCOPE_MUST(Runs(*database_).start(key_of(add_program(*database_, "p"))));
    const auto refused = run_baseline(*database_, running);
    QCOMPARE(refused.error().code, ErrorCode::kInvalidInput);
    QVERIFY(refused.error().message.find("it is running") != std::string::npos);
  }
};

HLOSCOPE_TEST(TestRunBaseline);
#include "test_run_baseline.moc"
