#include <set>

#include "core/tune/memory_trials.h"
#include "core/tune/session.h"
#include "tests/core/tune/tune_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::tune;
using hloscope::testing::BoxSpace;
using hloscope::testing::ValleyEvaluator;

namespace {

Settings session_settings(StrategyKind kind, uint64_t trials) {
  Settings out;
  out.space = SpaceKind::kFusion;
  out.strategy.kind = kind;
  out.strategy.population = 10;
  out.search.kind = EvaluatorKind::kAnalytical;
  out.budget.trials = trials;
  return out;
}

Settings measured_settings(uint64_t trials, uint64_t top_k) {
  Settings out = session_settings(StrategyKind::kRandom, trials);
  out.measure = EvaluatorSettings{EvaluatorKind::kSimulator, {}, 1, 3};
  out.top_k = top_k;
  return out;
}

Settings refined_settings(uint64_t trials, uint64_t top_k, uint64_t refine) {
  Settings out = measured_settings(trials, top_k);
  out.refine = refine;
  return out;
}

Settings hardware_settings(uint64_t trials) {
  Settings out = session_settings(StrategyKind::kRandom, trials);
  out.search.kind = EvaluatorKind::kSimulator;
  return out;
}

/// The model sees the valley a little beside where it is.
Problem problem_of(const Settings& settings, Config failing = {}) {
  Problem out;
  out.space = std::make_unique<BoxSpace>(std::vector<uint32_t>{20, 20, 20});
  const bool is_hardware = settings.searches_hardware();
  const Config seen = is_hardware ? Config{10, 10, 10} : Config{11, 10, 9};
  out.search = std::make_unique<ValleyEvaluator>(seen, 0.1, is_hardware, failing);
  if (settings.measure) {
    out.measure = std::make_unique<ValleyEvaluator>(Config{10, 10, 10}, 0.1, true);
  }
  return out;
}

/// Pauses at the n-th question.
class PausingTrials : public MemoryTrials {
 public:
  uint64_t questions = 0;
  uint64_t pause_at = 0;
  Result<Request> request() override {
    return ++questions == pause_at ? Request::kPause : Request::kNone;
  }
};

void compare(const std::vector<Trial>& a, const std::vector<Trial>& b) {
  QCOMPARE(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    QCOMPARE(a[i].number, uint64_t{i});
    QVERIFY(a[i].config == b[i].config);
    QCOMPARE(a[i].predicted_ns, b[i].predicted_ns);
    QCOMPARE(a[i].hardware_ns, b[i].hardware_ns);
    QCOMPARE(a[i].measured_as, b[i].measured_as);
    QCOMPARE(a[i].accepted, b[i].accepted);
    QCOMPARE(a[i].refined, b[i].refined);
  }
}

}  // namespace

class TestSession : public QObject {
  Q_OBJECT
 private slots:
  void a_budget_of_trials_is_kept() {
    for (const StrategyKind kind : {StrategyKind::kExhaustive, StrategyKind::kRandom,
                                    StrategyKind::kAnnealing, StrategyKind::kGenetic}) {
      const Settings settings = session_settings(kind, 333);
      Problem problem = problem_of(settings);
      SessionState state;
      MemoryTrials trials;
      QCOMPARE(*run_session(problem, settings, state, trials), Ending::kFinished);
      QCOMPARE(trials.trials().size(), size_t{333});
      QCOMPARE(state.trials, uint64_t{333});
      QCOMPARE(state.phase, Phase::kDone);
      QCOMPARE(*state.baseline_ns, 1000 * (1 + 0.1 * 30));
      QCOMPARE(state.booked_ns, 0.0);
      double best_ns = 1e9;
      for (const Trial& trial : trials.trials()) best_ns = std::min(best_ns, *trial.predicted_ns);
      QCOMPARE(*state.best_ns, best_ns);
      QCOMPARE(*trials.trials()[*state.best].predicted_ns, best_ns);
      QVERIFY(!state.best_is_hardware);
    }
  }
  void a_small_space_is_exhausted() {
    const Settings settings = session_settings(StrategyKind::kExhaustive, 100'000);
    Problem problem = problem_of(settings);
    SessionState state;
    MemoryTrials trials;
    QCOMPARE(*run_session(problem, settings, state, trials), Ending::kExhausted);
    QCOMPARE(state.trials, uint64_t{8000});
    QCOMPARE(*state.best_ns, 1000.0);
  }
  void the_best_predicted_are_measured_in_their_order() {
    const Settings settings = measured_settings(2000, 10);
    Problem problem = problem_of(settings);
    SessionState state;
    MemoryTrials trials;
    QCOMPARE(*run_session(problem, settings, state, trials), Ending::kFinished);
    QCOMPARE(state.measured, uint64_t{10});
    QCOMPARE(state.booked_ns, 10e9);
    QVERIFY(state.best_is_hardware);
    const std::vector<Trial> best = *trials.best_predicted(10);
    double least_ns = 1e9;
    for (size_t i = 0; i < best.size(); ++i) {
      QCOMPARE(best[i].measured_as, uint64_t{i + 1});
      least_ns = std::min(least_ns, *best[i].hardware_ns);
    }
    QCOMPARE(*state.best_ns, least_ns);
  }
  // The model is wrong about all but the default, whose time is known without measuring it.
  void nothing_worse_than_the_default_is_the_best() {
    const Settings settings = measured_settings(500, 3);
    Problem problem = problem_of(settings);
    problem.measure = std::make_unique<ValleyEvaluator>(Config{0, 0, 0}, 0.1, true);
    SessionState state;
    MemoryTrials trials;
    QVERIFY(run_session(problem, settings, state, trials));
    QCOMPARE(state.measured, uint64_t{3});
    QCOMPARE(*state.best, uint64_t{0});
    QCOMPARE(*state.best_ns, 1000.0);
    QVERIFY(state.best_is_hardware);
  }
  // The model knows one axis only: of the other two it has changed what the hardware likes as it
  // was.
  void refining_takes_back_what_the_hardware_does_not_like() {
    Settings settings = refined_settings(2000, 3, 40);
    Problem problem = problem_of(settings);
    problem.search = std::make_unique<ValleyEvaluator>(Config{10, 6, 7}, 0.1);
    problem.measure = std::make_unique<ValleyEvaluator>(Config{10, 0, 0}, 0.1, true);
    SessionState state;
    MemoryTrials trials;
    QCOMPARE(*run_session(problem, settings, state, trials), Ending::kFinished);
    // They are none of the search.
    QCOMPARE(state.searched(), uint64_t{2000});
    QVERIFY(state.refined > 0);
    for (const Trial& trial : trials.trials()) QCOMPARE(trial.refined, trial.number >= 2000);
    // It ends where everything around the best is measured.
    QVERIFY(state.measured > 13 && state.measured <= 43);
    QCOMPARE(*state.best_ns, 1000.0);
    QCOMPARE(trials.trials()[*state.best].config, (Config{10, 0, 0}));
    QCOMPARE(trials.trials().size(), size_t{state.trials});
    std::set<uint64_t> order;
    for (const Trial& trial : trials.trials()) {
      QVERIFY(trial.predicted_ns);
      if (trial.measured_as != 0) QVERIFY(order.insert(trial.measured_as).second);
    }
    QCOMPARE(*order.rbegin(), state.measured);
    QCOMPARE(order.size(), size_t{state.measured});
  }
  void refining_ends_with_the_hardware_time_and_with_the_space() {
    Settings settings = refined_settings(50, 3, 1000);
    settings.budget.hardware_s = 20;
    Problem problem = problem_of(settings);
    SessionState state;
    MemoryTrials trials;
    QCOMPARE(*run_session(problem, settings, state, trials), Ending::kFinished);
    QCOMPARE(state.measured, uint64_t{20});

    Problem small = problem_of(settings);
    small.space = std::make_unique<BoxSpace>(std::vector<uint32_t>{2, 2});
    settings.budget.hardware_s.reset();
    SessionState all;
    MemoryTrials four;
    QVERIFY(run_session(small, settings, all, four));
    QCOMPARE(all.trials, uint64_t{4});
    // One is the default, whose time is known; three are measured as the best of the search.
    QVERIFY(all.measured <= 4);
  }
  void hardware_time_ends_a_search() {
    Settings settings = hardware_settings(1000);
    settings.budget.hardware_s = 12;
    Problem problem = problem_of(settings);
    SessionState state;
    MemoryTrials trials;
    QCOMPARE(*run_session(problem, settings, state, trials), Ending::kFinished);
    QCOMPARE(state.trials, uint64_t{12});
    QCOMPARE(state.measured, uint64_t{12});
    for (const Trial& trial : trials.trials()) {
      QVERIFY(!trial.predicted_ns);
      QCOMPARE(trial.measured_as, trial.number + 1);
    }
  }
  void hardware_time_ends_measuring() {
    Settings settings = measured_settings(100, 10);
    settings.budget.hardware_s = 4;
    Problem problem = problem_of(settings);
    SessionState state;
    MemoryTrials trials;
    QCOMPARE(*run_session(problem, settings, state, trials), Ending::kFinished);
    QCOMPARE(state.measured, uint64_t{4});
  }
  // Paused at every question that the session asks, and run again.
  void a_paused_session_makes_the_same_trials() {
    const Settings all[] = {session_settings(StrategyKind::kAnnealing, 300),
                            session_settings(StrategyKind::kGenetic, 300),
                            measured_settings(100, 10), refined_settings(100, 5, 20),
                            hardware_settings(40)};
    for (const Settings& settings : all) {
      Problem problem = problem_of(settings);
      SessionState state;
      MemoryTrials whole;
      QVERIFY(run_session(problem, settings, state, whole));
      for (uint64_t pause_at = 1; pause_at < 60; ++pause_at) {
        PausingTrials trials;
        trials.pause_at = pause_at;
        SessionState now;
        Result<Ending> ending = Ending::kPaused;
        for (int runs = 0; runs < 2 && *ending == Ending::kPaused; ++runs) {
          Problem again = problem_of(settings);
          ending = run_session(again, settings, now, trials);
          QVERIFY(ending);
          now = trials.state();
        }
        compare(whole.trials(), trials.trials());
        QCOMPARE(now.best_ns, state.best_ns);
        QCOMPARE(now.booked_ns, state.booked_ns);
      }
    }
  }
  void a_paused_session_with_a_larger_budget_refines_the_same() {
    Settings settings = refined_settings(100, 4, 6);
    const auto run = [&settings](PausingTrials& trials) {
      Result<Ending> ending = Ending::kPaused;
      for (int runs = 0; runs < 2 && *ending == Ending::kPaused; ++runs) {
        Problem problem = problem_of(settings);
        SessionState now = trials.state();
        ending = run_session(problem, settings, now, trials);
        if (!ending) return false;
      }
      return *ending == Ending::kFinished;
    };
    PausingTrials before;
    QVERIFY(run(before));
    settings.budget.trials = 300;
    before.questions = 0;
    PausingTrials whole = before;
    QVERIFY(run(whole));
    QVERIFY(whole.state().measured > before.state().measured);
    for (uint64_t pause_at = 1; pause_at <= whole.questions; ++pause_at) {
      PausingTrials trials = before;
      trials.pause_at = pause_at;
      QVERIFY(run(trials));
      compare(whole.trials(), trials.trials());
      QCOMPARE(trials.state().measured, whole.state().measured);
    }
  }
  void more_budget_goes_on() {
    Settings settings = measured_settings(200, 5);
    Problem problem = problem_of(settings);
    SessionState state;
    MemoryTrials trials;
    QVERIFY(run_session(problem, settings, state, trials));
    settings.budget.trials = 1000;
    QVERIFY(run_session(problem, settings, state, trials));
    QCOMPARE(state.trials, uint64_t{1000});
    Settings once = measured_settings(1000, 5);
    Problem other = problem_of(once);
    SessionState other_state;
    MemoryTrials other_trials;
    QVERIFY(run_session(other, once, other_state, other_trials));
    for (size_t i = 0; i < 1000; ++i) {
      QVERIFY(trials.trials()[i].config == other_trials.trials()[i].config);
    }
    const std::vector<Trial> best = *trials.best_predicted(5);
    for (const Trial& one : best) QVERIFY(one.measured_as != 0);
  }
  // What refining tried is the best that the model knows, and must not stand in the way of the
  // rest.
  void more_budget_of_a_refined_session_measures_the_new_best() {
    Settings settings = refined_settings(200, 5, 30);
    Problem problem = problem_of(settings);
    SessionState state;
    MemoryTrials trials;
    QVERIFY(run_session(problem, settings, state, trials));
    const uint64_t measured = state.measured;
    const uint64_t refined = state.refined;
    QVERIFY(refined > 5);
    QCOMPARE(state.trials, 200 + refined);
    settings.budget.trials = 2000;
    QVERIFY(run_session(problem, settings, state, trials));
    QCOMPARE(state.searched(), uint64_t{2000});
    QCOMPARE(trials.trials().size(), size_t{2000 + state.refined});
    const std::vector<Trial> best = *trials.best_predicted(5);
    uint64_t new_ones = 0;
    for (const Trial& one : best) {
      QVERIFY(one.measured_as != 0 && !one.refined);
      new_ones += one.number >= 200 + refined ? 1 : 0;
    }
    QVERIFY(new_ones > 0);
    QVERIFY(state.measured >= measured + new_ones);
  }
  // The first and each larger budget: what is new among the best is measured, and refined with as
  // many measurements as the first.
  void each_larger_budget_refines_its_new_best() {
    Settings settings = refined_settings(100, 4, 6);
    // Far from each other and in a large space: there is always something to measure.
    const auto problem_now = [&] {
      Problem out = problem_of(settings);
      out.space = std::make_unique<BoxSpace>(std::vector<uint32_t>{200, 200, 200});
      out.search = std::make_unique<ValleyEvaluator>(Config{110, 100, 90}, 0.1);
      out.measure = std::make_unique<ValleyEvaluator>(Config{100, 100, 100}, 0.1, true);
      return out;
    };
    MemoryTrials trials;
    SessionState state;
    Problem first = problem_now();
    QVERIFY(run_session(first, settings, state, trials));
    QCOMPARE(state.measured, uint64_t{4 + 6});
    for (const uint64_t budget : {400, 900}) {
      settings.budget.trials = budget;
      const uint64_t before = state.measured;
      Problem problem = problem_now();
      QVERIFY(run_session(problem, settings, state, trials));
      uint64_t new_ones = 0;
      const std::vector<Trial> best = *trials.best_predicted(4);
      for (const Trial& one : best) new_ones += one.measured_as > before ? 1 : 0;
      QVERIFY(new_ones > 0);
      QCOMPARE(state.measured, before + new_ones + 6);
      QCOMPARE(state.searched(), budget);
      // Without a larger budget there is nothing more to do.
      const uint64_t measured = state.measured;
      Problem again = problem_now();
      QVERIFY(run_session(again, settings, state, trials));
      QCOMPARE(state.measured, measured);
    }
  }
  void what_fails_is_a_trial_without_a_time() {
    Settings settings = session_settings(StrategyKind::kExhaustive, 30);
    Problem problem = problem_of(settings, {0, 0, 7});
    SessionState state;
    MemoryTrials trials;
    QVERIFY(run_session(problem, settings, state, trials));
    QCOMPARE(state.failed, uint64_t{1});
    QVERIFY(!trials.trials()[7].predicted_ns);
    QCOMPARE(trials.trials()[7].error, std::string("it crashed"));
    QCOMPARE(trials.trials().size(), size_t{30});
  }
  void a_request_stops_it() {
    const Settings settings = session_settings(StrategyKind::kRandom, 1000);
    Problem problem = problem_of(settings);
    SessionState state;
    MemoryTrials trials;
    trials.ask_for(Request::kStop);
    QCOMPARE(*run_session(problem, settings, state, trials), Ending::kStopped);
    QVERIFY(state.phase != Phase::kDone);
  }
  void cancelling_pauses() {
    const Settings settings = session_settings(StrategyKind::kRandom, 1000);
    Problem problem = problem_of(settings);
    SessionState state;
    state.baseline_ns = 1;
    MemoryTrials trials;
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(*run_session(problem, settings, state, trials, Progress(stop.get_token())),
             Ending::kPaused);
  }
};

HLOSCOPE_TEST(TestSession);
#include "test_session.moc"
