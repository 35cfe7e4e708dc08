#include <fmt/format.h>

#include "db/session_lease.h"
#include "db/sqlite/connection.h"
#include "db/tune_rows.h"

namespace hloscope::db {
namespace {

Status write_state(const SessionLease& lease, const tune::SessionState& state) {
  Connection& connection = lease.database().connection();
  HLOSCOPE_ASSIGN(Statement update, connection.prepare(fmt::format(R"sql(
    UPDATE tune_sessions SET phase = ?3, trials = ?4, failed = ?5, measured = ?6, active_s = ?7,
      booked_ns = ?8, best = ?9, best_ns = ?10, best_is_hardware = ?11, baseline_ns = ?12,
      strategy = ?13, heartbeat_s = ?14, refined = ?15, {}
    WHERE id = ?1 AND token = ?2)sql",
                                                                   kUpdatedNow)));
  std::optional<int64_t> best;
  if (state.best) best = static_cast<int64_t>(*state.best);
  HLOSCOPE_TRY(update.run(
      lease.id(), lease.token(), phase_text(state.phase), static_cast<int64_t>(state.trials),
      static_cast<int64_t>(state.failed), static_cast<int64_t>(state.measured), state.active_s,
      state.booked_ns, best, state.best_ns, state.best_is_hardware, state.baseline_ns,
      Blob{state.strategy}, seconds_since_1970(), static_cast<int64_t>(state.refined)));
  if (connection.changes() == 0) return lost_lease(lease.id());
  return {};
}

Status insert_trials(Connection& connection, TuneSessionRow id, std::span<const tune::Trial> trials,
                     const tune::Config& base) {
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
    INSERT INTO tune_trials (session_id, number, config, predicted_ns, hardware_ns, measured_as,
                             booked_ns, error, accepted, temperature, at_s, refined)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12))sql"));
  for (const tune::Trial& trial : trials) {
    const std::string config = tune::encode_config(trial.config, base);
    HLOSCOPE_TRY(insert.run(id, static_cast<int64_t>(trial.number), Blob{config},
                            trial.predicted_ns, trial.hardware_ns,
                            static_cast<int64_t>(trial.measured_as), trial.booked_ns, trial.error,
                            trial.accepted, trial.temperature, trial.at_s, trial.refined));
  }
  return {};
}

std::string select_trials(std::string_view rest) {
  return fmt::format("SELECT {} FROM tune_trials WHERE session_id = ?1 {}", kTrialColumns, rest);
}

std::string select_numbers(std::string_view rest) {
  return fmt::format("SELECT {} FROM tune_trials WHERE session_id = ?1 {}", kNumberColumns, rest);
}

Result<tune::Trial> read_one(Connection& connection, TuneSessionRow id, uint64_t number,
                             const tune::Config* base) {
  HLOSCOPE_ASSIGN(Statement select, connection.prepare(select_trials("AND number = ?2")));
  select.bind(id, static_cast<int64_t>(number));
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found || base == nullptr) {
    return fail(ErrorCode::kNotFound,
                fmt::format("tuning session {} has no trial {}", id.value, number));
  }
  return read_trial(select, base);
}

}  // namespace

Status TuneSessions::each_trial(TuneSessionRow id, uint64_t from,
                                const std::function<bool(const tune::Trial&)>& callback,
                                bool with_configs) const {
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(const auto base, read_base(connection, id));
  if (!base) return {};
  constexpr std::string_view kRest = "AND number >= ?2 ORDER BY number";
  HLOSCOPE_ASSIGN(Statement select,
                  connection.prepare(with_configs ? select_trials(kRest) : select_numbers(kRest)));
  select.bind(id, static_cast<int64_t>(from));
  return read_trials(select, with_configs ? &*base : nullptr, callback);
}

Result<tune::Trial> TuneSessions::trial(TuneSessionRow id, uint64_t number) const {
  HLOSCOPE_ASSIGN(const auto base, read_base(database_->connection(), id));
  return read_one(database_->connection(), id, number, base ? &*base : nullptr);
}

Result<std::vector<tune::Trial>> TuneSessions::measured_trials(TuneSessionRow id) const {
  Connection& connection = database_->connection();
  std::vector<tune::Trial> out;
  HLOSCOPE_ASSIGN(const auto base, read_base(connection, id));
  if (!base) return out;
  HLOSCOPE_ASSIGN(Statement select,
                  connection.prepare(select_trials("AND measured_as > 0 ORDER BY measured_as")));
  select.bind(id);
  HLOSCOPE_TRY(read_trials(select, &*base, [&out](const tune::Trial& trial) {
    out.push_back(trial);
    return true;
  }));
  return out;
}

Result<tune::SessionState> StoredTrials::state() const {
  Connection& connection = lease_->database().connection();
  HLOSCOPE_ASSIGN(
      Statement select,
      connection.prepare(fmt::format(
          "SELECT {}, strategy FROM tune_sessions WHERE id = ?1 AND token = ?2", kStateColumns)));
  select.bind(lease_->id(), lease_->token());
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return lost_lease(lease_->id());
  HLOSCOPE_ASSIGN(tune::SessionState state, read_state(select, 0));
  constexpr int kStrategyColumn = 11;
  state.strategy = select.blob(kStrategyColumn);
  return state;
}

Result<const tune::Config*> StoredTrials::base(const tune::Config* first) const {
  if (base_) return &*base_;
  Connection& connection = lease_->database().connection();
  HLOSCOPE_ASSIGN(auto stored, read_base(connection, lease_->id()));
  if (!stored && first != nullptr) {
    HLOSCOPE_TRY(write_base(connection, lease_->id(), *first));
    return first;  // Not kept before it is committed.
  }
  base_ = std::move(stored);
  return base_ ? &*base_ : nullptr;
}

Status StoredTrials::append(std::span<const tune::Trial> trials, const tune::SessionState& state) {
  if (trials.empty()) return save(state);
  Connection& connection = lease_->database().connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_TRY(write_state(*lease_, state));
  HLOSCOPE_ASSIGN(const tune::Config* const against, base(&trials.front().config));
  HLOSCOPE_TRY(insert_trials(connection, lease_->id(), trials, *against));
  return transaction.commit();
}

Status StoredTrials::update(const tune::Trial& trial, const tune::SessionState& state) {
  Connection& connection = lease_->database().connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_TRY(write_state(*lease_, state));
  HLOSCOPE_ASSIGN(Statement update, connection.prepare(R"sql(
    UPDATE tune_trials SET predicted_ns = ?3, hardware_ns = ?4, measured_as = ?5, booked_ns = ?6,
      error = ?7, accepted = ?8, temperature = ?9, at_s = ?10
    WHERE session_id = ?1 AND number = ?2)sql"));
  HLOSCOPE_TRY(update.run(lease_->id(), static_cast<int64_t>(trial.number), trial.predicted_ns,
                          trial.hardware_ns, static_cast<int64_t>(trial.measured_as),
                          trial.booked_ns, trial.error, trial.accepted, trial.temperature,
                          trial.at_s));
  if (connection.changes() == 0) {
    return fail(ErrorCode::kNotFound,
                fmt::format("tuning session {} has no trial {}", lease_->id().value, trial.number));
  }
  return transaction.commit();
}

Status StoredTrials::save(const tune::SessionState& state) {
  return write_state(*lease_, state);
}

Status StoredTrials::each(const std::function<bool(const tune::Trial&)>& callback) const {
  HLOSCOPE_ASSIGN(const tune::Config* const against, base(nullptr));
  if (against == nullptr) return {};
  HLOSCOPE_ASSIGN(Statement select,
                  lease_->database().connection().prepare(select_trials("ORDER BY number")));
  select.bind(lease_->id());
  return read_trials(select, against, callback);
}

Result<tune::Trial> StoredTrials::get(uint64_t number) const {
  HLOSCOPE_ASSIGN(const tune::Config* const against, base(nullptr));
  return read_one(lease_->database().connection(), lease_->id(), number, against);
}

Result<std::vector<tune::Trial>> StoredTrials::best_predicted(uint64_t count) const {
  std::vector<tune::Trial> out;
  HLOSCOPE_ASSIGN(const tune::Config* const against, base(nullptr));
  if (against == nullptr) return out;
  HLOSCOPE_ASSIGN(
      Statement select,
      lease_->database().connection().prepare(select_trials(
          "AND predicted_ns IS NOT NULL AND refined = 0 ORDER BY predicted_ns, number LIMIT ?2")));
  select.bind(lease_->id(), static_cast<int64_t>(count));
  HLOSCOPE_TRY(read_trials(select, against, [&out](const tune::Trial& trial) {
    out.push_back(trial);
    return true;
  }));
  return out;
}

Result<tune::Request> StoredTrials::request() {
  HLOSCOPE_TRY(lease_->beat());
  HLOSCOPE_ASSIGN(Statement select, lease_->database().connection().prepare(R"sql(
    SELECT request FROM tune_sessions WHERE id = ?1 AND token = ?2)sql"));
  select.bind(lease_->id(), lease_->token());
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return lost_lease(lease_->id());
  const std::string_view request = select.text(0);
  if (request == "stop") return tune::Request::kStop;
  // To go on with other settings a session is paused first: see run_tune_session().
  return request == "none" ? tune::Request::kNone : tune::Request::kPause;
}

}  // namespace hloscope::db
