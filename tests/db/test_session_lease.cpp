#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "db/session_lease.h"
#include "db/session_owner.h"
#include "db/sqlite/connection.h"
#include "tests/db/tune_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

/// One process at a time runs a session.
class TestSessionLease : public DatabaseTest {
  Q_OBJECT
 private:
  TuneSessionRow add() { return HLOSCOPE_MUST(TuneSessions(*database_).create(grid_session())); }
  SessionLease take(TuneSessionRow id) { return HLOSCOPE_MUST(SessionLease::take(*database_, id)); }
  SessionInfo info(TuneSessionRow id) { return HLOSCOPE_MUST(TuneSessions(*database_).get(id)); }
  void set(const std::string& assignments) {
    HLOSCOPE_OK(database_->connection().execute("UPDATE tune_sessions SET " + assignments));
  }

 private slots:
  void a_session_is_run_once_at_a_time() {
    const TuneSessionRow id = add();
    SessionLease lease = take(id);
    QVERIFY(info(id).status == SessionStatus::kRunning);
    const std::string owner = fmt::format("pid {} on ", getpid());
    QVERIFY(info(id).owner.starts_with(owner));
    const auto second = SessionLease::take(*database_, id);
    QVERIFY(!second && second.error().code == ErrorCode::kInvalidInput);
    QVERIFY(second.error().message.find(owner) != std::string::npos);
    QVERIFY(!TuneSessions(*database_).remove(id));
    HLOSCOPE_OK(lease.describe("predicted (m)", "simulated (s)", 16.0));
    HLOSCOPE_OK(lease.end(SessionStatus::kPaused));
    const SessionInfo paused = info(id);
    QVERIFY(paused.status == SessionStatus::kPaused && paused.owner.empty());
    QCOMPARE(paused.search_source, std::string("predicted (m)"));
    QCOMPARE(paused.measure_source, std::string("simulated (s)"));
    QVERIFY(paused.space_count == 16.0);
    QVERIFY(SessionLease::take(*database_, id).has_value());
  }

  void what_is_over_is_not_run_and_what_failed_is() {
    const TuneSessionRow id = add();
    HLOSCOPE_OK(take(id).end(SessionStatus::kFailed, "no such model"));
    QCOMPARE(info(id).message, std::string("no such model"));
    HLOSCOPE_OK(take(id).end(SessionStatus::kFinished));
    QVERIFY(info(id).message.empty());
    const auto again = SessionLease::take(*database_, id);
    QVERIFY(!again && again.error().hint.find("extend") != std::string::npos);
    QVERIFY(SessionLease::take(*database_, {5}).error().code == ErrorCode::kNotFound);
  }

  void a_lease_that_is_not_ended_leaves_an_interrupted_session() {
    const TuneSessionRow id = add();
    static_cast<void>(take(id));
    QVERIFY(info(id).status == SessionStatus::kInterrupted);
    HLOSCOPE_OK(TuneSessions(*database_).request(id, tune::Request::kPause));
    QVERIFY(info(id).status == SessionStatus::kPaused);
  }

  void the_session_of_a_killed_process_is_interrupted_at_once() {
    const TuneSessionRow id = add();
    database_.reset();
    const int code = exit_code_of_child([&] {
      Database database = HLOSCOPE_MUST(Database::open(folder_->path()));
      const SessionLease lease = HLOSCOPE_MUST(SessionLease::take(database, id));
      return kill(getpid(), SIGKILL);
    });
    QCOMPARE(code, -1);
    database_.emplace(HLOSCOPE_MUST(Database::open(folder_->path())));
    QVERIFY(info(id).status == SessionStatus::kInterrupted);
    QVERIFY(info(id).owner.empty());
    HLOSCOPE_OK(take(id).end(SessionStatus::kFinished));
  }

  void a_process_that_nobody_waited_for_is_gone_too() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    siginfo_t ended{};
    QCOMPARE(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    SessionOwner owner = this_process();
    QVERIFY(liveness(owner) == Liveness::kAlive);
    // Another process has got the number of one that is gone.
    ++owner.start;
    QVERIFY(liveness(owner) == Liveness::kGone);
    owner.pid = child;
    QVERIFY(liveness(owner) == Liveness::kGone);
    waitpid(child, nullptr, 0);
    owner.place = "elsewhere";
    QVERIFY(liveness(owner) == Liveness::kElsewhere);
  }

  void a_session_elsewhere_lives_by_its_heartbeat() {
    const TuneSessionRow id = add();
    SessionLease lease = take(id);
    set("owner_place = 'elsewhere', owner_pid = 1");
    QVERIFY(info(id).status == SessionStatus::kRunning);
    set(fmt::format("heartbeat_s = heartbeat_s - {}", SessionLease::kLeaseSeconds + 1));
    QVERIFY(info(id).status == SessionStatus::kInterrupted);
    // Every change of the session is a sign of life.
    HLOSCOPE_OK(StoredTrials(lease).save({}));
    QVERIFY(info(id).status == SessionStatus::kRunning);
  }

  void requests_reach_the_running_session() {
    const TuneSessionRow id = add();
    TuneSessions sessions(*database_);
    SessionLease lease = take(id);
    StoredTrials trials(lease);
    QVERIFY(HLOSCOPE_MUST(trials.request()) == tune::Request::kNone);
    HLOSCOPE_OK(sessions.request(id, tune::Request::kPause));
    QVERIFY(HLOSCOPE_MUST(trials.request()) == tune::Request::kPause);
    QVERIFY(info(id).status == SessionStatus::kRunning);
    HLOSCOPE_OK(sessions.request(id, tune::Request::kStop));
    QVERIFY(HLOSCOPE_MUST(trials.request()) == tune::Request::kStop);
    // That came too late to be looked at.
    HLOSCOPE_OK(lease.end(SessionStatus::kPaused));
    QVERIFY(info(id).status == SessionStatus::kStopped);
  }

  void a_new_budget_reaches_the_running_session() {
    const TuneSessionRow id = add();
    TuneSessions sessions(*database_);
    SessionLease lease = take(id);
    StoredTrials trials(lease);
    QVERIFY(!HLOSCOPE_MUST(lease.take_new_budget()));
    HLOSCOPE_OK(sessions.set_budget(id, {200, {}, {}}));
    QVERIFY(HLOSCOPE_MUST(trials.request()) == tune::Request::kPause);
    QVERIFY(HLOSCOPE_MUST(lease.take_new_budget()));
    QVERIFY(!HLOSCOPE_MUST(lease.take_new_budget()));
    QVERIFY(HLOSCOPE_MUST(trials.request()) == tune::Request::kNone);
    // One that comes with the end leaves something to do.
    HLOSCOPE_OK(sessions.set_budget(id, {300, {}, {}}));
    HLOSCOPE_OK(lease.end(SessionStatus::kFinished));
    QVERIFY(info(id).status == SessionStatus::kPaused);
  }
};

HLOSCOPE_TEST(TestSessionLease);
#include "test_session_lease.moc"
