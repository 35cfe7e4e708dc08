#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "core/base/rng.h"
#include "core/tune/memory_trials.h"
#include "db/run_session.h"
#include "db/sqlite/connection.h"
#include "tests/db/tune_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

namespace {

constexpr size_t kDimensions = 200;
constexpr std::chrono::microseconds kModelDelay{50};
constexpr std::chrono::microseconds kHardwareDelay{2000};

/// Kills in one test function; more with HLOSCOPE_KILLS.
int kills_wanted() {
  const int wanted = qEnvironmentVariableIntValue("HLOSCOPE_KILLS");
  return wanted > 0 ? wanted : 8;
}

tune::Settings settings_of(tune::StrategyKind strategy, bool searches_hardware, uint64_t refine) {
  tune::Settings out = grid_session().settings;
  out.strategy.kind = strategy;
  out.strategy.seed = 7;
  out.strategy.restart_trials = 300;
  if (searches_hardware) {
    out.search.kind = tune::EvaluatorKind::kSimulator;
    out.measure.reset();
    out.budget.trials = 60;
  } else {
    out.budget.trials = 1500;
    out.top_k = 12;
    out.refine = refine;
  }
  return out;
}

/// What becomes of a session that nobody disturbs, with one budget of trials after the other.
tune::MemoryTrials undisturbed(tune::Settings settings, const std::vector<uint64_t>& budgets) {
  tune::MemoryTrials out;
  tune::SessionState state;
  for (const uint64_t trials : budgets) {
    settings.budget.trials = trials;
    tune::Problem problem = grid_problem(settings, kDimensions);
    const auto ending = tune::run_session(problem, settings, state, out);
    if (!ending) qFatal("%s", ending.error().format().c_str());
  }
  return out;
}

/// In the child: runs to the end, and writes a byte for each time that hardware gave.
int run_to_end(const std::filesystem::path& path, TuneSessionRow id, const tune::Settings& settings,
               int pipe_end) {
  Database database = HLOSCOPE_MUST(Database::open(path));
  const auto evaluated = [pipe_end] {
    if (write(pipe_end, "m", 1) != 1) _exit(3);
  };
  tune::Problem problem = grid_problem(settings, kDimensions, {.delay = kModelDelay},
                                       {.delay = kHardwareDelay, .evaluated = evaluated});
  const auto status = run_tune_session(database, id, problem);
  if (!status) qWarning("%s", status.error().format().c_str());
  return status && *status == SessionStatus::kFinished ? 0 : 1;
}

struct Outcome {
  bool was_killed = false;
  uint64_t evaluated = 0;  ///< By hardware.
};

Outcome run_until_killed(const std::filesystem::path& path, TuneSessionRow id,
                         const tune::Settings& settings, std::chrono::microseconds delay) {
  int ends[2];
  if (pipe(ends) != 0) qFatal("no pipe");
  const pid_t child = fork();
  if (child == 0) _exit(run_to_end(path, id, settings, ends[1]));
  close(ends[1]);
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  Outcome out;
  char byte = 0;
  while (read(ends[0], &byte, 1) == 1) ++out.evaluated;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  out.was_killed = WIFSIGNALED(status);
  if (!out.was_killed && WEXITSTATUS(status) != 0) qFatal("the session failed");
  return out;
}

std::string difference(const std::vector<tune::Trial>& a, const std::vector<tune::Trial>& b) {
  if (a.size() != b.size()) return fmt::format("{} and {} trials", a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (!is_same(a[i], b[i])) return fmt::format("trial {} differs", i);
  }
  return {};
}

bool is_same(const tune::SessionState& a, const tune::SessionState& b) {
  return a.phase == b.phase && a.trials == b.trials && a.failed == b.failed &&
         a.measured == b.measured && a.refined == b.refined && a.booked_ns == b.booked_ns &&
         a.best == b.best && a.best_ns == b.best_ns && a.best_is_hardware == b.best_is_hardware &&
         a.baseline_ns == b.baseline_ns;
}

}  // namespace

/// Sessions whose process is killed at any moment make the same trials as others.
class TestTuneKill : public QObject {
  Q_OBJECT
 private:
  static SessionInfo info(const std::filesystem::path& path, TuneSessionRow id) {
    Database database = HLOSCOPE_MUST(Database::open(path));
    if (HLOSCOPE_MUST(database.connection().text("PRAGMA integrity_check")) != "ok") {
      qFatal("the database is damaged");
    }
    return HLOSCOPE_MUST(TuneSessions(database).get(id));
  }
  /// How often it was killed.
  static int kill_until_finished(const std::filesystem::path& path, TuneSessionRow id,
                                 const tune::Settings& settings, Rng& rng) {
    int kills = 0;
    SessionInfo before = info(path, id);
    while (before.status != SessionStatus::kFinished) {
      const auto delay = std::chrono::microseconds(500 + rng.below(200'000));
      const Outcome outcome = run_until_killed(path, id, settings, delay);
      kills += outcome.was_killed ? 1 : 0;
      const SessionInfo after = info(path, id);
      // All that hardware gave but the trial in flight; the default's time is no trial.
      const uint64_t baseline = before.progress.baseline_ns ? 0 : 1;
      if (after.progress.measured + baseline + 1 < before.progress.measured + outcome.evaluated ||
          after.progress.trials < before.progress.trials) {
        qFatal("trials were lost");
      }
      before = after;
    }
    return kills;
  }

 private slots:
  void the_trials_are_those_of_an_undisturbed_run_data() {
    QTest::addColumn<int>("strategy");
    QTest::addColumn<bool>("searches_hardware");
    QTest::addColumn<int>("refine");
    QTest::addColumn<int>("extended_to");
    using enum tune::StrategyKind;
    for (const auto kind : {kAnnealing, kGenetic, kRandom}) {
      const std::string name(tune::name(kind));
      QTest::newRow((name + ", model first").c_str()) << static_cast<int>(kind) << false << 0 << 0;
      QTest::newRow((name + ", hardware only").c_str()) << static_cast<int>(kind) << true << 0 << 0;
    }
    QTest::newRow("refined") << static_cast<int>(kRandom) << false << 25 << 0;
    QTest::newRow("refined, extended") << static_cast<int>(kRandom) << false << 25 << 4000;
  }

  void the_trials_are_those_of_an_undisturbed_run() {
    QFETCH(const int, strategy);
    QFETCH(const bool, searches_hardware);
    QFETCH(const int, refine);
    QFETCH(const int, extended_to);
    const tune::Settings settings = settings_of(static_cast<tune::StrategyKind>(strategy),
                                                searches_hardware, static_cast<uint64_t>(refine));
    std::vector<uint64_t> budgets{*settings.budget.trials};
    if (extended_to > 0) budgets.push_back(static_cast<uint64_t>(extended_to));
    const tune::MemoryTrials expected = undisturbed(settings, budgets);
    Rng rng(20261130 + static_cast<uint64_t>(strategy));
    int kills = 0;
    int sessions = 0;
    while (kills < kills_wanted()) {
      const TempFolder folder;
      TuneSessionRow id;
      {
        Database database = HLOSCOPE_MUST(Database::open(folder.path()));
        NewSession made = grid_session();
        made.settings = settings;
        id = HLOSCOPE_MUST(TuneSessions(database).create(made));
      }
      ++sessions;
      kills += kill_until_finished(folder.path(), id, settings, rng);
      if (extended_to > 0) {
        tune::Budget larger;
        larger.trials = static_cast<uint64_t>(extended_to);
        {
          Database database = HLOSCOPE_MUST(Database::open(folder.path()));
          QVERIFY(TuneSessions(database).set_budget(id, larger));
        }
        QVERIFY(info(folder.path(), id).status != SessionStatus::kFinished);
        kills += kill_until_finished(folder.path(), id, settings, rng);
      }
      const SessionInfo before = info(folder.path(), id);
      Database database = HLOSCOPE_MUST(Database::open(folder.path()));
      QCOMPARE(difference(all_trials(database, id), expected.trials()), std::string());
      QVERIFY(is_same(before.progress, expected.state()));
    }
    qInfo("%d kills in %d sessions", kills, sessions);
  }
};

HLOSCOPE_TEST(TestTuneKill);
#include "test_tune_kill.moc"
