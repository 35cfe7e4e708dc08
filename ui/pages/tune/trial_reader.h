#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "db/kept_database.h"
#include "db/tuning.h"
#include "ui/models/tune_columns.h"

namespace hloscope::ui {

/// A trial that was measured after it was tried.
struct MeasuredTrial {
  uint32_t trial = 0;
  uint32_t order = 0;
  double time_ns = 0;  ///< NaN: it failed.
  double booked_ns = 0;
  double at_s = 0;
  std::string error;
};

/// What does not change while a session runs.
struct SessionFacts {
  double space_count = 0;    ///< 0: cannot be counted.
  double best_known_ns = 0;  ///< Of recorded runs; 0: not known.
  size_t recorded = 0;       ///< Recorded runs that did not fail.
};

/// Times of some trials of a session, with what stands around them.
struct TrialChunk {
  int64_t session = 0;
  int generation = 0;
  uint64_t from = 0;
  TrialColumns trials;                  ///< Without configurations: see TrialConfigReader.
  std::vector<MeasuredTrial> measured;  ///< All of them, where that was asked for.
  bool has_measured = false;
  bool more = false;  ///< Others follow.
  SessionFacts facts;
};

/// The sessions of a results file as it lies there now.
struct SessionList {
  std::vector<db::SessionInfo> sessions;  ///< Newest first.
  int generation = 0;                     ///< db::KeptDatabase::generation().
  bool is_there = false;                  ///< There is a results file.
  std::string read_only;                  ///< Why nothing can be stored in it; else empty.
};

/// Reads sessions and the times of their trials for the page, on workers, one call at a time. It
/// never makes a search space, which of large programs takes long.
class TrialReader {
 public:
  explicit TrialReader(std::filesystem::path database)
      : file_(std::move(database), db::KeptDatabase::kLookTimeout) {}

  [[nodiscard]] Result<SessionList> sessions();
  /// At most `most` trials from `from` on, and all measured ones if `with_measured`.
  [[nodiscard]] Result<TrialChunk> trials(const db::SessionInfo& session, uint64_t from,
                                          uint64_t most, bool with_measured,
                                          const Progress& progress);

 private:
  Result<db::Database*> open();
  Result<SessionFacts> facts(const db::TuneSessions& sessions, const db::SessionInfo& session);

  std::mutex mutex_;
  db::KeptDatabase file_;
  int generation_ = 0;  ///< Of recorded_.
  /// Of sessions with recorded runs: these are copied into the session and do not change.
  std::map<int64_t, SessionFacts> recorded_;
};

}  // namespace hloscope::ui
