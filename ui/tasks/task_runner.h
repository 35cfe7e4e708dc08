#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QString>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "ui/tasks/worker_threads.h"

namespace hloscope::ui {

/// What is to be run.
struct TaskOptions {
  /// Shown in the status bar, e.g. "Reading resnet50.hlo".
  QString label;
  /// A task with the same non-empty key cancels the one before: the newest request wins.
  QString key = {};
  /// Writers of the database run one at a time, in the order they were started.
  bool serial = false;
  /// False: not cancelled by Esc and not waited for by anything but the end of the program.
  bool cancellable = true;
};

/// A running task as the status bar shows it.
struct Job {
  quint64 id = 0;
  QString label;
  QString what;  ///< The step that is done now.
  double fraction = 0;
  std::optional<double> seconds_left;  ///< Empty until it can be told.
  double seconds_running = 0;
  bool cancellable = true;
};

/// Runs functions of the core on worker threads. Lives in the GUI thread; results are delivered
/// there. Destroying it cancels everything and waits for the workers. What workers send lies in a
/// mailbox behind a std::mutex; Qt's event queue only says that there is some.
class TaskRunner : public QObject {
  Q_OBJECT
 public:
  explicit TaskRunner(QObject* parent = nullptr);
  ~TaskRunner() override;

  /// Calls `work(progress)` on a worker, then `done(result)` in the GUI thread. `done` is dropped
  /// when the task was cancelled, replaced by a newer one of the same key, or when `context` is
  /// gone. Returns the id of the job.
  template <typename T>
  quint64 run(TaskOptions options, std::function<T(const Progress&)> work, QObject* context,
              std::function<void(T)> done);

  /// Unfinished jobs, oldest first.
  [[nodiscard]] std::vector<Job> jobs() const;
  [[nodiscard]] bool isIdle() const { return tasks_.empty(); }
  /// Also jobs that cannot be cancelled are cancelled by their id.
  void cancel(quint64 id);
  /// The newest one that can be cancelled; false when there is none.
  bool cancelNewest();
  void cancelAll();

 signals:
  /// Jobs started, moved on or ended.
  void changed();
  /// The last running job has ended.
  void idle();
  void cancelled(const QString& label);
  /// Of workers: one more mail lies in the mailbox.
  void mailArrived();

 private:
  struct Task {
    quint64 id = 0;
    TaskOptions options;
    std::stop_source stop;
    QElapsedTimer clock;
    double fraction = 0;
    QString what;
    bool wanted = true;  ///< False: cancelled or replaced; its result is dropped.
    std::function<void(void* result)> deliver;
  };

  Task& start(TaskOptions options);
  [[nodiscard]] Progress progressOf(const Task& task);
  [[nodiscard]] Task* find(quint64 id);
  void advance(quint64 id, double fraction, const QString& what);
  void unwant(Task& task);
  /// Removes the task and delivers its result if that is still wanted.
  void finish(quint64 id, void* result);
  /// Called by workers: `mail` is called in the GUI thread, after all mail before it.
  void send(std::function<void()> mail);
  void readMail();  ///< One; called once for each.

  std::vector<std::unique_ptr<Task>> tasks_;
  quint64 next_id_ = 1;
  std::mutex mailbox_mutex_;
  std::deque<std::function<void()>> mailbox_;
  // Last: workers use what stands above.
  WorkerThreads workers_;
  WorkerThreads serial_worker_;
};

template <typename T>
quint64 TaskRunner::run(TaskOptions options, std::function<T(const Progress&)> work,
                        QObject* context, std::function<void(T)> done) {
  Task& task = start(std::move(options));
  const quint64 id = task.id;
  task.deliver = [done = std::move(done), receiver = QPointer<QObject>(context)](void* result) {
    if (receiver) done(std::move(*static_cast<T*>(result)));
  };
  WorkerThreads& workers = task.options.serial ? serial_worker_ : workers_;
  workers.run([this, id, work = std::move(work), progress = progressOf(task)] {
    // std::function holds only what can be copied, and T may not be.
    auto result = std::make_shared<T>(work(progress));
    send([this, id, result = std::move(result)] { finish(id, result.get()); });
  });
  return id;
}

}  // namespace hloscope::ui
