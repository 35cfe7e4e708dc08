#include "db/session_lease.h"

#include <fmt/format.h>

#include <random>

#include "db/session_owner.h"
#include "db/sqlite/connection.h"
#include "db/tune_rows.h"

namespace hloscope::db {
namespace {

constexpr std::chrono::seconds kBeatTime{5};

/// Not one of the seeded choices: no two leases may ever have the same.
std::string new_token() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

Status check_takeable(TuneSessionRow id, const SessionHolder& holder) {
  switch (holder.status) {
    case SessionStatus::kRunning:
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("tuning session {} runs already ({})", id.value, holder.owner),
                  "'hloscope-cli tune pause' stops it there");
    case SessionStatus::kFinished:
    case SessionStatus::kStopped:
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("tuning session {} is {}", id.value, name(holder.status)),
                  "'hloscope-cli tune extend' gives it a larger budget");
    case SessionStatus::kQueued:
    case SessionStatus::kInterrupted:
    case SessionStatus::kPaused:
    case SessionStatus::kFailed:
    case SessionStatus::kDamaged:
      break;
  }
  return {};
}

}  // namespace

Result<SessionLease> SessionLease::take(Database& database, TuneSessionRow id) {
  HLOSCOPE_TRY(database.writable());
  Connection& connection = database.connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const SessionHolder holder, holder_of(connection, id));
  HLOSCOPE_TRY(check_takeable(id, holder));
  HLOSCOPE_ASSIGN(Statement update, connection.prepare(fmt::format(R"sql(
    UPDATE tune_sessions SET status = 'running', message = '', request = 'none', token = ?2,
      owner_pid = ?3, owner_start = ?4, owner_host = ?5, owner_place = ?6, heartbeat_s = ?7, {}
    WHERE id = ?1)sql",
                                                                   kUpdatedNow)));
  const SessionOwner owner = this_process();
  std::string token = new_token();
  HLOSCOPE_TRY(
      update.run(id, token, owner.pid, owner.start, owner.host, owner.place, seconds_since_1970()));
  HLOSCOPE_TRY(transaction.commit());
  return SessionLease(database, id, std::move(token));
}

SessionLease::SessionLease(SessionLease&& other) noexcept
    : database_(other.database_),
      id_(other.id_),
      token_(std::move(other.token_)),
      last_beat_(other.last_beat_) {
  other.database_ = nullptr;
}

SessionLease::~SessionLease() {
  if (database_ == nullptr) return;
  // This process lives on, so it has to be said that it does not run the session any more.
  auto update = database_->connection().prepare(
      "UPDATE tune_sessions SET token = NULL WHERE id = ?1 AND token = ?2");
  if (update) static_cast<void>(update->run(id_, token_));
}

Status SessionLease::describe(std::string_view search_source, std::string_view measure_source,
                              std::optional<double> space_count) {
  HLOSCOPE_ASSIGN(Statement update, database_->connection().prepare(R"sql(
    UPDATE tune_sessions SET search_source = ?3, measure_source = ?4, space_count = ?5
    WHERE id = ?1 AND token = ?2)sql"));
  HLOSCOPE_TRY(update.run(id_, token_, search_source, measure_source, space_count));
  if (database_->connection().changes() == 0) return lost_lease(id_);
  return {};
}

Status SessionLease::beat() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_beat_ < kBeatTime) return {};
  last_beat_ = now;
  HLOSCOPE_ASSIGN(Statement update, database_->connection().prepare(R"sql(
    UPDATE tune_sessions SET heartbeat_s = ?3 WHERE id = ?1 AND token = ?2)sql"));
  HLOSCOPE_TRY(update.run(id_, token_, seconds_since_1970()));
  if (database_->connection().changes() == 0) return lost_lease(id_);
  return {};
}

Result<bool> SessionLease::take_new_budget() {
  HLOSCOPE_ASSIGN(Statement update, database_->connection().prepare(R"sql(
    UPDATE tune_sessions SET request = 'none'
    WHERE id = ?1 AND token = ?2 AND request = 'reload')sql"));
  HLOSCOPE_TRY(update.run(id_, token_));
  return database_->connection().changes() > 0;
}

Status SessionLease::end(SessionStatus status, std::string_view message) {
  // A request that nobody has looked at yet still counts.
  HLOSCOPE_ASSIGN(Statement update, database_->connection().prepare(fmt::format(R"sql(
    UPDATE tune_sessions SET
      status = CASE WHEN ?3 = 'paused' AND request = 'stop' THEN 'stopped'
                    WHEN ?3 = 'finished' AND request = 'reload' THEN 'paused' ELSE ?3 END,
      message = ?4, request = 'none', token = NULL, owner_pid = NULL, owner_start = NULL,
      owner_host = NULL, owner_place = NULL, {}
    WHERE id = ?1 AND token = ?2)sql",
                                                                                kUpdatedNow)));
  HLOSCOPE_TRY(update.run(id_, token_, name(status), message));
  if (database_->connection().changes() == 0) return lost_lease(id_);
  database_ = nullptr;
  return {};
}

}  // namespace hloscope::db
