#include <optional>

#include "db/compare.h"
#include "db/measured.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

hlo::MeasuredRun tile_run(uint32_t index, int64_t time_ns, std::vector<int64_t> out) {
  hlo::MeasuredRun run;
  run.run_index = index;
  run.time_ns = time_ns;
  run.output_bounds = std::move(out);
  return run;
}

MeasuredTime time_of(KernelRow kernel, uint32_t index, std::optional<double> time_ns) {
  MeasuredTime time;
  time.kernel = kernel;
  time.run_index = index;
  time.time_ns = time_ns;
  time.bounds = "out=" + std::to_string(index);
  return time;
}

MeasuredSource source_of(ProgramRow program, const std::string& name) {
  MeasuredSource source;
  source.hash = hash_of(name);
  source.file_path = "/data/" + name;
  source.program = program;
  return source;
}

}  // namespace

/// Measured times, and their comparison with computed ones.
class TestMeasured : public DatabaseTest {
  Q_OBJECT
 private slots:
  void bounds_are_written_as_the_command_line_takes_them() {
    hlo::MeasuredRun run = tile_run(0, 1, {12, 4, 4, 3});
    run.kernel_bounds = {3, 1, 24, 3};
    QCOMPARE(bounds_text(run), std::string("out=12x4x4x3,kernel=3x1x24x3"));
    run.input_bounds = {7};
    run.iteration_bounds = {1, 2};
    QCOMPARE(bounds_text(run), std::string("out=12x4x4x3,kernel=3x1x24x3,in=7,iterations=1x2"));
    QCOMPARE(bounds_text({}), std::string());
  }

  void the_hash_of_a_source_depends_on_its_times() {
    hlo::Module module;
    module.content_hash = hash_of("m");
    module.runs = {tile_run(0, 100, {8, 128})};
    const Hash128 hash = measured_hash(module);
    QVERIFY(measured_hash(module) == hash);
    module.runs[0].time_ns = 101;
    QVERIFY(measured_hash(module) != hash);
    module.runs[0] = tile_run(0, 100, {16, 128});
    QVERIFY(measured_hash(module) != hash);
    module.runs = {tile_run(0, 100, {8, 128})};
    module.content_hash = hash_of("other");
    QVERIFY(measured_hash(module) != hash);
  }

  void times_are_read_back() {
    Measured measured(*database_);
    const ProgramRow program = add_program(*database_, "p");
    std::vector<MeasuredTime> times = {time_of(add_kernel(*database_, "a"), 0, 1500),
                                       time_of({}, 1, std::nullopt)};
    times[0].is_default = times[0].is_reference = true;
    times[1].layout_hash = 0xfedcba9876543210ULL;
    const auto row = HLOSCOPE_MUST(measured.put(source_of(program, "s"), times));
    const auto source = HLOSCOPE_MUST(measured.find(hash_of("s")));
    QVERIFY(source.has_value());
    QVERIFY(source->id == row && source->program == program);
    QCOMPARE(source->file_path, std::string("/data/s"));
    QCOMPARE(source->device, std::string("not stated in the file"));
    std::vector<MeasuredTime> read;
    HLOSCOPE_OK(measured.each_time(row, [&read](const MeasuredTime& time) {
      read.push_back(time);
      return true;
    }));
    QCOMPARE(read.size(), size_t{2});
    QVERIFY(read[0].kernel == times[0].kernel && read[0].is_default && read[0].is_reference);
    QVERIFY(read[0].time_ns == 1500.0);
    QCOMPARE(read[0].bounds, std::string("out=0"));
    QVERIFY(!read[1].kernel.valid() && !read[1].is_default && !read[1].time_ns);
    QCOMPARE(read[1].layout_hash, uint64_t{0xfedcba9876543210ULL});
  }

  void the_same_times_are_stored_once_under_the_new_name() {
    Measured measured(*database_);
    const ProgramRow program = add_program(*database_, "p");
    const std::vector<MeasuredTime> times = {time_of(add_kernel(*database_, "a"), 0, 1500)};
    MeasuredSource source = source_of(program, "s");
    const auto row = HLOSCOPE_MUST(measured.put(source, times));
    source.file_path = "/moved/s";
    QVERIFY(HLOSCOPE_MUST(measured.put(source, times)) == row);
    QCOMPARE(HLOSCOPE_MUST(measured.count()), int64_t{1});
    QCOMPARE(HLOSCOPE_MUST(measured.find(source.hash))->file_path, std::string("/moved/s"));
  }

  void kernels_are_compared_over_all_programs() {
    const KernelRow a = add_kernel(*database_, "a");
    const KernelRow b = add_kernel(*database_, "b");
    for (const char* name : {"q", "p"}) {
      const ProgramRow program = add_program(*database_, name);
      HLOSCOPE_OK(Programs(*database_).set_kernels(program, {{a, "x", 1}, {b, "y", 1}}));
      add_runs(program, {a, b});
      std::vector<MeasuredTime> times = {time_of(b, 0, 2200), time_of(b, 1, 1800),
                                         time_of(b, 2, std::nullopt)};
      times[1].is_reference = times[1].is_default = true;
      HLOSCOPE_OK(Measured(*database_).put(source_of(program, name), times));
    }
    CompareQuery query;
    query.machine_id = "tpu_v3";
    const auto points = HLOSCOPE_MUST(compare_points(*database_, query));
    QCOMPARE(points.size(), size_t{2});
    const ComparePoint& point = points[0];
    QCOMPARE(point.program_name, std::string("p"));
    QCOMPARE(points[1].program_name, std::string("q"));
    QVERIFY(point.kernel_hash == hash_of("b") && point.measured_source == hash_of("p"));
    QCOMPARE(point.label, std::string("b"));
    QCOMPARE(point.op_class, std::string("elementwise"));
    QCOMPARE(point.instruction_name, std::string("y"));
    QCOMPARE(point.source_kind, std::string("analytical"));
    QCOMPARE(point.estimated_ns, 2000.0);  // Second kernel of add_run().
    QCOMPARE(point.measured_ns, 1800.0);
    QCOMPARE(point.bounds, std::string("out=1"));
    QVERIFY(point.is_default && !point.is_whole_program);
    QCOMPARE(point.measured_file, std::string("/data/p"));
    QCOMPARE(point.device, std::string("not stated in the file"));

    query.all_configurations = true;
    QCOMPARE(HLOSCOPE_MUST(compare_points(*database_, query)).size(), size_t{4});
    query.limit = 3;
    QCOMPARE(HLOSCOPE_MUST(compare_points(*database_, query)).size(), size_t{3});
  }

  void estimates_are_of_the_newest_run_of_the_asked_machine_and_kind() {
    const KernelRow a = add_kernel(*database_, "a");
    const ProgramRow program = add_program(*database_, "p");
    std::vector<MeasuredTime> times = {time_of(a, 0, 500)};
    times[0].is_reference = true;
    HLOSCOPE_OK(Measured(*database_).put(source_of(program, "p"), times));
    RunKey key = key_of(program);
    static_cast<void>(add_run(*database_, key, {a}));
    // Newest of its key: `a` comes second, so 2000 ns.
    static_cast<void>(add_run(*database_, key, {add_kernel(*database_, "z"), a}));
    HLOSCOPE_OK(Runs(*database_).start(key));  // Unfinished: does not count.
    key.source_kind = "simulated";
    static_cast<void>(add_run(*database_, key, {a}));
    key.machine_id = "tpu_v4";
    static_cast<void>(add_run(*database_, key, {a}));

    CompareQuery query;
    query.machine_id = "tpu_v3";
    auto points = HLOSCOPE_MUST(compare_points(*database_, query));
    QCOMPARE(points.size(), size_t{1});
    QCOMPARE(points[0].estimated_ns, 2000.0);
    query.source_kinds = {"analytical", "simulated"};
    points = HLOSCOPE_MUST(compare_points(*database_, query));
    QCOMPARE(points.size(), size_t{2});
    QCOMPARE(points[1].source_kind, std::string("simulated"));
    QCOMPARE(points[1].estimated_ns, 1000.0);
    query.machine_id = "tpu_v5e";
    QVERIFY(HLOSCOPE_MUST(compare_points(*database_, query)).empty());
    query.machine_id.clear();
    query.source_kinds = {"no\"such\\kind"};
    QVERIFY(HLOSCOPE_MUST(compare_points(*database_, query)).empty());
  }

  void whole_programs_are_compared_by_their_totals() {
    const KernelRow a = add_kernel(*database_, "a");
    const ProgramRow program = add_program(*database_, "p");
    std::vector<MeasuredTime> times = {time_of({}, 0, 4000), time_of({}, 1, 5000)};
    times[0].is_reference = true;
    HLOSCOPE_OK(Measured(*database_).put(source_of(program, "p"), times));
    static_cast<void>(add_run(*database_, key_of(program), {a, add_kernel(*database_, "b")}));
    CompareQuery query;
    QVERIFY(HLOSCOPE_MUST(compare_points(*database_, query)).empty());
    query.whole_programs = true;
    const auto points = HLOSCOPE_MUST(compare_points(*database_, query));
    QCOMPARE(points.size(), size_t{1});
    QVERIFY(points[0].is_whole_program);
    QCOMPARE(points[0].estimated_ns, 3000.0);
    QCOMPARE(points[0].measured_ns, 4000.0);
    QVERIFY(points[0].label.empty() && points[0].kernel_hash == Hash128{});
  }

 private:
  void add_runs(ProgramRow program, const std::vector<KernelRow>& kernels) {
    static_cast<void>(add_run(*database_, key_of(program), kernels));
  }
};

HLOSCOPE_TEST(TestMeasured);
#include "test_measured.moc"
