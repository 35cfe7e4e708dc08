#include "ui/tasks/task_runner.h"

#include <QThread>
#include <algorithm>

namespace hloscope::ui {

namespace {

// Under these a guess of the time left would jump about.
constexpr double kFirstGuessSeconds = 0.5;
constexpr double kFirstGuessFraction = 0.02;

std::optional<double> secondsLeft(double fraction, double seconds) {
  if (seconds < kFirstGuessSeconds || fraction < kFirstGuessFraction) return std::nullopt;
  return seconds * (1 - fraction) / fraction;
}

}  // namespace

TaskRunner::TaskRunner(QObject* parent)
    : QObject(parent),
      workers_(static_cast<size_t>(std::max(2, QThread::idealThreadCount()))),
      serial_worker_(1) {
  connect(this, &TaskRunner::mailArrived, this, &TaskRunner::readMail, Qt::QueuedConnection);
}

TaskRunner::~TaskRunner() {
  for (const auto& task : tasks_) {
    task->wanted = false;
    // Writing what is already computed is short and is let finish.
    if (!task->options.serial) task->stop.request_stop();
  }
  workers_.finish();
  serial_worker_.finish();
}

std::vector<Job> TaskRunner::jobs() const {
  std::vector<Job> jobs;
  for (const auto& task : tasks_) {
    if (!task->wanted) continue;
    Job job;
    job.id = task->id;
    job.label = task->options.label;
    job.what = task->what;
    job.fraction = task->fraction;
    job.seconds_running = static_cast<double>(task->clock.elapsed()) / 1e3;
    job.seconds_left = secondsLeft(job.fraction, job.seconds_running);
    job.cancellable = task->options.cancellable;
    jobs.push_back(std::move(job));
  }
  return jobs;
}

TaskRunner::Task& TaskRunner::start(TaskOptions options) {
  if (!options.key.isEmpty()) {
    for (const auto& other : tasks_) {
      if (other->options.key == options.key) unwant(*other);
    }
  }
  auto task = std::make_unique<Task>();
  task->id = next_id_++;
  task->options = std::move(options);
  task->clock.start();
  tasks_.push_back(std::move(task));
  emit changed();
  return *tasks_.back();
}

Progress TaskRunner::progressOf(const Task& task) {
  return Progress(task.stop.get_token(),
                  [this, id = task.id](double fraction, std::string_view what) {
                    send([this, id, fraction, text = std::string(what)] {
                      advance(id, fraction, QString::fromStdString(text));
                    });
                  });
}

void TaskRunner::send(std::function<void()> mail) {
  {
    const std::lock_guard lock(mailbox_mutex_);
    mailbox_.push_back(std::move(mail));
  }
  emit mailArrived();
}

void TaskRunner::readMail() {
  std::function<void()> mail;
  {
    const std::lock_guard lock(mailbox_mutex_);
    mail = std::move(mailbox_.front());
    mailbox_.pop_front();
  }
  mail();
}

TaskRunner::Task* TaskRunner::find(quint64 id) {
  const auto found =
      std::find_if(tasks_.begin(), tasks_.end(), [id](const auto& task) { return task->id == id; });
  return found == tasks_.end() ? nullptr : found->get();
}

void TaskRunner::advance(quint64 id, double fraction, const QString& what) {
  Task* task = find(id);
  if (task == nullptr) return;
  task->fraction = std::clamp(fraction, 0.0, 1.0);
  task->what = what;
  emit changed();
}

void TaskRunner::unwant(Task& task) {
  task.wanted = false;
  task.stop.request_stop();
}

void TaskRunner::cancel(quint64 id) {
  Task* task = find(id);
  if (task == nullptr || !task->wanted) return;
  unwant(*task);
  const QString label = task->options.label;
  emit changed();
  emit cancelled(label);
}

bool TaskRunner::cancelNewest() {
  for (auto task = tasks_.rbegin(); task != tasks_.rend(); ++task) {
    if (!(*task)->wanted || !(*task)->options.cancellable) continue;
    cancel((*task)->id);
    return true;
  }
  return false;
}

void TaskRunner::cancelAll() {
  for (const auto& task : tasks_) unwant(*task);
  emit changed();
}

void TaskRunner::finish(quint64 id, void* result) {
  const auto found =
      std::find_if(tasks_.begin(), tasks_.end(), [id](const auto& task) { return task->id == id; });
  if (found == tasks_.end()) return;
  const std::unique_ptr<Task> task = std::move(*found);
  tasks_.erase(found);
  emit changed();
  // Queued: the receiver of the result may start the next task first.
  if (tasks_.empty()) {
    QMetaObject::invokeMethod(
        this,
        [this] {
          if (tasks_.empty()) emit idle();
        },
        Qt::QueuedConnection);
  }
  if (task->wanted) task->deliver(result);
}

}  // namespace hloscope::ui
