#include <cmath>
#include <set>

#include "core/tune/strategy.h"
#include "tests/core/tune/tune_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::tune;
using hloscope::testing::BoxSpace;
using hloscope::testing::ValleyEvaluator;

namespace {

/// A strategy with what a session does for it.
struct Driver {
  Driver(const StrategySettings& settings, const Space& space, const ValleyEvaluator& valley)
      : valley(valley), strategy(make_strategy(settings, space, memory)) {}

  // False: nothing was left.
  bool step() {
    std::optional<Config> config = strategy->ask();
    if (!config) return false;
    Trial trial;
    trial.number = trials.size();
    trial.config = std::move(*config);
    trial.predicted_ns = valley.time_ns(trial.config);
    memory.add(trial);
    strategy->tell(trial);
    trials.push_back(std::move(trial));
    return true;
  }
  void run(size_t steps) {
    for (size_t i = 0; i < steps && step(); ++i) {
    }
  }
  [[nodiscard]] std::set<Config> tried() const {
    std::set<Config> out;
    for (const Trial& trial : trials) out.insert(trial.config);
    return out;
  }
  [[nodiscard]] double best_ns() const {
    double out = INFINITY;
    for (const Trial& trial : trials) out = std::min(out, *trial.predicted_ns);
    return out;
  }

  const ValleyEvaluator& valley;
  TrialMemory memory;
  std::unique_ptr<Strategy> strategy;
  std::vector<Trial> trials;
};

StrategySettings settings_of(StrategyKind kind, uint64_t seed = 1) {
  StrategySettings out;
  out.kind = kind;
  out.seed = seed;
  out.population = 8;
  out.restart_trials = 20;
  return out;
}

const StrategyKind kAll[] = {StrategyKind::kExhaustive, StrategyKind::kRandom,
                             StrategyKind::kAnnealing, StrategyKind::kGenetic};

}  // namespace

class TestStrategies : public QObject {
  Q_OBJECT
 private slots:
  void each_tries_everything_once_and_ends() {
    const BoxSpace space({4, 1, 5, 3});
    const ValleyEvaluator valley({3, 0, 2, 1}, 0.1);
    for (const StrategyKind kind : kAll) {
      Driver driver(settings_of(kind), space, valley);
      driver.run(1000);
      QCOMPARE(driver.trials.size(), driver.tried().size());
      QVERIFY2(driver.trials.size() == 60 || kind == StrategyKind::kGenetic,
               std::string(name(kind)).c_str());
      QVERIFY(driver.trials.size() <= 60);
      QCOMPARE(driver.best_ns(), 1000.0);
    }
  }
  void the_start_comes_first() {
    const BoxSpace space({50, 50, 50});
    const ValleyEvaluator valley({25, 25, 25}, 0.1);
    for (const StrategyKind kind : kAll) {
      Driver driver(settings_of(kind), space, valley);
      driver.run(1);
      QVERIFY(driver.trials.front().config == space.default_config());
      if (kind == StrategyKind::kExhaustive) continue;
      StrategySettings random = settings_of(kind);
      random.random_start = true;
      Driver other(random, space, valley);
      other.run(1);
      QVERIFY(other.trials.front().config != space.default_config());
    }
  }
  // Each search goes downhill: far better than as many random draws.
  void searches_find_the_valley() {
    const BoxSpace space({64, 64, 64, 64});
    const ValleyEvaluator valley({40, 10, 55, 33}, 0.01);
    Driver random(settings_of(StrategyKind::kRandom), space, valley);
    random.run(600);
    for (const StrategyKind kind : {StrategyKind::kAnnealing, StrategyKind::kGenetic}) {
      StrategySettings settings = settings_of(kind);
      settings.temperature = 0.02;
      settings.restart_trials = 300;
      settings.population = 20;
      // Moves of one step take long from a corner: crossing needs values to choose from.
      settings.random_start = kind == StrategyKind::kGenetic;
      Driver driver(settings, space, valley);
      driver.run(600);
      QVERIFY2(driver.best_ns() < random.best_ns(), std::string(name(kind)).c_str());
    }
  }
  void the_same_seed_asks_the_same() {
    const BoxSpace space({9, 9, 9});
    const ValleyEvaluator valley({4, 4, 4}, 0.1);
    for (const StrategyKind kind : kAll) {
      Driver a(settings_of(kind, 5), space, valley);
      Driver b(settings_of(kind, 5), space, valley);
      Driver c(settings_of(kind, 6), space, valley);
      a.run(100);
      b.run(100);
      c.run(100);
      for (size_t i = 0; i < 100; ++i) QVERIFY(a.trials[i].config == b.trials[i].config);
      if (kind != StrategyKind::kExhaustive) QVERIFY(a.tried() != c.tried());
    }
  }
  // Stopped after every number of trials and loaded again: as if it had never stopped.
  void load_goes_on_where_save_was() {
    const BoxSpace space({7, 7, 7});
    const ValleyEvaluator valley({4, 1, 6}, 0.05);
    for (const StrategyKind kind : kAll) {
      Driver whole(settings_of(kind), space, valley);
      whole.run(60);
      for (size_t cut = 1; cut < 60; ++cut) {
        Driver first(settings_of(kind), space, valley);
        first.run(cut);
        Driver second(settings_of(kind), space, valley);
        second.trials = first.trials;
        for (const Trial& trial : first.trials) second.memory.add(trial);
        QVERIFY(second.strategy->load(first.strategy->save(), [&](uint64_t number) {
          return Result<Config>(first.trials[number].config);
        }));
        second.run(60 - cut);
        for (size_t i = 0; i < 60; ++i) {
          QVERIFY(whole.trials[i].config == second.trials[i].config);
          QCOMPARE(whole.trials[i].accepted, second.trials[i].accepted);
          QCOMPARE(whole.trials[i].temperature, second.trials[i].temperature);
        }
      }
    }
  }
  void annealing_cools_and_begins_again() {
    const BoxSpace space({1000, 1000});
    const ValleyEvaluator valley({500, 500}, 0.001);
    StrategySettings settings = settings_of(StrategyKind::kAnnealing);
    settings.temperature = 0.5;
    settings.cooling = 0.5;
    settings.restart_trials = 1'000'000;
    Driver driver(settings, space, valley);
    driver.run(3);
    QCOMPARE(driver.trials[0].temperature, 0.5);
    QCOMPARE(driver.trials[1].temperature, 0.25);
    QVERIFY(driver.trials[2].temperature <= 0.125);
    settings.restart_trials = 1;
    Driver hot(settings, space, valley);
    hot.run(20);
    for (const Trial& trial : hot.trials) QCOMPARE(trial.temperature, 0.5);
  }
  // At a temperature that forgives nothing only what is better is accepted.
  void cold_annealing_only_descends() {
    const BoxSpace space({30, 30});
    const ValleyEvaluator valley({20, 20}, 0.1);
    StrategySettings settings = settings_of(StrategyKind::kAnnealing);
    settings.temperature = 1e-12;
    Driver driver(settings, space, valley);
    driver.run(100);
    double last_ns = INFINITY;
    for (const Trial& trial : driver.trials) {
      QCOMPARE(trial.accepted, *trial.predicted_ns <= last_ns);
      if (trial.accepted) last_ns = *trial.predicted_ns;
    }
  }
  void damaged_states_are_refused() {
    const BoxSpace space({9, 9});
    const ValleyEvaluator valley({4, 4}, 0.1);
    const auto lookup = [](uint64_t) -> Result<Config> {
      return fail(ErrorCode::kNotFound, "no such trial");
    };
    for (const StrategyKind kind : kAll) {
      Driver driver(settings_of(kind), space, valley);
      driver.run(20);
      const std::string state = driver.strategy->save();
      for (size_t size = 0; size < state.size(); ++size) {
        Driver other(settings_of(kind), space, valley);
        QVERIFY(!other.strategy->load(state.substr(0, size), lookup));
      }
      Driver other(settings_of(kind), space, valley);
      QVERIFY(!other.strategy->load(state + "x", lookup));
    }
  }
};

HLOSCOPE_TEST(TestStrategies);
#include "test_strategies.moc"
