#include "core/base/thread_pool.h"

#include <algorithm>
#include <system_error>

namespace hloscope {

ThreadPool::ThreadPool(size_t threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = std::min(threads, kMaxThreads);
  workers_.reserve(threads);
  try {
    for (size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The limit of the user or the system is reached: those that there are do all the work.
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
}

void ThreadPool::run_items(const std::function<void(size_t)>& body) {
  std::unique_lock lock(mutex_);
  while (next_ < count_) {
    const size_t item = next_++;
    lock.unlock();
    body(item);
    lock.lock();
  }
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || (body_ != nullptr && next_ < count_); });
    if (stop_) return;
    const auto* body = body_;
    ++active_;
    lock.unlock();
    run_items(*body);
    lock.lock();
    if (--active_ == 0) done_.notify_all();
  }
}

void ThreadPool::parallel_for(size_t n, const std::function<void(size_t)>& body) {
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    next_ = 0;
    count_ = n;
  }
  wake_.notify_all();
  run_items(body);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return active_ == 0; });
  body_ = nullptr;
}

}  // namespace hloscope
