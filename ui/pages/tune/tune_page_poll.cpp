// TunePage reads the results file while sessions run.
#include <QTableView>
#include <algorithm>

#include "ui/pages/tune/session_form.h"
#include "ui/pages/tune/session_processes.h"
#include "ui/pages/tune/session_rows.h"
#include "ui/pages/tune/tune_page.h"

namespace hloscope::ui {
namespace {

constexpr int kFastMs = 250;
constexpr int kSlowMs = 2000;
/// Of one reading: taking them in must not hold the window up.
constexpr uint64_t kMostTrials = 50'000;

/// What runs, else the newest one that has something to show; 0: there is none.
int64_t firstChoice(const std::vector<TuneSessionRow>& sessions) {
  for (const TuneSessionRow& session : sessions) {
    if (session.isActive()) return session.id;
  }
  for (const TuneSessionRow& session : sessions) {
    if (session.trials > 0) return session.id;
  }
  return sessions.empty() ? 0 : sessions.front().id;
}

}  // namespace

std::vector<TunePage::Wanted> TunePage::wanted() const {
  std::vector<Wanted> wanted;
  for (const auto& [session, watched] : watched_) {
    wanted.push_back({session, watched.trials->size(), watched.measured});
  }
  return wanted;
}

Result<TunePage::News> TunePage::read(TrialReader& reader, const std::vector<Wanted>& wanted,
                                      const Progress& progress) {
  News news;
  HLOSCOPE_ASSIGN(news.list, reader.sessions());
  std::vector<db::SessionInfo>& sessions = news.list.sessions;
  for (const Wanted& one : wanted) {
    const auto info = std::find_if(
        sessions.begin(), sessions.end(),
        [&one](const db::SessionInfo& session) { return session.id.value == one.session; });
    if (info == sessions.end() || info->status == db::SessionStatus::kDamaged) continue;
    const bool more = info->progress.trials > one.from || one.from == 0;
    // A search that measures has its times from the start.
    const bool measured = info->settings.measure && info->progress.measured != one.measured;
    if (!more && !measured) continue;
    Result<TrialChunk> chunk = reader.trials(*info, one.from, kMostTrials, measured, progress);
    if (!chunk && chunk.error().code == ErrorCode::kInvalidInput) {
      // The others are shown as they are.
      info->status = db::SessionStatus::kDamaged;
      info->message = chunk.error().message;
      continue;
    }
    if (!chunk) return hloscope::fail(std::move(chunk).error());
    news.chunks.push_back(std::move(*chunk));
  }
  return news;
}

void TunePage::poll() {
  if (polling_) {
    poll_again_ = true;
    return;
  }
  polling_ = true;
  poll_again_ = false;
  timer_.stop();
  tasks_.run<Result<News>>(
      {.label = tr("Reading tuning sessions"), .cancellable = false},
      [reader = reader_, wanted = wanted()](const Progress& progress) {
        return read(*reader, wanted, progress);
      },
      this,
      [this](Result<News> news) {
        polling_ = false;
        first_read_ = true;
        if (news) {
          apply(std::move(*news));
        } else if (news.error().code != ErrorCode::kCancelled) {
          readFailed(news.error());
        }
        if (poll_again_) {
          poll();
        } else {
          restartTimer();
        }
      });
}

void TunePage::readFailed(const Error& error) {
  const std::string failure = error.format();
  if (failure == read_failure_) return;
  read_failure_ = failure;
  failure_text_ = QString::fromStdString(error.message);
  if (!error.hint.empty())
    failure_text_ += QStringLiteral("\n") + QString::fromStdString(error.hint);
  fail(error);
  // A file that is only locked is still the one whose sessions stand here.
  if (error.code != ErrorCode::kIo) leaveFile(generation_);
  refreshTexts();
  refreshEmpty();
  updateCommands();
}

void TunePage::leaveFile(int generation) {
  generation_ = generation;
  no_configs_of_ = 0;
  watched_.clear();
  compared_.clear();
  applySessions({});
}

const db::SessionInfo* TunePage::info(int64_t session) const {
  const auto found =
      std::find_if(infos_.begin(), infos_.end(),
                   [session](const db::SessionInfo& info) { return info.id.value == session; });
  return found == infos_.end() ? nullptr : &*found;
}

void TunePage::restartTimer() {
  const bool active = processes_->waitingCount() > 0 || processes_->busySlots() > 0;
  if (active || isVisible()) timer_.start(active ? kFastMs : kSlowMs);
}

void TunePage::apply(News news) {
  if (!read_failure_.empty()) emit errorSettled();
  read_failure_.clear();
  failure_text_.clear();
  file_is_there_ = news.list.is_there;
  read_only_ = news.list.read_only;
  file_was_there_ = file_was_there_ || file_is_there_;
  form_->setBlocked(QString::fromStdString(read_only_));
  if (news.list.generation != generation_) {
    leaveFile(news.list.generation);
    poll_again_ = true;
    news.chunks.clear();
  }
  applySessions(news.list.sessions);
  for (TrialChunk& chunk : news.chunks) {
    if (chunk.more) poll_again_ = true;
    applyChunk(std::move(chunk));
  }
  for (auto& [session, watched] : watched_) {
    const db::SessionInfo* known = info(session);
    if (known == nullptr) continue;
    // An empty session has nothing to be read.
    watched.has_times = known->progress.trials == 0 ||
                        known->status == db::SessionStatus::kDamaged ||
                        (watched.has_facts && watched.trials->size() >= known->progress.trials);
  }
  readConfigs();
  refreshTexts();
  refreshEmpty();
  updateCommands();
}

void TunePage::applySessions(const std::vector<db::SessionInfo>& sessions) {
  infos_ = sessions;
  std::vector<TuneSessionRow> rows;
  double rate = 0;
  const tune::Settings wanted = form_->settings();
  for (const db::SessionInfo& session : sessions) {
    rows.push_back(rowOf(session));
    const bool alike = session.settings.space == wanted.space &&
                       session.settings.search.kind == wanted.search.kind;
    if (rate == 0 && alike && session.progress.trials > 0 && session.progress.active_s > 0.05) {
      rate = static_cast<double>(session.progress.trials) / session.progress.active_s;
    }
  }
  form_->setTrialRate(rate);
  selecting_ = true;
  sessions_->setSessions(std::move(rows));
  const QModelIndex kept = sessions_->indexOf(current_);
  if (kept.isValid() && sessions_view_->currentIndex().row() != kept.row()) {
    sessions_view_->setCurrentIndex(kept);
  }
  selecting_ = false;
  for (int64_t session : std::exchange(waited_, {})) {
    const TuneSessionRow* row = sessions_->session(session);
    if (row != nullptr && row->canResume()) processes_->enqueue(session);
  }
  processes_->update(sessions_->sessions());
  const int64_t next = std::exchange(select_next_, 0);
  if (next != 0 && sessions_->session(next) != nullptr) return selectSession(next);
  if (current() != nullptr) return;
  selectSession(firstChoice(sessions_->sessions()));
}

void TunePage::applyChunk(TrialChunk chunk) {
  const auto found = watched_.find(chunk.session);
  if (chunk.generation != generation_ || found == watched_.end()) return;
  if (found->second.trials->size() != chunk.from) return;
  Watched& watched = found->second;
  const size_t first_new = watched.trials->size();
  const bool first_facts = !watched.has_facts;
  watched.facts = chunk.facts;
  watched.has_facts = true;
  const size_t added = chunk.trials.size();
  watched.trials->append(std::move(chunk.trials));
  TrialColumns& trials = *watched.trials;
  for (const MeasuredTrial& measured : chunk.measured) {
    if (measured.trial >= trials.size()) continue;
    trials.hardware_ns[measured.trial] = measured.time_ns;
    trials.measured_as[measured.trial] = measured.order;
    trials.booked_ns[measured.trial] = measured.booked_ns;
    trials.at_s[measured.trial] = measured.at_s;
    if (!measured.error.empty()) trials.errors[measured.trial] = measured.error;
  }
  // Measured trials that lie behind what is read so far are asked for again.
  if (chunk.has_measured && !chunk.more) watched.measured = chunk.measured.size();
  if (added == 0 && chunk.measured.empty() && !first_facts) return;
  if (chunk.session == current_) {
    refreshTrials(first_new);
    refreshCharts();
  } else {
    refreshBest();
  }
}

}  // namespace hloscope::ui
