#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hloscope::ui {

/// A few threads that take calls from one queue, oldest first. What stands before a call in the
/// program is done before it runs: the queue's std::mutex is between them, which the thread
/// sanitizer sees too. It does not see the locks of Qt's thread pool.
class WorkerThreads {
 public:
  explicit WorkerThreads(size_t threads);
  /// Runs what is queued and waits for it.
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  void run(std::function<void()> call);
  /// The same as the destructor; no call may be added any more.
  void finish();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> calls_;
  bool ends_ = false;
  std::vector<std::jthread> threads_;  // Last: the threads use what stands above.
};

}  // namespace hloscope::ui
