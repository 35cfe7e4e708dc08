#include "db/session_lease.h"
#include "db/sqlite/connection.h"
#include "tests/db/tune_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

/// Trials of a running session.
class TestTuneTrials : public DatabaseTest {
  Q_OBJECT
 private:
  struct Running {
    TuneSessionRow id;
    SessionLease lease;
    StoredTrials trials;
    explicit Running(Database& database)
        : id(HLOSCOPE_MUST(TuneSessions(database).create(grid_session()))),
          lease(HLOSCOPE_MUST(SessionLease::take(database, id))),
          trials(lease) {}
  };
  static tune::SessionState state_of(uint64_t trials) {
    tune::SessionState state;
    state.trials = trials;
    return state;
  }
  /// Predicted times 30, 20, 10, 30, 20, 10, ...
  static void add_trials(Running& s, uint64_t count) {
    std::vector<tune::Trial> trials;
    for (uint64_t i = 0; i < count; ++i) {
      tune::Config config(5, 2);
      config[i % 5] = static_cast<uint32_t>(i);
      trials.push_back(trial_of(i, config, 30.0 - 10.0 * static_cast<double>(i % 3)));
    }
    HLOSCOPE_OK(s.trials.append(trials, state_of(count)));
  }

 private slots:
  void what_is_appended_is_what_is_read() {
    Running s(*database_);
    tune::Trial full = trial_of(0, {0, 4'000'000'000, 7}, 12.25);
    full.hardware_ns = 13.5;
    full.measured_as = 1;
    full.booked_ns = 1e9;
    full.accepted = true;
    full.temperature = 0.25;
    full.refined = true;
    full.at_s = 1.5;
    tune::Trial failed;
    failed.number = 1;
    failed.config = {1, 0, 4'000'000'000};
    failed.error = "does not fit";
    tune::SessionState state;
    state.phase = tune::Phase::kMeasure;
    state.trials = 2;
    state.failed = 1;
    state.measured = 1;
    state.active_s = 3.25;
    state.booked_ns = 1e9;
    state.refined = 1;
    state.best = 0;
    state.best_ns = 13.5;
    state.best_is_hardware = true;
    state.baseline_ns = 20;
    state.strategy = std::string("a\0b", 3);
    HLOSCOPE_OK(s.trials.append(std::vector{full, failed}, state));
    const auto read = all_trials(*database_, s.id);
    QCOMPARE(read.size(), size_t{2});
    QVERIFY(is_same(read[0], full) && read[0].at_s == 1.5);
    QVERIFY(is_same(read[1], failed));
    const tune::SessionState stored = HLOSCOPE_MUST(s.trials.state());
    QVERIFY(stored.phase == state.phase);
    QCOMPARE(stored.trials, uint64_t{2});
    QCOMPARE(stored.failed, uint64_t{1});
    QCOMPARE(stored.measured, uint64_t{1});
    QCOMPARE(stored.refined, uint64_t{1});
    QCOMPARE(stored.active_s, 3.25);
    QCOMPARE(stored.booked_ns, 1e9);
    QVERIFY(stored.best == uint64_t{0} && stored.best_ns == 13.5 && stored.best_is_hardware);
    QVERIFY(stored.baseline_ns == 20.0);
    QCOMPARE(stored.strategy, state.strategy);
    const SessionInfo info = HLOSCOPE_MUST(TuneSessions(*database_).get(s.id));
    QCOMPARE(info.progress.trials, uint64_t{2});
    QVERIFY(info.progress.strategy.empty());
  }

  void trials_are_read_from_any_number_on() {
    Running s(*database_);
    QVERIFY(all_trials(*database_, s.id).empty());
    add_trials(s, 40);
    const auto read = all_trials(*database_, s.id, 38);
    QCOMPARE(read.size(), size_t{2});
    QCOMPARE(read[0].number, uint64_t{38});
    QVERIFY((read[1].config == tune::Config{2, 2, 2, 2, 39}));
    int seen = 0;
    HLOSCOPE_OK(s.trials.each([&seen](const tune::Trial&) { return ++seen < 3; }));
    QCOMPARE(seen, 3);
    HLOSCOPE_OK(TuneSessions(*database_)
                    .each_trial(
                        s.id, 5,
                        [&seen](const tune::Trial& trial) {
                          seen = trial.config.empty() ? static_cast<int>(trial.number) : -1;
                          return false;
                        },
                        false));
    QCOMPARE(seen, 5);
    QCOMPARE(HLOSCOPE_MUST(s.trials.get(39)).number, uint64_t{39});
    QVERIFY(s.trials.get(40).error().code == ErrorCode::kNotFound);
    QVERIFY(TuneSessions(*database_).trial(s.id, 40).error().code == ErrorCode::kNotFound);
    QVERIFY(TuneSessions(*database_).trial({77}, 0).error().code == ErrorCode::kNotFound);
  }

  void changes_against_any_configuration_give_the_trials() {
    Running s(*database_);
    add_trials(s, 40);
    const auto trials = all_trials(*database_, s.id);
    const tune::Config first = HLOSCOPE_MUST(TuneSessions(*database_).first_config(s.id));
    QVERIFY(first == trials.front().config);
    for (const tune::Config& against :
         {tune::Config{0, 0, 0, 0, 0}, tune::Config{1, 2, 0, 3, 7}, first, trials.back().config}) {
      size_t number = 3;
      HLOSCOPE_OK(TuneSessions(*database_)
                      .each_change(s.id, number, against, 99, [&](auto changes, size_t count) {
                        if (changes.size() != count) return false;
                        tune::Config config = against;
                        for (const tune::ConfigChange& change : changes) {
                          // Only what differs, each dimension once and in order.
                          if (config[change.dimension] == change.value) return false;
                          config[change.dimension] = change.value;
                        }
                        return config == trials[number].config && ++number > 0;
                      }));
      QCOMPARE(number, trials.size());
    }
    size_t seen = 0;
    HLOSCOPE_OK(TuneSessions(*database_).each_change(s.id, 38, {}, 1, [&](auto changes, size_t) {
      return changes.size() <= 1 && ++seen > 0;
    }));
    QCOMPARE(seen, size_t{2});
  }

  void the_best_predicted_are_ordered_by_time_and_number() {
    Running s(*database_);
    QVERIFY(HLOSCOPE_MUST(s.trials.best_predicted(3)).empty());
    add_trials(s, 9);
    std::vector<uint64_t> numbers;
    for (const auto& trial : HLOSCOPE_MUST(s.trials.best_predicted(4))) {
      numbers.push_back(trial.number);
    }
    QVERIFY((numbers == std::vector<uint64_t>{2, 5, 8, 1}));
  }

  void a_measured_trial_is_updated_with_its_state() {
    Running s(*database_);
    add_trials(s, 9);
    tune::Trial trial = HLOSCOPE_MUST(s.trials.get(4));
    trial.hardware_ns = 22;
    trial.measured_as = 1;
    tune::Trial other = HLOSCOPE_MUST(s.trials.get(2));
    other.error = "does not fit";
    other.measured_as = 2;
    HLOSCOPE_OK(s.trials.update(trial, state_of(9)));
    HLOSCOPE_OK(s.trials.update(other, state_of(9)));
    const auto measured = HLOSCOPE_MUST(TuneSessions(*database_).measured_trials(s.id));
    QCOMPARE(measured.size(), size_t{2});
    QVERIFY(is_same(measured[0], trial) && is_same(measured[1], other));
    trial.number = 9;
    QVERIFY(s.trials.update(trial, state_of(7)).error().code == ErrorCode::kNotFound);
    QCOMPARE(HLOSCOPE_MUST(s.trials.state()).trials, uint64_t{9});
  }

  void trials_and_state_are_stored_together_or_not_at_all() {
    Running s(*database_);
    add_trials(s, 9);
    // Number 8 is there: nothing of the batch is stored.
    const std::vector batch = {trial_of(9, tune::Config(5), 1), trial_of(8, tune::Config(5), 1)};
    QVERIFY(!s.trials.append(batch, state_of(11)));
    QCOMPARE(all_trials(*database_, s.id).size(), size_t{9});
    QCOMPARE(HLOSCOPE_MUST(s.trials.state()).trials, uint64_t{9});
  }

  void who_lost_the_lease_cannot_write() {
    Running s(*database_);
    add_trials(s, 9);
    HLOSCOPE_OK(database_->connection().execute("UPDATE tune_sessions SET token = 'other'"));
    const Status lost = s.trials.append(std::vector{trial_of(9, tune::Config(5), 1)}, state_of(10));
    QVERIFY(!lost && lost.error().code == ErrorCode::kInvalidInput);
    QVERIFY(lost.error().message.find("taken over") != std::string::npos);
    QVERIFY(!s.trials.update(trial_of(3, tune::Config(5), 1), state_of(9)));
    QVERIFY(!s.trials.save(state_of(3)));
    QVERIFY(!s.trials.request());
    QVERIFY(!s.trials.state());
    QVERIFY(!s.lease.end(SessionStatus::kPaused));
    QCOMPARE(all_trials(*database_, s.id).size(), size_t{9});
    // The lease that is lost does not let go of that of the other.
    static_cast<void>(SessionLease(std::move(s.lease)));
    QCOMPARE(HLOSCOPE_MUST(database_->connection().text("SELECT token FROM tune_sessions")),
             std::string("other"));
  }

  void a_reader_in_the_middle_sees_whole_batches() {
    Running s(*database_);
    add_trials(s, 9);
    Database reader = HLOSCOPE_MUST(Database::open(folder_->path(), OpenMode::kReadOnly));
    uint64_t seen = 0;
    HLOSCOPE_OK(TuneSessions(reader).each_trial(s.id, 0, [&](const tune::Trial& trial) {
      // The writer does not wait for the reader, which sees what was there when it began.
      const auto more = std::vector{trial_of(9 + seen, tune::Config(5), 1)};
      if (!s.trials.append(more, state_of(10 + seen))) qFatal("the writer is blocked");
      seen = trial.number + 1;
      return true;
    }));
    QCOMPARE(seen, uint64_t{9});
    QCOMPARE(all_trials(reader, s.id).size(), size_t{18});
  }
};

HLOSCOPE_TEST(TestTuneTrials);
#include "test_tune_trials.moc"
