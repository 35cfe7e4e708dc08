#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>

#include "core/tune/problem.h"
#include "db/tuning.h"

namespace hloscope::db {

/// What happens in a running session; called by the thread that runs it.
using SessionWatch =
    std::function<void(double fraction, std::string_view what, const tune::SessionState& state)>;

/// The space and evaluators of a stored session, made from what is stored. Errors: those of
/// tune::make_problem().
[[nodiscard]] Result<tune::Problem> stored_problem(Database& database, const SessionInfo& session,
                                                   const Progress& progress = {});

/// Takes the lease of a session and runs it until it pauses, stops or ends; returns as what it then
/// stands in the database. A requested stop of the token pauses. Errors: those of
/// SessionLease::take(), stored_problem() and tune::run_session(); the session is failed then.
[[nodiscard]] Result<SessionStatus> run_tune_session(Database& database, TuneSessionRow id,
                                                     std::stop_token stop = {},
                                                     const SessionWatch& watch = {});

/// The same with a problem that is at hand.
[[nodiscard]] Result<SessionStatus> run_tune_session(Database& database, TuneSessionRow id,
                                                     tune::Problem& problem,
                                                     std::stop_token stop = {},
                                                     const SessionWatch& watch = {});

}  // namespace hloscope::db
