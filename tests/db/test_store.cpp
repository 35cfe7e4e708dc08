#include "db/store.h"

#include <QFileInfo>

#include "core/hlo/read.h"
#include "db/measured.h"
#include "db/run_kernels.h"
#include "db/sqlite/connection.h"
#include "tests/db/fixtures.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;
using analysis::ModuleReport;

namespace {

// Two fusions that are equal but for their names, and a reduction.
constexpr const char* kTwoAdds = R"(HloModule two_adds, is_scheduled=true

add_a {
  x = f32[8,128]{1,0} parameter(0)
  ROOT r = f32[8,128]{1,0} add(x, x)
}

add_b {
  y = f32[8,128]{1,0} parameter(0)
  ROOT s = f32[8,128]{1,0} add(y, y)
}

sum {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT t = f32[] add(p, q)
}

ENTRY main {
  arg = f32[8,128]{1,0} parameter(0)
  first = f32[8,128]{1,0} fusion(arg), kind=kLoop, calls=add_a
  second = f32[8,128]{1,0} fusion(first), kind=kLoop, calls=add_b
  zero = f32[] constant(0)
  ROOT total = f32[8]{0} reduce(second, zero), dimensions={1}, to_apply=sum
}
)";

constexpr const char* kTileProgram = R"(HloModule tile, is_scheduled=true

double {
  x = f32[16,128]{1,0} parameter(0)
  ROOT r = f32[16,128]{1,0} add(x, x)
}

ENTRY main {
  arg = f32[16,128]{1,0} parameter(0)
  ROOT out = f32[16,128]{1,0} fusion(arg), kind=kLoop, calls=double
}
)";

hlo::Module module_of(const char* text) {
  hlo::File file = HLOSCOPE_MUST(hlo::read_bytes(text, "text"));
  return file.modules.front();
}

std::shared_ptr<const ModuleReport> report_of(const hlo::Module& module,
                                              const std::string& path = "/data/x.hlo",
                                              const char* machine_id = "tpu_v3") {
  const sim::Machine machine = HLOSCOPE_MUST(sim::find_machine(machine_id));
  return HLOSCOPE_MUST(analysis::analyse(module, path, 1, machine));
}

// The same kernel three times, at two tiles.
constexpr const char* kStatedTiles = R"(HloModule stated, is_scheduled=true
ENTRY main {
  a = f32[64,128]{1,0} parameter(0)
  x = f32[64,128]{1,0} negate(a), frontend_attributes={hloscope_tile="out=1x1"}
  y = f32[64,128]{1,0} negate(x), frontend_attributes={hloscope_tile="out=8x1"}
  ROOT z = f32[64,128]{1,0} negate(y), frontend_attributes={hloscope_tile="out=1x1"}
}
)";

hlo::Module tile_module() {
  hlo::Module module = module_of(kTileProgram);
  module.runs.resize(3);
  for (uint32_t i = 0; i < 3; ++i) {
    module.runs[i].run_index = i;
    module.runs[i].output_bounds = {8 * (i + 1), 128};
    module.runs[i].time_ns = 3000 - 500 * static_cast<int64_t>(i);
  }
  module.runs[1].is_default = true;
  module.runs[2].failed = true;
  return module;
}

int64_t count(Database& database, const std::string& table) {
  return HLOSCOPE_MUST(database.connection().integer("SELECT count(*) FROM " + table));
}

}  // namespace

/// Whole reports, as the front ends store them.
class TestStore : public DatabaseTest {
  Q_OBJECT
 private slots:
  void equal_kernels_at_several_tiles_have_their_mean_time() {
    const auto report = report_of(module_of(kStatedTiles));
    QCOMPARE(report->kernels.distinct.size(), size_t{2});
    const StoredRuns ids = HLOSCOPE_MUST(store_report(*database_, *report));
    const double small_ns = report->times.simulated[graph::KernelId(0U)].time_ns;
    const double large_ns = report->times.simulated[graph::KernelId(1U)].time_ns;
    QVERIFY(small_ns != large_ns);
    QCOMPARE(report->simulated_total_ns, 2 * small_ns + large_ns);
    const RunInfo run = HLOSCOPE_MUST(Runs(*database_).get(ids.simulated));
    QCOMPARE(run.kernel_count, int64_t{1});
    QCOMPARE(run.total_ns, report->simulated_total_ns);
    const auto kernels = HLOSCOPE_MUST(run_kernels(*database_, ids.simulated));
    QCOMPARE(kernels.size(), size_t{1});
    QCOMPARE(kernels[0].executions, 3.0);
    QCOMPARE(kernels[0].first->time_ns * 3, run.total_ns);
    QVERIFY(kernels[0].first->tile.empty());
    // The same again is the same run.
    QVERIFY(HLOSCOPE_MUST(store_report(*database_, *report)).simulated == ids.simulated);
  }

  void a_report_becomes_a_program_its_kernels_and_two_runs() {
    const auto report = report_of(module_of(kTwoAdds));
    const StoredRuns ids = HLOSCOPE_MUST(store_report(*database_, *report));
    for (const RunId id : {ids.simulated, ids.analytical}) {
      const RunInfo run = HLOSCOPE_MUST(Runs(*database_).get(id));
      const bool is_simulated = id == ids.simulated;
      QVERIFY(run.state == RunState::kFinished);
      QCOMPARE(run.program_name, std::string("two_adds"));
      QCOMPARE(run.key.source_kind, std::string(is_simulated ? "simulator" : "analytical"));
      QCOMPARE(run.key.machine_id, std::string("tpu_v3"));
      QVERIFY(run.key.machine_hash == report->machine.hash);
      QVERIFY(!run.key.tool_version.empty());
      QCOMPARE(run.total_ns,
               is_simulated ? report->simulated_total_ns : report->analytical_total_ns);
      QCOMPARE(run.kernel_count, int64_t{2});  // The two fusions are one kernel.
    }
    QCOMPARE(count(*database_, "runs"), int64_t{2});
    const auto programs = HLOSCOPE_MUST(list_programs(*database_));
    QCOMPARE(programs.size(), size_t{1});
    QVERIFY(programs[0].content_hash == report->module.content_hash);
    QCOMPARE(programs[0].instruction_count, int64_t{12});
    QCOMPARE(programs[0].computation_count, int64_t{4});
    QCOMPARE(programs[0].kernel_count, int64_t{3});
    QCOMPARE(count(*database_, "measured_runs"), int64_t{0});
  }

  void kernels_carry_their_words_and_times() {
    const auto report = report_of(module_of(kTwoAdds));
    HLOSCOPE_OK(store_report(*database_, *report));
    const auto places = HLOSCOPE_MUST(Programs(*database_).kernels({1}));
    QCOMPARE(places.size(), size_t{3});
    QCOMPARE(places[0].instruction_name, std::string("first"));
    QCOMPARE(places[2].instruction_name, std::string("total"));
    QVERIFY(places[0].kernel == places[1].kernel);
    const graph::KernelId first(0U);
    const graph::Kernel& kernel = report->kernels.kernels[first];
    const auto info = HLOSCOPE_MUST(Kernels(*database_).find(kernel.hash));
    QVERIFY(info.has_value());
    QVERIFY(info->id == places[0].kernel);
    QCOMPARE(info->opcode, std::string("fusion"));
    QCOMPARE(info->op_class, std::string("elementwise"));
    QCOMPARE(info->shape, std::string("f32[8,128]{1,0}"));
    QCOMPARE(info->label, analysis::kernel_label(*report->module.program, kernel));
    QVERIFY(info->hlo_text.find("add(x, x)") != std::string::npos);
    QVERIFY(info->hlo_text.find("calls=add_a") != std::string::npos);
  }

  void times_carry_bound_tile_and_vmem() {
    const auto report = report_of(module_of(kTwoAdds));
    const StoredRuns ids = HLOSCOPE_MUST(store_report(*database_, *report));
    const graph::KernelId first(0U);
    const KernelRow kernel = HLOSCOPE_MUST(Programs(*database_).kernels({1}))[0].kernel;
    const analysis::TileChoice& choice = report->times.tiles[report->kernels.distinct_of[first]];
    const std::pair<RunId, analysis::ModelTime> runs[] = {
        {ids.simulated, report->times.simulated[first]},
        {ids.analytical, report->times.analytical[first]}};
    for (const auto& [id, time] : runs) {
      int rows = 0;
      HLOSCOPE_OK(Runs(*database_).each_time(id, [&](const KernelTime& stored) {
        if (stored.kernel != kernel) return true;
        const bool same = stored.time_ns == time.time_ns && stored.compute_ns == time.compute_ns &&
                          stored.memory_ns == time.memory_ns &&
                          stored.bound == analysis::name(time.bound);
        // 8 x 128 elements of f32 are one register tile: nothing is left to cut.
        if (same && stored.tile == "out=1x1" && stored.vmem_bytes == choice.footprint_bytes) ++rows;
        return true;
      }));
      QCOMPARE(rows, 1);
    }
  }

  void the_same_report_again_is_the_same_run() {
    const auto report = report_of(module_of(kTwoAdds));
    const StoredRuns first = HLOSCOPE_MUST(store_report(*database_, *report));
    QVERIFY(HLOSCOPE_MUST(store_report(*database_, *report)) == first);
    const auto moved = report_of(module_of(kTwoAdds), "/elsewhere/y.hlo");
    QVERIFY(HLOSCOPE_MUST(store_report(*database_, *moved)) == first);
    QCOMPARE(count(*database_, "runs"), int64_t{2});
    QCOMPARE(count(*database_, "kernel_times"), int64_t{4});
    QCOMPARE(count(*database_, "program_kernels"), int64_t{3});
    QCOMPARE(HLOSCOPE_MUST(list_programs(*database_))[0].file_path,
             std::string("/elsewhere/y.hlo"));
  }

  void another_machine_or_another_time_is_another_run() {
    const hlo::Module module = module_of(kTwoAdds);
    const StoredRuns first = HLOSCOPE_MUST(store_report(*database_, *report_of(module)));
    const auto v4 = report_of(module, "/data/x.hlo", "tpu_v4");
    const StoredRuns on_v4 = HLOSCOPE_MUST(store_report(*database_, *v4));
    QVERIFY(on_v4.simulated != first.simulated && on_v4.analytical != first.analytical);
    ModuleReport slower = *report_of(module);
    slower.times.simulated[graph::KernelId(0U)].time_ns *= 1.25;
    const StoredRuns simulated_anew = HLOSCOPE_MUST(store_report(*database_, slower));
    QVERIFY(simulated_anew.simulated != first.simulated);
    QVERIFY(simulated_anew.analytical == first.analytical);
    slower.times.tiles[0].tile.output = {2, 1};
    const StoredRuns other_tile = HLOSCOPE_MUST(store_report(*database_, slower));
    QVERIFY(other_tile.simulated != simulated_anew.simulated);
    QVERIFY(other_tile.analytical != first.analytical);
    QCOMPARE(count(*database_, "runs"), int64_t{7});
    QCOMPARE(count(*database_, "programs"), int64_t{1});
    QCOMPARE(count(*database_, "kernels"), int64_t{2});
  }

  void tile_times_are_stored_once_and_compared() {
    const auto report = report_of(tile_module(), "/data/tiles.pb");
    HLOSCOPE_OK(store_report(*database_, *report));
    HLOSCOPE_OK(store_report(*database_, *report));
    QCOMPARE(count(*database_, "measured_sources"), int64_t{1});
    QCOMPARE(count(*database_, "measured_runs"), int64_t{3});
    const auto points = HLOSCOPE_MUST(compare_points(*database_, {}));
    QCOMPARE(points.size(), size_t{2});  // One measured time beside two estimates.
    QCOMPARE(points[0].measured_ns, 2500.0);
    QCOMPARE(points[1].measured_ns, 2500.0);
    QCOMPARE(points[0].bounds, std::string("out=16x128"));
    QVERIFY(points[0].is_default);
    QCOMPARE(points[0].source_kind, std::string("analytical"));
    QCOMPARE(points[0].estimated_ns, report->analytical_total_ns);
    QCOMPARE(points[1].source_kind, std::string("simulator"));
    QCOMPARE(points[1].estimated_ns, report->simulated_total_ns);
    QCOMPARE(points[0].instruction_name, std::string("out"));
    QCOMPARE(points[0].measured_file, std::string("/data/tiles.pb"));
    QCOMPARE(points[0].device, std::string("not stated in the file"));
    CompareQuery query;
    query.all_configurations = true;  // The failed run has no time.
    QCOMPARE(HLOSCOPE_MUST(compare_points(*database_, query)).size(), size_t{4});
    query.source_kinds = {std::string(kSimulator)};
    QCOMPARE(HLOSCOPE_MUST(compare_points(*database_, query)).size(), size_t{2});
  }

  void layout_times_belong_to_the_whole_program() {
    hlo::Module module = module_of(kTwoAdds);
    module.runs.resize(2);
    module.runs[0].time_ns = 90'000;
    module.runs[1].time_ns = 80'000;
    module.runs[1].run_index = 1;
    module.runs[0].layout_hash = module.runs[1].layout_hash = ~uint64_t{0};
    const auto report = report_of(module);
    HLOSCOPE_OK(store_report(*database_, *report));
    QVERIFY(HLOSCOPE_MUST(compare_points(*database_, {})).empty());
    CompareQuery query;
    query.whole_programs = true;
    const auto points = HLOSCOPE_MUST(compare_points(*database_, query));
    QCOMPARE(points.size(), size_t{2});
    QCOMPARE(points[0].measured_ns, 80'000.0);  // No default: the fastest.
    QCOMPARE(points[0].estimated_ns, report->analytical_total_ns);
    QCOMPARE(points[1].estimated_ns, report->simulated_total_ns);
  }

  void runs_of_own_fusion_are_kept_apart() {
    hlo::Module module = module_of(R"(HloModule chain
ENTRY main {
  a = f32[8,128]{1,0} parameter(0)
  t = f32[8,128]{1,0} tanh(a)
  ROOT n = f32[8,128]{1,0} negate(t)
}
)");
    module.runs.resize(1);
    module.runs[0].time_ns = 9'000;
    module.runs[0].layout_hash = 1;
    const auto machine = HLOSCOPE_MUST(sim::find_machine("tpu_v3"));
    const auto fused = HLOSCOPE_MUST(analysis::analyse(
        HLOSCOPE_MUST(analysis::shown_module(module, analysis::KernelChoice::kOwnFusion)), "c.pb",
        1, machine));
    const auto raw = HLOSCOPE_MUST(analysis::analyse(module, "c.pb", 1, machine));
    const StoredRuns of_fused = HLOSCOPE_MUST(store_report(*database_, *fused));
    const StoredRuns of_raw = HLOSCOPE_MUST(store_report(*database_, *raw));
    QCOMPARE(count(*database_, "programs"), int64_t{1});
    QCOMPARE(count(*database_, "runs"), int64_t{4});
    const auto run = HLOSCOPE_MUST(Runs(*database_).get(of_fused.simulated));
    QCOMPARE(run.key.settings, std::string(R"({"kernels":"own fusion"})"));
    QCOMPARE(run.kernel_count, int64_t{1});
    QCOMPARE(run.total_ns, fused->simulated_total_ns);
    QCOMPARE(HLOSCOPE_MUST(Runs(*database_).get(of_raw.simulated)).key.settings, std::string("{}"));
    QCOMPARE(HLOSCOPE_MUST(Programs(*database_).kernels({1})).size(), size_t{2});  // Shown last.
    QVERIFY(HLOSCOPE_MUST(store_report(*database_, *fused)) == of_fused);
    QCOMPARE(HLOSCOPE_MUST(Programs(*database_).kernels({1})).size(), size_t{1});
    // The measured program is compared with the kernels of own fusion, though raw ones came later.
    CompareQuery query;
    query.whole_programs = true;
    query.source_kinds = {std::string(kSimulator)};
    const auto points = HLOSCOPE_MUST(compare_points(*database_, query));
    QCOMPARE(points.size(), size_t{1});
    QCOMPARE(points[0].measured_ns, 9'000.0);
    QCOMPARE(points[0].estimated_ns, fused->simulated_total_ns);
    QVERIFY(fused->simulated_total_ns != raw->simulated_total_ns);
  }

  void a_failure_on_the_way_stores_nothing() {
    hlo::Module module = tile_module();
    module.runs[1].run_index = 0;  // Twice the same place can't be stored.
    QVERIFY(!store_report(*database_, *report_of(module)));
    for (const char* table : {"programs", "kernels", "runs", "kernel_times", "measured_sources"}) {
      QCOMPARE(count(*database_, table), int64_t{0});
    }
    QVERIFY(!database_->connection().in_transaction());
  }

  void a_read_only_file_takes_no_report() {
    Database reader = HLOSCOPE_MUST(Database::open(folder_->path(), OpenMode::kReadOnly));
    const auto stored = store_report(reader, *report_of(module_of(kTwoAdds)));
    QVERIFY(!stored);
    QVERIFY(stored.error().code == ErrorCode::kReadOnly);
  }

  void real_tile_files_are_stored_whole() {
    HLOSCOPE_NEEDS_SHARED();
    const QString path = hloscope::testing::shared_folder() + "/corpus/tpu_v3/tile_tuning_dev.pb";
    if (!QFileInfo::exists(path)) QSKIP("needs the TPU v3 tile file");
    const hlo::File file = HLOSCOPE_MUST(hlo::read_file(path.toStdString()));
    const sim::Machine machine = HLOSCOPE_MUST(sim::find_machine("tpu_v3"));
    size_t runs = 0;
    for (size_t i = 0; i < file.modules.size(); ++i) {
      const auto report = HLOSCOPE_MUST(
          analysis::analyse(file.modules[i], file.path, static_cast<int>(i + 1), machine));
      HLOSCOPE_OK(store_report(*database_, *report));
      runs += file.modules[i].runs.size();
    }
    QCOMPARE(count(*database_, "measured_runs"), static_cast<int64_t>(runs));
    QCOMPARE(HLOSCOPE_MUST(compare_points(*database_, {})).size(), 2 * file.modules.size());
  }
};

HLOSCOPE_TEST(TestStore);
#include "test_store.moc"
