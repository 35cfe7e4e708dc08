#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/tune/problem.h"
#include "core/tune/settings.h"
#include "core/tune/trial_store.h"
#include "db/database.h"
#include "db/ids.h"

namespace hloscope::db {

struct TuneSessionTag;
using TuneSessionRow = RowId<TuneSessionTag>;

enum class SessionStatus : uint8_t {
  kQueued,       ///< Created, never run.
  kRunning,      ///< A live process has its lease.
  kInterrupted,  ///< Was running, and its process is gone: derived, not stored.
  kPaused,
  kFinished,
  kStopped,  ///< By the user, for good; can be extended like a finished one.
  kFailed,   ///< See SessionInfo::message.
  kDamaged,  ///< Of a list: cannot be read, see SessionInfo::message. Derived, not stored.
};
[[nodiscard]] std::string_view name(SessionStatus status);  ///< "queued", ...

/// What a session is made from.
struct NewSession {
  std::string name;       ///< Empty: from program, space and strategy.
  std::string program;    ///< Of the module.
  std::string file_path;  ///< As opened, FILE#N.
  Hash128 program_hash;   ///< SourceProgram / store content hash.
  std::string hlo_text;   ///< The module: a session needs no file.
  tune::Settings settings;
  tune::Recorded recorded;  ///< Copied into the session.
};

struct SessionInfo {
  TuneSessionRow id;
  std::string name;
  std::string program;
  std::string file_path;
  Hash128 program_hash;
  tune::Settings settings;
  SessionStatus status = SessionStatus::kQueued;
  std::string message;         ///< Of a failed or damaged one: why.
  std::string search_source;   ///< Evaluator::source(); empty until it ran.
  std::string measure_source;  ///< Empty without.
  std::optional<double> space_count;
  tune::SessionState progress;  ///< Without SessionState::strategy.
  std::string created;          ///< UTC, `2026-01-31T23:59:59Z`.
  std::string updated;
  std::string owner;  ///< "pid 123 on host" while running.
};

/// Tables tune_sessions, tune_trials. Errors as in Programs; kNotFound for an unknown session.
class TuneSessions {
 public:
  explicit TuneSessions(Database& database) : database_(&database) {}

  /// Queued. Errors: kInvalidInput for a name that another session has or that is a number; those
  /// of tune::check_settings().
  [[nodiscard]] Result<TuneSessionRow> create(const NewSession& session);
  [[nodiscard]] Result<SessionInfo> get(TuneSessionRow id) const;
  /// By number or name. Error: kNotFound with the names there are.
  [[nodiscard]] Result<SessionInfo> find(std::string_view text) const;
  /// Newest first. Of one that is damaged only number, names and why: see SessionStatus::kDamaged.
  [[nodiscard]] Result<std::vector<SessionInfo>> list(const Page& page = {}) const;
  [[nodiscard]] Result<std::string> hlo_text(TuneSessionRow id) const;
  [[nodiscard]] Result<tune::Recorded> recorded(TuneSessionRow id) const;

  /// What a running session looks at between batches; one that does not run is paused or stopped at
  /// once. Error: kInvalidInput where the status does not allow it.
  [[nodiscard]] Status request(TuneSessionRow id, tune::Request request);
  /// The new whole budget; a running session goes on with it. Finished and stopped sessions are
  /// paused afterwards. Error: kInvalidInput for less than is spent.
  [[nodiscard]] Status set_budget(TuneSessionRow id, const tune::Budget& budget);
  [[nodiscard]] Status rename(TuneSessionRow id, std::string_view name);
  /// A queued session with the same settings and nothing tried.
  [[nodiscard]] Result<TuneSessionRow> duplicate(TuneSessionRow id);
  /// Error: kInvalidInput while it runs.
  [[nodiscard]] Status remove(TuneSessionRow id);

  /// From trial `from` on, in order, until the callback returns false. Without configurations (they
  /// are empty then) it is many times faster for large programs.
  [[nodiscard]] Status each_trial(TuneSessionRow id, uint64_t from,
                                  const std::function<bool(const tune::Trial&)>& callback,
                                  bool with_configs = true) const;
  /// From trial `from` on, in order, until the callback returns false: only where configurations
  /// differ from `against`; empty: from that of the first trial. The callback gets the first `most`
  /// differences, and how many there are. With many dimensions much faster than each_trial().
  [[nodiscard]] Status each_change(
      TuneSessionRow id, uint64_t from, const tune::Config& against, size_t most,
      const std::function<bool(std::span<const tune::ConfigChange>, size_t)>& callback) const;
  /// The configuration of the first trial; empty before there is one.
  [[nodiscard]] Result<tune::Config> first_config(TuneSessionRow id) const;
  [[nodiscard]] Result<tune::Trial> trial(TuneSessionRow id, uint64_t number) const;
  /// Those that were measured, in that order.
  [[nodiscard]] Result<std::vector<tune::Trial>> measured_trials(TuneSessionRow id) const;

 private:
  Database* database_;
};

/// Measured runs of a kernel that the database holds, as recorded configurations of a space of
/// tiles; of the newest source that has any. Error: kNotFound, with what to do.
[[nodiscard]] Result<tune::Recorded> recorded_tiles(Database& database, const Hash128& kernel_hash);

}  // namespace hloscope::db
