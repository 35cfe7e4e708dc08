#include "core/hlo/read.h"
#include "db/measured.h"
#include "db/store.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;
using analysis::ModuleReport;
using graph::KernelId;

namespace {

// Kernels a, b, c; a and b are equal but for what the compiler expected.
constexpr const char* kThreeKernels = R"(HloModule three, is_scheduled=true
ENTRY main {
  p = f32[8,128]{1,0} parameter(0)
  a = f32[8,128]{1,0} negate(p), backend_config={"window_config":{"estimated_cycles":"2100"}}
  b = f32[8,128]{1,0} negate(a), backend_config={"window_config":{"estimated_cycles":"4200"}}
  ROOT c = f32[8,128]{1,0} add(b, b)
}
)";

std::shared_ptr<const ModuleReport> report() {
  const hlo::File file = HLOSCOPE_MUST(hlo::read_bytes(kThreeKernels, "text"));
  const sim::Machine machine = HLOSCOPE_MUST(sim::find_machine("tpu_v4"));
  return HLOSCOPE_MUST(analysis::analyse(file.modules.front(), "/data/x.hlo", 1, machine));
}

std::shared_ptr<const ModuleReport> measured_report(const std::string& device) {
  IndexedVector<KernelId, std::optional<double>> times(3);
  times[KernelId(0)] = 1500.0;
  times[KernelId(1)] = 1600.0;
  times[KernelId(2)] = 0.0;
  return analysis::with_measured(*report(), {"/data/stats.json", hash_of("stats"), device}, times);
}

}  // namespace

/// What is stored of the compiler's estimates and of files of measured times.
class TestStoreMeasured : public DatabaseTest {
  Q_OBJECT
 private slots:
  void estimates_of_the_compiler_are_a_run() {
    const StoredRuns runs = HLOSCOPE_MUST(store_report(*database_, *report()));
    QVERIFY(runs.compiler.valid());
    const RunInfo info = HLOSCOPE_MUST(Runs(*database_).get(runs.compiler));
    QCOMPARE(info.key.source_kind, std::string("compiler"));
    QVERIFY(time_source(info.key.source_kind) == analysis::TimeSource::kCompiler);
    // (2100 + 4200) / 1.05 GHz; the equal kernels have one row, with the time of the first.
    QCOMPARE(info.total_ns, 6000.0);
    QCOMPARE(info.kernel_count, int64_t{1});
    std::vector<double> times;
    bool has_tile = false;
    QVERIFY(Runs(*database_).each_time(runs.compiler, [&](const KernelTime& time) {
      times.push_back(time.time_ns);
      has_tile = has_tile || !time.tile.empty() || time.vmem_bytes;
      return true;
    }));
    QVERIFY(!has_tile);
    QCOMPARE(times, std::vector<double>{2000.0});
    QCOMPARE(HLOSCOPE_MUST(store_report(*database_, *report())), runs);
  }
  void a_program_without_them_has_two_runs() {
    ModuleReport without = *report();
    without.compiler_ns = {};
    const StoredRuns runs = HLOSCOPE_MUST(store_report(*database_, without));
    QVERIFY(!runs.compiler.valid());
    QCOMPARE(HLOSCOPE_MUST(list_runs(*database_)).size(), size_t{2});
  }
  void predicted_times_are_a_run_that_names_its_model() {
    analysis::PredictedTimes times;
    times.by.model = "tpu_v4_fusion";
    times.by.hash = hash_of("weights");
    for (const double time_ns : {700.0, 700.0, 900.0}) {
      times.of_kernels.push_back(analysis::PredictedTime{time_ns, time_ns, time_ns, false});
    }
    const auto plain = report();
    analysis::add_totals(plain->kernels, times);
    const auto predicted = analysis::with_predicted(*plain, times);
    const StoredRuns runs = HLOSCOPE_MUST(store_report(*database_, *predicted));
    QVERIFY(!HLOSCOPE_MUST(store_report(*database_, *plain)).predicted.valid());
    const RunInfo info = HLOSCOPE_MUST(Runs(*database_).get(runs.predicted));
    QVERIFY(time_source(info.key.source_kind) == analysis::TimeSource::kPredicted);
    QCOMPARE(info.key.settings,
             R"({"model":"tpu_v4_fusion","model_hash":")" + hash_of("weights").hex() + R"("})");
    QCOMPARE(info.total_ns, 2300.0);
    QCOMPARE(info.kernel_count, int64_t{2});
    QCOMPARE(HLOSCOPE_MUST(store_report(*database_, *predicted)), runs);
    times.by.hash = hash_of("other weights");
    const auto other = analysis::with_predicted(*plain, times);
    QVERIFY(HLOSCOPE_MUST(store_report(*database_, *other)).predicted != runs.predicted);
  }
  void times_of_a_file_are_stored_by_kernel_and_compared() {
    HLOSCOPE_MUST(store_report(*database_, *measured_report("TPU v4")));
    CompareQuery query;
    query.source_kinds = {"compiler"};
    const auto points = HLOSCOPE_MUST(compare_points(*database_, query));
    QCOMPARE(points.size(), size_t{2});  // Zero is no time.
    QCOMPARE(points[0].measured_ns, 1500.0);
    QCOMPARE(points[0].estimated_ns, 2000.0);
    QCOMPARE(points[1].measured_ns, 1600.0);
    for (const ComparePoint& point : points) {
      QCOMPARE(point.measured_file, std::string("/data/stats.json"));
      QCOMPARE(point.device, std::string("TPU v4"));
      QVERIFY(point.is_default);
    }
  }
  void a_device_that_is_stated_later_is_kept() {
    const auto device = [this](const std::string& stated) {
      const auto report = measured_report(stated);
      HLOSCOPE_MUST(store_report(*database_, *report));
      const Hash128 hash = measured_hash(report->module, report->measured_file->hash);
      return HLOSCOPE_MUST(Measured(*database_).find(hash))->device;
    };
    QCOMPARE(device(""), std::string(kDeviceNotStated));
    QCOMPARE(device("TPU v4"), std::string("TPU v4"));
    QCOMPARE(device(""), std::string("TPU v4"));
    QCOMPARE(HLOSCOPE_MUST(Measured(*database_).count()), int64_t{2});
  }
};
HLOSCOPE_TEST(TestStoreMeasured);

#include "test_store_measured.moc"
