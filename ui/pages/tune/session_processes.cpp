#include "ui/pages/tune/session_processes.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <algorithm>

namespace hloscope::ui {
namespace {

/// A process that has not taken its session by then has failed.
constexpr qint64 kStartLimitMs = 15'000;

}  // namespace

SessionProcesses::SessionProcesses(const QString& database, QObject* parent)
    : QObject(parent), database_(database) {
  launch_ = [this](int64_t session) { return launchProcess(session); };
}

QString SessionProcesses::program() {
  const QString named = qEnvironmentVariable("HLOSCOPE_CLI");
  return named.isEmpty() ? QCoreApplication::applicationDirPath() + QStringLiteral("/hloscope-cli")
                         : named;
}

QString SessionProcesses::launchProcess(int64_t session) const {
  const QString path = program();
  if (!QFileInfo(path).isExecutable()) {
    return tr("%1 is not there: it runs the sessions. HLOSCOPE_CLI can name another one").arg(path);
  }
  QProcess process;
  process.setProgram(path);
  process.setArguments({QStringLiteral("tune"), QStringLiteral("run"), QString::number(session),
                        QStringLiteral("--db"), database_});
  process.setStandardInputFile(QProcess::nullDevice());
  process.setStandardOutputFile(QProcess::nullDevice());
  process.setStandardErrorFile(QProcess::nullDevice());
  return process.startDetached() ? QString() : process.errorString();
}

void SessionProcesses::enqueue(int64_t session) {
  if (isWaiting(session) || starting_.count(session) > 0) return;
  waiting_.push_back(session);
  emit changed();
}

void SessionProcesses::forget(int64_t session) {
  std::erase(waiting_, session);
  starting_.erase(session);
  emit changed();
}

void SessionProcesses::forgetAll() {
  waiting_.clear();
  starting_.clear();
  emit changed();
}

bool SessionProcesses::isWaiting(int64_t session) const {
  return std::find(waiting_.begin(), waiting_.end(), session) != waiting_.end();
}

void SessionProcesses::update(const std::vector<TuneSessionRow>& sessions) {
  busy_ = 0;
  for (const TuneSessionRow& session : sessions) {
    if (session.state == TuneState::kRunning) ++busy_;
    const auto starting = starting_.find(session.id);
    if (starting == starting_.end()) continue;
    const bool seen = session.state == TuneState::kRunning ||
                      session.state == TuneState::kFinished ||
                      session.state == TuneState::kFailed || session.isDamaged();
    if (seen) {
      starting_.erase(starting);
    } else if (starting->second.elapsed() > kStartLimitMs) {
      starting_.erase(starting);
      emit startFailed(session.id, tr("its process ended before it began. On the command line "
                                      "\"hloscope-cli tune run %1\" says why")
                                       .arg(session.id));
    } else {
      ++busy_;
    }
  }
  bool started = false;
  while (busy_ < kSlots && !waiting_.empty()) {
    const int64_t session = waiting_.front();
    waiting_.pop_front();
    const bool exists = std::any_of(sessions.begin(), sessions.end(),
                                    [session](const auto& row) { return row.id == session; });
    if (!exists) {
      // Created a moment ago: seen with the next reading.
      waiting_.push_back(session);
      break;
    }
    const QString reason = launch_(session);
    if (!reason.isEmpty()) {
      emit startFailed(session, reason);
      continue;
    }
    starting_[session].start();
    ++busy_;
    started = true;
  }
  if (started) emit changed();
}

}  // namespace hloscope::ui
