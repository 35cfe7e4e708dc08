#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "db/sqlite/connection.h"
#include "db/tuning.h"

/// What the files about tuning sessions share.
namespace hloscope::db {

/// Columns of a tune::SessionState without its strategy, from `phase` on.
inline constexpr std::string_view kStateColumns =
    "phase, trials, failed, measured, active_s, booked_ns, best, best_ns, best_is_hardware, "
    "baseline_ns, refined";
/// Error: kInvalidInput where a damaged file holds negative numbers; so for trials too.
[[nodiscard]] Result<tune::SessionState> read_state(const Statement& row, int first_column);
[[nodiscard]] std::string_view phase_text(tune::Phase phase);

/// Columns of a tune::Trial.
inline constexpr std::string_view kTrialColumns =
    "number, predicted_ns, hardware_ns, measured_as, booked_ns, error, accepted, temperature, "
    "at_s, refined, config";
/// The same without the configuration.
inline constexpr std::string_view kNumberColumns =
    "number, predicted_ns, hardware_ns, measured_as, booked_ns, error, accepted, temperature, "
    "at_s, "
    "refined";
/// Without `base` the configuration is left empty.
[[nodiscard]] Result<tune::Trial> read_trial(const Statement& row, const tune::Config* base);
/// Calls back for each row of `select`, which is bound.
[[nodiscard]] Status read_trials(Statement& select, const tune::Config* base,
                                 const std::function<bool(const tune::Trial&)>& callback);

/// The configuration that those of the session are stored against; empty before the first trial.
[[nodiscard]] Result<std::optional<tune::Config>> read_base(Connection& connection,
                                                            TuneSessionRow id);
[[nodiscard]] Status write_base(Connection& connection, TuneSessionRow id,
                                const tune::Config& base);

/// Status and owner as they are now: sessions whose process is gone are interrupted.
struct SessionHolder {
  SessionStatus status = SessionStatus::kQueued;
  std::string owner;  ///< "pid 123 on host" while running.
};
/// Columns for read_holder().
inline constexpr std::string_view kHolderColumns =
    "status, token, owner_pid, owner_start, owner_host, owner_place, heartbeat_s";
[[nodiscard]] SessionHolder read_holder(const Statement& row, int first_column);
/// Error: kNotFound.
[[nodiscard]] Result<SessionHolder> holder_of(Connection& connection, TuneSessionRow id);

[[nodiscard]] int64_t seconds_since_1970();
/// What is wrong with the rows of a session, and what the user can do.
[[nodiscard]] Error damage_of(TuneSessionRow id, std::string_view what);
/// Of a session whose program and recorded runs were not found: unknown, or damaged.
[[nodiscard]] tl::unexpected<Error> without_inputs(Connection& connection, TuneSessionRow id);
[[nodiscard]] tl::unexpected<Error> unknown_session(TuneSessionRow id);
/// Of a write that the token of a SessionLease did not allow.
[[nodiscard]] tl::unexpected<Error> lost_lease(TuneSessionRow id);

/// For updates of tune_sessions.
inline constexpr std::string_view kUpdatedNow = "updated = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

}  // namespace hloscope::db
