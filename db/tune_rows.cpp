#include "db/tune_rows.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "db/session_lease.h"
#include "db/session_owner.h"

namespace hloscope::db {
namespace {

using tune::Phase;

constexpr std::array kPhases = {std::pair{Phase::kSearch, "search"},
                                std::pair{Phase::kMeasure, "measure"},
                                std::pair{Phase::kDone, "done"}};
constexpr std::array kStatuses = {SessionStatus::kQueued,     SessionStatus::kRunning,
                                  SessionStatus::kPaused,     SessionStatus::kFinished,
                                  SessionStatus::kStopped,    SessionStatus::kFailed,
                                  SessionStatus::kInterrupted};

SessionStatus status_by_name(std::string_view text) {
  for (const SessionStatus status : kStatuses) {
    if (text == name(status)) return status;
  }
  return SessionStatus::kFailed;
}

/// Many times what the largest programs have; a damaged file may hold any number, and room is made
/// for it.
constexpr int64_t kMostDimensions = int64_t{1} << 24;

/// Nothing that hloscope writes, but a damaged file may hold: as uint64_t they would be enormous.
Result<uint64_t> count_of(const Statement& row, int column) {
  const int64_t value = row.integer(column);
  if (value >= 0) return static_cast<uint64_t>(value);
  return fail(ErrorCode::kInvalidInput, fmt::format("a stored number is {}", value),
              "take the session from a copy of the database");
}

/// Times, and their sums.
Result<double> amount_of(const Statement& row, int column) {
  const double value = row.real(column);
  if (std::isfinite(value) && value >= 0) return value;
  return fail(ErrorCode::kInvalidInput, fmt::format("a stored time is {:g}", value),
              "take the session from a copy of the database");
}

Result<std::optional<double>> amount_or_null(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  HLOSCOPE_ASSIGN(const double value, amount_of(row, column));
  return value;
}

bool is_held(const SessionOwner& owner, int64_t heartbeat_s) {
  switch (liveness(owner)) {
    case Liveness::kAlive:
      return true;
    case Liveness::kGone:
      return false;
    case Liveness::kElsewhere:
      break;
  }
  return seconds_since_1970() - heartbeat_s <= SessionLease::kLeaseSeconds;
}

}  // namespace

std::string_view name(SessionStatus status) {
  switch (status) {
    case SessionStatus::kQueued:
      return "queued";
    case SessionStatus::kRunning:
      return "running";
    case SessionStatus::kInterrupted:
      return "interrupted";
    case SessionStatus::kPaused:
      return "paused";
    case SessionStatus::kFinished:
      return "finished";
    case SessionStatus::kStopped:
      return "stopped";
    case SessionStatus::kDamaged:
      return "damaged";
    case SessionStatus::kFailed:
      break;
  }
  return "failed";
}

std::string_view phase_text(Phase phase) {
  for (const auto& [known, text] : kPhases) {
    if (known == phase) return text;
  }
  return {};
}

Result<tune::SessionState> read_state(const Statement& row, int first) {
  tune::SessionState state;
  for (const auto& [phase, text] : kPhases) {
    if (row.text(first) == text) state.phase = phase;
  }
  HLOSCOPE_ASSIGN(state.trials, count_of(row, first + 1));
  HLOSCOPE_ASSIGN(state.failed, count_of(row, first + 2));
  HLOSCOPE_ASSIGN(state.measured, count_of(row, first + 3));
  HLOSCOPE_ASSIGN(state.active_s, amount_of(row, first + 4));
  HLOSCOPE_ASSIGN(state.booked_ns, amount_of(row, first + 5));
  if (!row.is_null(first + 6)) {
    HLOSCOPE_ASSIGN(state.best, count_of(row, first + 6));
  }
  HLOSCOPE_ASSIGN(state.best_ns, amount_or_null(row, first + 7));
  state.best_is_hardware = row.integer(first + 8) != 0;
  HLOSCOPE_ASSIGN(state.baseline_ns, amount_or_null(row, first + 9));
  HLOSCOPE_ASSIGN(state.refined, count_of(row, first + 10));
  if (state.refined > state.trials) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("of {} trials {} are refined", state.trials, state.refined));
  }
  return state;
}

Result<tune::Trial> read_trial(const Statement& row, const tune::Config* base) {
  tune::Trial trial;
  HLOSCOPE_ASSIGN(trial.number, count_of(row, 0));
  HLOSCOPE_ASSIGN(trial.predicted_ns, amount_or_null(row, 1));
  HLOSCOPE_ASSIGN(trial.hardware_ns, amount_or_null(row, 2));
  HLOSCOPE_ASSIGN(trial.measured_as, count_of(row, 3));
  HLOSCOPE_ASSIGN(trial.booked_ns, amount_of(row, 4));
  trial.error = row.text(5);
  trial.accepted = row.integer(6) != 0;
  trial.temperature = row.real(7);
  trial.at_s = row.real(8);
  trial.refined = row.integer(9) != 0;
  if (base != nullptr) {
    HLOSCOPE_ASSIGN(trial.config, tune::decode_config(row.blob(10), *base));
  }
  return trial;
}

Status read_trials(Statement& select, const tune::Config* base,
                   const std::function<bool(const tune::Trial&)>& callback) {
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return {};
    HLOSCOPE_ASSIGN(const tune::Trial trial, read_trial(select, base));
    if (!callback(trial)) return {};
  }
}

Result<std::optional<tune::Config>> read_base(Connection& connection, TuneSessionRow id) {
  HLOSCOPE_ASSIGN(Statement select, connection.prepare(R"sql(
    SELECT dimensions, base FROM tune_inputs WHERE session_id = ?1)sql"));
  select.bind(id);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return without_inputs(connection, id);
  if (select.is_null(0)) return std::nullopt;
  const int64_t dimensions = select.integer(0);
  if (dimensions < 0 || dimensions > kMostDimensions) {
    return fail(damage_of(id, fmt::format("its space has {} dimensions", dimensions)));
  }
  const tune::Config zeros(static_cast<size_t>(dimensions));
  HLOSCOPE_ASSIGN(tune::Config base, tune::decode_config(select.blob(1), zeros));
  return base;
}

Status write_base(Connection& connection, TuneSessionRow id, const tune::Config& base) {
  HLOSCOPE_ASSIGN(Statement update, connection.prepare(R"sql(
    UPDATE tune_inputs SET dimensions = ?2, base = ?3 WHERE session_id = ?1)sql"));
  const std::string bytes = tune::encode_config(base, tune::Config(base.size()));
  return update.run(id, static_cast<int64_t>(base.size()), Blob{bytes});
}

SessionHolder read_holder(const Statement& row, int first) {
  SessionHolder out{status_by_name(row.text(first)), {}};
  if (out.status != SessionStatus::kRunning) return out;
  const SessionOwner owner{row.integer(first + 2), row.integer(first + 3),
                           std::string(row.text(first + 4)), std::string(row.text(first + 5))};
  if (row.is_null(first + 1) || !is_held(owner, row.integer(first + 6))) {
    out.status = SessionStatus::kInterrupted;
  } else {
    out.owner = fmt::format("pid {} on {}", owner.pid, owner.host);
  }
  return out;
}

Result<SessionHolder> holder_of(Connection& connection, TuneSessionRow id) {
  HLOSCOPE_ASSIGN(Statement select,
                  connection.prepare(
                      fmt::format("SELECT {} FROM tune_sessions WHERE id = ?1", kHolderColumns)));
  select.bind(id);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return unknown_session(id);
  return read_holder(select, 0);
}

int64_t seconds_since_1970() {
  using std::chrono::duration_cast;
  using std::chrono::seconds;
  return duration_cast<seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Error damage_of(TuneSessionRow id, std::string_view what) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("tuning session {} is damaged: {}", id.value, what);
  error.hint = fmt::format(
      "'hloscope-cli tune remove {}' takes it away; or take the session from a copy of the "
      "database",
      id.value);
  return error;
}

tl::unexpected<Error> without_inputs(Connection& connection, TuneSessionRow id) {
  HLOSCOPE_TRY(holder_of(connection, id));
  return fail(damage_of(id, "its program is not in the database"));
}

tl::unexpected<Error> unknown_session(TuneSessionRow id) {
  return fail(ErrorCode::kNotFound, fmt::format("there is no tuning session {}", id.value),
              "'hloscope-cli sessions --db FILE' lists them");
}

tl::unexpected<Error> lost_lease(TuneSessionRow id) {
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("another process has taken over tuning session {}, or removed it", id.value),
      "what was stored until then is kept");
}

}  // namespace hloscope::db
