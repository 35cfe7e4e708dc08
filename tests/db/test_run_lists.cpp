#include <nlohmann/json.hpp>

#include "db/export_runs.h"
#include "db/measured_list.h"
#include "db/removed_runs.h"
#include "db/run_kernels.h"
#include "tests/db/fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

/// What the page Runs shows and does.
class TestRunLists : public DatabaseTest {
  Q_OBJECT
 private slots:
  void kernels_of_a_run_come_with_their_places() {
    const ProgramRow program = add_program(*database_, "p");
    const KernelRow a = add_kernel(*database_, "a");
    const KernelRow b = add_kernel(*database_, "b");
    HLOSCOPE_OK(
        Programs(*database_).set_kernels(program, {{b, "late", 2}, {a, "x", 1}, {b, "y", 3}}));
    const RunId run = add_run(*database_, key_of(program), {a, b});
    const auto kernels = HLOSCOPE_MUST(run_kernels(*database_, run));
    QCOMPARE(kernels.size(), size_t{2});
    QCOMPARE(kernels[0].instruction_name, std::string("x"));
    QCOMPARE(kernels[0].executions, 1.0);
    QCOMPARE(kernels[0].first->time_ns, 1000.0);
    QVERIFY(!kernels[0].second);
    // Two places: the first one's name, 2 + 3 executions.
    QCOMPARE(kernels[1].instruction_name, std::string("late"));
    QCOMPARE(kernels[1].executions, 5.0);
    QCOMPARE(kernels[1].first->time_ns, 2000.0);
  }

  void compared_runs_share_the_rows_of_equal_kernels() {
    const ProgramRow program = add_program(*database_, "p");
    const ProgramRow other = add_program(*database_, "q");
    const KernelRow a = add_kernel(*database_, "a");
    const KernelRow b = add_kernel(*database_, "b");
    const KernelRow c = add_kernel(*database_, "c");
    HLOSCOPE_OK(Programs(*database_).set_kernels(program, {{a, "x", 1}, {b, "y", 1}}));
    HLOSCOPE_OK(Programs(*database_).set_kernels(other, {{b, "z", 4}, {c, "w", 1}}));
    const RunId first = add_run(*database_, key_of(program), {a, b});
    const RunId second = add_run(*database_, key_of(other), {b, c});
    const auto kernels = HLOSCOPE_MUST(run_kernels(*database_, first, second));
    QCOMPARE(kernels.size(), size_t{3});
    QVERIFY(kernels[0].first && !kernels[0].second);
    QCOMPARE(kernels[1].instruction_name, std::string("y"));
    QCOMPARE(kernels[1].executions, 1.0);
    QCOMPARE(kernels[1].first->time_ns, 2000.0);
    QCOMPARE(kernels[1].second->time_ns, 1000.0);
    QVERIFY(!kernels[2].first && kernels[2].second);
    QCOMPARE(kernels[2].instruction_name, std::string("w"));
    QCOMPARE(run_kernels(*database_, {99}).error().code, ErrorCode::kNotFound);
  }

  void what_was_removed_comes_back_as_it_was() {
    const ProgramRow program = add_program(*database_, "p");
    const KernelRow a = add_kernel(*database_, "a");
    std::vector<RunId> runs;
    for (int i = 0; i < 3; ++i) runs.push_back(add_run(*database_, key_of(program), {a}));
    const Runs list(*database_);
    const std::string before = runs_json(HLOSCOPE_MUST(list.list()));
    RemovedRuns removed(*database_);
    const int64_t first = HLOSCOPE_MUST(removed.remove(std::vector{runs[0], runs[2]}));
    QCOMPARE(HLOSCOPE_MUST(list.list()).size(), size_t{1});
    const int64_t second = HLOSCOPE_MUST(removed.remove(std::vector{runs[1]}));
    QCOMPARE(HLOSCOPE_MUST(removed.restore(second)), int64_t{1});
    QCOMPARE(HLOSCOPE_MUST(removed.restore(first)), int64_t{2});
    QCOMPARE(runs_json(HLOSCOPE_MUST(list.list())), before);
    QCOMPARE(HLOSCOPE_MUST(run_kernels(*database_, runs[2])).front().first->time_ns, 1000.0);
    QCOMPARE(removed.restore(first).error().code, ErrorCode::kNotFound);
  }

  void names_are_given_and_taken_away() {
    const ProgramRow program = add_program(*database_, "p");
    Runs runs(*database_);
    const RunId run = add_run(*database_, key_of(program), {add_kernel(*database_, "a")});
    QCOMPARE(HLOSCOPE_MUST(runs.rename(run, "before")), std::string());
    QCOMPARE(HLOSCOPE_MUST(runs.rename(run, "after")), std::string("before"));
    QCOMPARE(HLOSCOPE_MUST(runs.get(run)).name, std::string("after"));
    Programs programs(*database_);
    QCOMPARE(HLOSCOPE_MUST(programs.rename(program, "q")), std::string());
    // Opened again it keeps the name, and its own beside it.
    QVERIFY(add_program(*database_, "p") == program);
    const ProgramInfo info = HLOSCOPE_MUST(programs.list()).front();
    QCOMPARE(info.name, std::string("p"));
    QCOMPARE(shown_name(info), std::string("q"));
    QCOMPARE(HLOSCOPE_MUST(runs.get(run)).program_name, std::string("q"));
    // A run that is deleted comes back with its name.
    RemovedRuns removed(*database_);
    const int64_t removal = HLOSCOPE_MUST(removed.remove(std::vector{run}));
    HLOSCOPE_OK(removed.restore(removal));
    QCOMPARE(HLOSCOPE_MUST(runs.get(run)).name, std::string("after"));
    HLOSCOPE_OK(runs.rename(run, ""));
    HLOSCOPE_OK(programs.rename(program, ""));
    QCOMPARE(HLOSCOPE_MUST(runs.get(run)).name, std::string());
    QCOMPARE(HLOSCOPE_MUST(runs.get(run)).program_name, std::string("p"));
    QCOMPARE(runs.rename({99}, "x").error().code, ErrorCode::kNotFound);
    QCOMPARE(programs.rename({99}, "x").error().code, ErrorCode::kNotFound);
  }

  void exports_say_what_the_command_line_says() {
    const ProgramRow program = add_program(*database_, "p");
    RunKey key = key_of(program);
    key.source_kind = std::string(kPredicted);
    key.settings = R"({"kernels":"own fusion","model":"m","model_hash":"0123456789"})";
    const RunId run = add_run(*database_, key, {add_kernel(*database_, "a")});
    const RunInfo info = HLOSCOPE_MUST(Runs(*database_).get(run));
    QCOMPARE(fusion_of(info), std::string("own fusion"));
    QCOMPARE(model_of(info).name, std::string("m"));
    const std::string csv = runs_csv(std::vector{info});
    QVERIFY(csv.starts_with(
        "run,name,source,program,machine,machine file,kernels,fusion,total µs,state,"
        "finished,file\n1,,predicted,p,"));
    const auto json = nlohmann::json::parse(runs_json(std::vector{info}));
    QCOMPARE(json[0]["settings"]["model"].get<std::string>(), std::string("m"));
    QCOMPARE(json[0]["distinct_kernels"].get<int>(), 1);
  }

  void measured_sources_are_counted() {
    const ProgramRow program = add_program(*database_, "p");
    const KernelRow a = add_kernel(*database_, "a");
    MeasuredSource source;
    source.hash = hash_of("times");
    source.file_path = "/data/times.pb";
    source.device = "TPU v3";
    source.program = program;
    const std::vector<MeasuredTime> times = {{a, 0, true, true, 900.0, "out=8", 0},
                                             {a, 1, false, false, 800.0, "out=4", 0},
                                             {a, 2, false, false, std::nullopt, "out=2", 0}};
    HLOSCOPE_OK(Measured(*database_).put(source, times));
    const auto list = HLOSCOPE_MUST(list_measured_sources(*database_));
    QCOMPARE(list.size(), size_t{1});
    QCOMPARE(list[0].program_name, std::string("p"));
    QCOMPARE(list[0].source.device, std::string("TPU v3"));
    QCOMPARE(list[0].runs, int64_t{3});
    QCOMPARE(list[0].timed, int64_t{2});
    QCOMPARE(list[0].kernels, int64_t{1});
  }
};

HLOSCOPE_TEST(TestRunLists);
#include "test_run_lists.moc"
