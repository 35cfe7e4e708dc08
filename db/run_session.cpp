#include "db/run_session.h"

#include <thread>

#include "core/hlo/read.h"
#include "db/session_lease.h"

namespace hloscope::db {
namespace {

SessionStatus status_of(tune::Ending ending) {
  switch (ending) {
    case tune::Ending::kPaused:
      return SessionStatus::kPaused;
    case tune::Ending::kStopped:
      return SessionStatus::kStopped;
    case tune::Ending::kFinished:
    case tune::Ending::kExhausted:
      break;
  }
  return SessionStatus::kFinished;
}

using MakeProblem = std::function<Result<tune::Problem*>(const SessionInfo&, const Progress&)>;

/// One taking of the lease.
class Run {
 public:
  Run(SessionLease& lease, std::stop_token stop, const SessionWatch& watch)
      : lease_(lease), sessions_(lease.database()), trials_(lease), watch_(watch) {
    progress_ = Progress(std::move(stop), [this](double fraction, std::string_view what) {
      report(fraction, what);
    });
  }

  Result<tune::Ending> run(const MakeProblem& make_problem) {
    HLOSCOPE_ASSIGN(state_, trials_.state());
    HLOSCOPE_ASSIGN(SessionInfo info, sessions_.get(lease_.id()));
    HLOSCOPE_ASSIGN(tune::Problem* const problem, make_problem(info, progress_));
    HLOSCOPE_TRY(lease_.describe(problem->search->source(),
                                 problem->measure ? problem->measure->source() : std::string(),
                                 problem->space->count()));
    while (true) {
      HLOSCOPE_ASSIGN(const tune::Ending ending,
                      tune::run_session(*problem, info.settings, state_, trials_, progress_));
      HLOSCOPE_ASSIGN(const bool has_new_budget, lease_.take_new_budget());
      const bool goes_on = has_new_budget && ending != tune::Ending::kStopped;
      if (!goes_on || progress_.stop_requested()) return ending;
      HLOSCOPE_ASSIGN(info, sessions_.get(lease_.id()));
    }
  }

 private:
  void report(double fraction, std::string_view what) {
    // Evaluators may have threads of their own; the database belongs to this one.
    if (std::this_thread::get_id() != thread_) return;
    // Who lost the lease is told with the next trial.
    static_cast<void>(lease_.beat());
    if (watch_) watch_(fraction, what, state_);
  }

  SessionLease& lease_;
  TuneSessions sessions_;
  StoredTrials trials_;
  const SessionWatch& watch_;
  Progress progress_;
  tune::SessionState state_;
  std::thread::id thread_ = std::this_thread::get_id();
};

Result<SessionStatus> run_with(Database& database, TuneSessionRow id, std::stop_token stop,
                               const SessionWatch& watch, const MakeProblem& make_problem) {
  HLOSCOPE_ASSIGN(SessionLease lease, SessionLease::take(database, id));
  const Result<tune::Ending> ending = Run(lease, std::move(stop), watch).run(make_problem);
  if (ending) {
    HLOSCOPE_TRY(lease.end(status_of(*ending)));
  } else if (ending.error().code == ErrorCode::kCancelled) {
    HLOSCOPE_TRY(lease.end(SessionStatus::kPaused));
  } else {
    // The first error is the one to tell.
    static_cast<void>(lease.end(SessionStatus::kFailed, ending.error().headline()));
    return fail(ending.error());
  }
  HLOSCOPE_ASSIGN(const SessionInfo info, TuneSessions(database).get(id));
  return info.status;
}

}  // namespace

Result<tune::Problem> stored_problem(Database& database, const SessionInfo& session,
                                     const Progress& progress) {
  const TuneSessions sessions(database);
  HLOSCOPE_ASSIGN(std::string text, sessions.hlo_text(session.id));
  HLOSCOPE_ASSIGN(const tune::Recorded recorded, sessions.recorded(session.id));
  HLOSCOPE_ASSIGN(hlo::ProgramPtr program, hlo::parse_program(std::move(text), session.name));
  return tune::make_problem(std::move(program), session.settings, recorded, progress);
}

Result<SessionStatus> run_tune_session(Database& database, TuneSessionRow id, std::stop_token stop,
                                       const SessionWatch& watch) {
  tune::Problem problem;
  const auto make = [&](const SessionInfo& info,
                        const Progress& progress) -> Result<tune::Problem*> {
    HLOSCOPE_ASSIGN(problem, stored_problem(database, info, progress));
    return &problem;
  };
  return run_with(database, id, std::move(stop), watch, make);
}

Result<SessionStatus> run_tune_session(Database& database, TuneSessionRow id,
                                       tune::Problem& problem, std::stop_token stop,
                                       const SessionWatch& watch) {
  const auto make = [&](const SessionInfo&, const Progress&) -> Result<tune::Problem*> {
    return &problem;
  };
  return run_with(database, id, std::move(stop), watch, make);
}

}  // namespace hloscope::db
