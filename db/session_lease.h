#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/tuning.h"

namespace hloscope::db {

/// The right to run a session: one process at a time has it. A process that died loses it at once
/// on the same host, and after kLeaseSeconds without a sign of life elsewhere.
class SessionLease {
 public:
  static constexpr int kLeaseSeconds = 30;

  /// Sets the session running. Errors: kInvalidInput where it runs already (by whom), or is
  /// finished; kNotFound.
  [[nodiscard]] static Result<SessionLease> take(Database& database, TuneSessionRow id);
  SessionLease(SessionLease&& other) noexcept;
  SessionLease& operator=(SessionLease&&) = delete;
  ~SessionLease();  ///< Without end(): the session is interrupted, as after a crash.

  /// What Evaluator::source() says, and Space::count().
  [[nodiscard]] Status describe(std::string_view search_source, std::string_view measure_source,
                                std::optional<double> space_count);
  /// A sign of life; writes nothing within a few seconds after the last.
  [[nodiscard]] Status beat();
  /// Whether TuneSessions::set_budget() was called since; once for each time.
  [[nodiscard]] Result<bool> take_new_budget();
  /// Gives the lease back.
  [[nodiscard]] Status end(SessionStatus status, std::string_view message = {});

  [[nodiscard]] Database& database() const { return *database_; }
  [[nodiscard]] TuneSessionRow id() const { return id_; }
  [[nodiscard]] const std::string& token() const { return token_; }

 private:
  SessionLease(Database& database, TuneSessionRow id, std::string token)
      : database_(&database), id_(id), token_(std::move(token)) {}

  Database* database_;
  TuneSessionRow id_;
  std::string token_;  ///< Checked with every write: who lost the lease cannot write any more.
  std::chrono::steady_clock::time_point last_beat_ = std::chrono::steady_clock::now();
};

/// The trials of a session, for the process that has its lease. Every writing function is one
/// transaction. Error: kInvalidInput when the lease is lost.
class StoredTrials : public tune::TrialStore {
 public:
  explicit StoredTrials(SessionLease& lease) : lease_(&lease) {}

  /// What SessionState was stored last, to go on from.
  [[nodiscard]] Result<tune::SessionState> state() const;

  [[nodiscard]] Status append(std::span<const tune::Trial> trials,
                              const tune::SessionState& state) override;
  [[nodiscard]] Status update(const tune::Trial& trial, const tune::SessionState& state) override;
  [[nodiscard]] Status save(const tune::SessionState& state) override;
  [[nodiscard]] Status each(const std::function<bool(const tune::Trial&)>& callback) const override;
  [[nodiscard]] Result<tune::Trial> get(uint64_t number) const override;
  [[nodiscard]] Result<std::vector<tune::Trial>> best_predicted(uint64_t count) const override;
  [[nodiscard]] Result<tune::Request> request() override;

 private:
  /// The configuration that the others are stored as differences to: that of the first trial.
  Result<const tune::Config*> base(const tune::Config* first) const;

  SessionLease* lease_;
  mutable std::optional<tune::Config> base_;
};

}  // namespace hloscope::db
