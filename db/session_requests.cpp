#include <fmt/format.h>

#include "db/sqlite/connection.h"
#include "db/tune_rows.h"
#include "db/tuning.h"

namespace hloscope::db {
namespace {

std::string_view request_text(tune::Request request) {
  switch (request) {
    case tune::Request::kPause:
      return "pause";
    case tune::Request::kStop:
      return "stop";
    case tune::Request::kNone:
      break;
  }
  return "none";
}

Status set_request(Connection& connection, TuneSessionRow id, std::string_view request) {
  HLOSCOPE_ASSIGN(Statement update,
                  connection.prepare("UPDATE tune_sessions SET request = ?2 WHERE id = ?1"));
  return update.run(id, request);
}

Status set_status(Connection& connection, TuneSessionRow id, SessionStatus status) {
  HLOSCOPE_ASSIGN(Statement update, connection.prepare(fmt::format(R"sql(
    UPDATE tune_sessions SET status = ?2, request = 'none', message = '', token = NULL, {}
    WHERE id = ?1)sql",
                                                                   kUpdatedNow)));
  return update.run(id, name(status));
}

bool is_over(SessionStatus status) {
  return status == SessionStatus::kFinished || status == SessionStatus::kStopped;
}

Status check_budget(const tune::Budget& budget, const tune::SessionState& spent) {
  std::string what;
  if (budget.trials && *budget.trials < spent.searched()) {
    what = fmt::format("{} trials, of which {} are done", *budget.trials, spent.searched());
  } else if (budget.time_s && *budget.time_s < spent.active_s) {
    what = fmt::format("{} s, of which {:.1f} s are spent", *budget.time_s, spent.active_s);
  } else if (budget.hardware_s && *budget.hardware_s * 1e9 < spent.booked_ns) {
    what = fmt::format("{} s of hardware, of which {:.1f} s are spent", *budget.hardware_s,
                       spent.booked_ns * 1e-9);
  }
  if (what.empty()) return {};
  return fail(ErrorCode::kInvalidInput, "a budget of " + what,
              "give more than is spent; 'tune stop' ends a session");
}

}  // namespace

Status TuneSessions::request(TuneSessionRow id, tune::Request request) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const SessionHolder holder, holder_of(connection, id));
  const SessionStatus wanted =
      request == tune::Request::kStop ? SessionStatus::kStopped : SessionStatus::kPaused;
  if (holder.status == SessionStatus::kRunning) {
    HLOSCOPE_TRY(set_request(connection, id, request_text(request)));
    return transaction.commit();
  }
  if (request == tune::Request::kNone || holder.status == wanted) return {};
  if (is_over(holder.status) || holder.status == SessionStatus::kFailed) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("tuning session {} is {} already", id.value, name(holder.status)));
  }
  HLOSCOPE_TRY(set_status(connection, id, wanted));
  return transaction.commit();
}

Status TuneSessions::set_budget(TuneSessionRow id, const tune::Budget& budget) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const SessionInfo info, get(id));
  HLOSCOPE_TRY(check_budget(budget, info.progress));
  tune::Settings settings = info.settings;
  settings.budget = budget;
  HLOSCOPE_TRY(tune::check_settings(settings));
  HLOSCOPE_ASSIGN(Statement update,
                  connection.prepare("UPDATE tune_sessions SET settings = ?2 WHERE id = ?1"));
  HLOSCOPE_TRY(update.run(id, tune::settings_json(settings)));
  if (info.status == SessionStatus::kRunning) {
    // A request to pause or stop stays what it is: what runs next takes the new budget anyway.
    HLOSCOPE_ASSIGN(Statement reload, connection.prepare(R"sql(
      UPDATE tune_sessions SET request = 'reload' WHERE id = ?1 AND request = 'none')sql"));
    HLOSCOPE_TRY(reload.run(id));
  } else if (is_over(info.status)) {
    HLOSCOPE_TRY(set_status(connection, id, SessionStatus::kPaused));
  }
  return transaction.commit();
}

}  // namespace hloscope::db
