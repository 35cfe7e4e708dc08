#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hloscope {

/// A few worker threads that share loops. Results never depend on the number of threads: the
/// callback gets an index and writes to its own place.
class ThreadPool {
 public:
  static constexpr size_t kMaxThreads = 1024;

  /// threads = 0: one per hardware thread. With 1 the caller does all the work. There are never
  /// more than kMaxThreads, and fewer than asked for where the system gives no more.
  explicit ThreadPool(size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  [[nodiscard]] size_t threads() const { return workers_.size() + 1; }
  /// Calls body(i) for i in [0, n), in any order, on the workers and the caller; returns when all
  /// are done. Not reentrant.
  void parallel_for(size_t n, const std::function<void(size_t)>& body);

 private:
  void work();
  void run_items(const std::function<void(size_t)>& body);

  std::vector<std::jthread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(size_t)>* body_ = nullptr;
  size_t next_ = 0;
  size_t count_ = 0;
  size_t active_ = 0;
  bool stop_ = false;
};

}  // namespace hloscope
