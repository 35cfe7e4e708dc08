#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "ui/models/tune_session_model.h"

namespace hloscope::ui {

/// Starts tuning sessions, each in a process of its own that outlives the window: at most kSlots at
/// once, the others wait in the order they came.
class SessionProcesses : public QObject {
  Q_OBJECT
 public:
  static constexpr int kSlots = 2;
  /// Starts the process of a session; returns why it could not, else an empty text.
  using Launch = std::function<QString(int64_t session)>;

  /// `database`: given to the processes. Runs hloscope-cli beside the program, or what the
  /// environment variable HLOSCOPE_CLI names.
  explicit SessionProcesses(const QString& database, QObject* parent = nullptr);
  void setLaunch(Launch launch) { launch_ = std::move(launch); }

  /// As soon as a slot is free.
  void enqueue(int64_t session);
  void forget(int64_t session);
  void forgetAll();
  [[nodiscard]] bool isWaiting(int64_t session) const;
  [[nodiscard]] const std::deque<int64_t>& waiting() const { return waiting_; }
  [[nodiscard]] int waitingCount() const { return static_cast<int>(waiting_.size()); }
  [[nodiscard]] int busySlots() const { return busy_; }
  /// What the results file says now; starts what may start.
  void update(const std::vector<TuneSessionRow>& sessions);
  [[nodiscard]] static QString program();

 signals:
  void startFailed(qint64 session, const QString& reason);
  void changed();

 private:
  [[nodiscard]] QString launchProcess(int64_t session) const;

  QString database_;
  Launch launch_;
  std::deque<int64_t> waiting_;
  std::map<int64_t, QElapsedTimer> starting_;  ///< Started, but not yet seen to run.
  int busy_ = 0;
};

}  // namespace hloscope::ui
