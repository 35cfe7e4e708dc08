#include "ui/pages/tune/trial_reader.h"

#include <algorithm>
#include <limits>

namespace hloscope::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void append(TrialColumns& columns, const tune::Trial& trial) {
  const auto number = static_cast<uint32_t>(columns.size());
  columns.predicted_ns.push_back(trial.predicted_ns.value_or(kNone));
  columns.hardware_ns.push_back(trial.hardware_ns.value_or(kNone));
  columns.booked_ns.push_back(trial.booked_ns);
  columns.temperature.push_back(trial.temperature);
  columns.at_s.push_back(trial.at_s);
  columns.measured_as.push_back(static_cast<uint32_t>(trial.measured_as));
  columns.accepted.push_back(trial.accepted ? 1 : 0);
  columns.refined.push_back(trial.refined ? 1 : 0);
  if (!trial.error.empty()) columns.errors.emplace(number, trial.error);
}

Status append_measured(const db::TuneSessions& sessions, db::TuneSessionRow row,
                       TrialChunk& chunk) {
  HLOSCOPE_ASSIGN(const std::vector<tune::Trial> measured, sessions.measured_trials(row));
  chunk.has_measured = true;
  for (const tune::Trial& trial : measured) {
    chunk.measured.push_back(
        {static_cast<uint32_t>(trial.number), static_cast<uint32_t>(trial.measured_as),
         trial.hardware_ns.value_or(kNone), trial.booked_ns, trial.at_s, trial.error});
  }
  return {};
}

Error gone(const std::filesystem::path& path) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.message = "the results file is gone";
  error.file = path.string();
  error.hint = "put it back, or start a session: that makes a new one";
  return error;
}

}  // namespace

Result<db::Database*> TrialReader::open() {
  HLOSCOPE_ASSIGN(db::Database * database, file_.open());
  if (file_.generation() != generation_) recorded_.clear();
  generation_ = file_.generation();
  return database;
}

Result<SessionList> TrialReader::sessions() {
  const std::lock_guard lock(mutex_);
  SessionList list;
  HLOSCOPE_ASSIGN(db::Database* const database, open());
  list.generation = generation_;
  if (database == nullptr) return list;
  list.is_there = true;
  if (const Status writable = database->writable(); !writable) {
    list.read_only = writable.error().message;
  }
  HLOSCOPE_ASSIGN(list.sessions, db::TuneSessions(*database).list());
  return list;
}

Result<SessionFacts> TrialReader::facts(const db::TuneSessions& sessions,
                                        const db::SessionInfo& session) {
  SessionFacts facts;
  if (const auto known = recorded_.find(session.id.value); known != recorded_.end()) {
    facts = known->second;
  } else if (session.settings.replays()) {
    HLOSCOPE_ASSIGN(const tune::Recorded recorded, sessions.recorded(session.id));
    for (const tune::Recorded::Run& run : recorded.runs) {
      if (!run.time_ns) continue;
      ++facts.recorded;
      double& best = facts.best_known_ns;
      best = best > 0 ? std::min(best, *run.time_ns) : *run.time_ns;
    }
    recorded_.emplace(session.id.value, facts);
  }
  facts.space_count = session.space_count.value_or(0);
  return facts;
}

Result<TrialChunk> TrialReader::trials(const db::SessionInfo& session, uint64_t from, uint64_t most,
                                       bool with_measured, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  HLOSCOPE_ASSIGN(db::Database* const database, open());
  if (database == nullptr) return fail(gone(file_.path()));
  const db::TuneSessions sessions(*database);
  TrialChunk chunk;
  chunk.session = session.id.value;
  chunk.generation = generation_;
  chunk.from = from;
  HLOSCOPE_ASSIGN(chunk.facts, facts(sessions, session));
  HLOSCOPE_TRY(sessions.each_trial(
      session.id, from,
      [&](const tune::Trial& trial) {
        chunk.more = chunk.trials.size() == most;
        if (!chunk.more) append(chunk.trials, trial);
        return !chunk.more && !progress.stop_requested();
      },
      false));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  if (with_measured) HLOSCOPE_TRY(append_measured(sessions, session.id, chunk));
  return chunk;
}

}  // namespace hloscope::ui
