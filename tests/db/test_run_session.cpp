#include "core/tune/memory_trials.h"
#include "db/new_session.h"
#include "db/run_session.h"
#include "db/sqlite/connection.h"
#include "tests/db/tune_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

// A kernel with many tiles, and one that has nothing to be cut.
constexpr auto kStepProgram = R"(HloModule step, is_scheduled=true
ENTRY main {
  a = f32[512,512]{1,0} parameter(0)
  b = f32[512,512]{1,0} parameter(1)
  ROOT d = f32[512,512]{1,0} dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

hlo::Module step_of(const char* text) {
  hlo::File file = HLOSCOPE_MUST(hlo::read_bytes(text, "step.hlo"));
  return file.modules.front();
}

}  // namespace

/// Sessions from beginning to end.
class TestRunSession : public DatabaseTest {
  Q_OBJECT
 private:
  TuneSessionRow add(const tune::Settings& settings) {
    NewSession made = grid_session();
    made.settings = settings;
    return HLOSCOPE_MUST(TuneSessions(*database_).create(made));
  }
  SessionInfo info(TuneSessionRow id) { return HLOSCOPE_MUST(TuneSessions(*database_).get(id)); }

 private slots:
  void a_session_runs_to_its_end() {
    const tune::Settings settings = grid_session().settings;
    const TuneSessionRow id = add(settings);
    tune::Problem problem = grid_problem(settings, 30);
    uint64_t seen = 0;
    const auto watch = [&seen](double, std::string_view, const tune::SessionState& state) {
      seen = state.trials;
    };
    QVERIFY(HLOSCOPE_MUST(run_tune_session(*database_, id, problem, {}, watch)) ==
            SessionStatus::kFinished);
    const SessionInfo done = info(id);
    QVERIFY(done.status == SessionStatus::kFinished && done.owner.empty());
    QVERIFY(done.progress.phase == tune::Phase::kDone);
    QCOMPARE(done.progress.trials, uint64_t{100});
    QCOMPARE(seen, uint64_t{100});
    QCOMPARE(done.progress.measured, settings.top_k);
    QCOMPARE(done.search_source, std::string("predicted (grid)"));
    QCOMPARE(done.measure_source, std::string("simulated (grid)"));
    QVERIFY(done.space_count == std::pow(4.0, 30));
    QVERIFY(done.progress.best_is_hardware && done.progress.baseline_ns);
    QVERIFY(!run_tune_session(*database_, id, problem));
  }

  void a_stop_of_the_token_pauses_and_the_rest_follows() {
    const tune::Settings settings = grid_session().settings;
    const TuneSessionRow id = add(settings);
    tune::Problem problem = grid_problem(settings, 30);
    std::stop_source stop;
    const auto watch = [&stop](double, std::string_view, const tune::SessionState& state) {
      if (state.trials >= 30) stop.request_stop();
    };
    QVERIFY(HLOSCOPE_MUST(run_tune_session(*database_, id, problem, stop.get_token(), watch)) ==
            SessionStatus::kPaused);
    const SessionInfo paused = info(id);
    QVERIFY(paused.progress.trials >= 30 && paused.progress.trials < 100);
    QCOMPARE(all_trials(*database_, id).size(), size_t{paused.progress.trials});
    QVERIFY(HLOSCOPE_MUST(run_tune_session(*database_, id, problem)) == SessionStatus::kFinished);
    tune::MemoryTrials expected;
    tune::SessionState state;
    tune::Problem other = grid_problem(settings, 30);
    HLOSCOPE_OK(tune::run_session(other, settings, state, expected));
    const auto trials = all_trials(*database_, id);
    QCOMPARE(trials.size(), expected.trials().size());
    for (size_t i = 0; i < trials.size(); ++i) QVERIFY(is_same(trials[i], expected.trials()[i]));
  }

  void an_extended_session_goes_on_as_one_that_had_the_budget() {
    tune::Settings settings = grid_session().settings;
    settings.measure.reset();
    const TuneSessionRow id = add(settings);
    tune::Problem problem = grid_problem(settings, 30);
    HLOSCOPE_OK(run_tune_session(*database_, id, problem));
    settings.budget.trials = 180;
    HLOSCOPE_OK(TuneSessions(*database_).set_budget(id, settings.budget));
    HLOSCOPE_OK(run_tune_session(*database_, id, problem));
    tune::MemoryTrials expected;
    tune::SessionState state;
    HLOSCOPE_OK(tune::run_session(problem, settings, state, expected));
    const auto trials = all_trials(*database_, id);
    QCOMPARE(trials.size(), size_t{180});
    for (size_t i = 0; i < trials.size(); ++i) QVERIFY(is_same(trials[i], expected.trials()[i]));
  }

  void a_budget_that_grows_meanwhile_counts() {
    const tune::Settings settings = grid_session().settings;
    const TuneSessionRow id = add(settings);
    tune::Problem problem = grid_problem(settings, 30);
    Database window = HLOSCOPE_MUST(Database::open(folder_->path()));
    bool is_extended = false;
    const auto watch = [&](double, std::string_view, const tune::SessionState& state) {
      if (state.trials < 50 || is_extended) return;
      is_extended = true;
      const Status set = TuneSessions(window).set_budget(id, {150, {}, {}});
      if (!set) qFatal("%s", set.error().format().c_str());
    };
    QVERIFY(HLOSCOPE_MUST(run_tune_session(*database_, id, problem, {}, watch)) ==
            SessionStatus::kFinished);
    QCOMPARE(info(id).progress.trials, uint64_t{150});
  }

  void a_session_that_cannot_be_made_fails_and_says_why() {
    NewSession made = grid_session();
    made.settings.machine = "no_such_machine";
    const TuneSessionRow id = HLOSCOPE_MUST(TuneSessions(*database_).create(made));
    const auto status = run_tune_session(*database_, id);
    QVERIFY(!status && status.error().code == ErrorCode::kNotFound);
    const SessionInfo failed = info(id);
    QVERIFY(failed.status == SessionStatus::kFailed);
    QVERIFY(failed.message.find("no_such_machine") != std::string::npos);
  }

  void a_kernel_that_is_alone_need_not_be_named() {
    tune::Settings settings;
    settings.search.kind = tune::EvaluatorKind::kSimulator;
    settings.budget.trials = 20;
    const hlo::Module module = step_of(kStepProgram);
    NewSession made = HLOSCOPE_MUST(new_session(module, "step.hlo", settings, *database_));
    QCOMPARE(made.settings.kernel, std::string("d"));
    QCOMPARE(made.program, std::string("step"));
    QVERIFY(made.program_hash == module.content_hash);
    const TuneSessionRow id = HLOSCOPE_MUST(TuneSessions(*database_).create(made));
    QVERIFY(HLOSCOPE_MUST(run_tune_session(*database_, id)) == SessionStatus::kFinished);
    QCOMPARE(info(id).progress.trials, uint64_t{20});
    QVERIFY(info(id).progress.best_ns <= info(id).progress.baseline_ns);
    QVERIFY(info(id).search_source.starts_with("simulated (tpu_v3@"));
  }

  void recorded_runs_come_from_the_file_or_the_database() {
    tune::Settings settings;
    settings.search.kind = tune::EvaluatorKind::kRecorded;
    settings.budget.trials = 20;
    hlo::Module module = step_of(kStepProgram);
    const auto none = new_session(module, "step.hlo", settings, *database_);
    QVERIFY(!none && none.error().code == ErrorCode::kNotFound);
    hlo::MeasuredRun run;
    run.time_ns = 1200;
    run.is_default = true;
    run.output_bounds = {8, 4};
    hlo::MeasuredRun failed;
    failed.failed = true;
    failed.output_bounds = {64, 4};
    module.runs = {run, failed};
    const NewSession made = HLOSCOPE_MUST(new_session(module, "t.pb#2", settings, *database_));
    QCOMPARE(made.recorded.file, std::string("t.pb#2"));
    QCOMPARE(made.recorded.runs.size(), size_t{2});
    QCOMPARE(made.recorded.runs[0].config, std::string("out=8x4"));
    QVERIFY(made.recorded.runs[0].time_ns == 1200.0 && made.recorded.runs[0].is_default);
    QVERIFY(!made.recorded.runs[1].time_ns);
  }
};

HLOSCOPE_TEST(TestRunSession);
#include "test_run_session.moc"
