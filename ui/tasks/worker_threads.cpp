#include "ui/tasks/worker_threads.h"

#include <utility>

namespace hloscope::ui {

WorkerThreads::WorkerThreads(size_t threads) {
  for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

WorkerThreads::~WorkerThreads() {
  finish();
}

void WorkerThreads::run(std::function<void()> call) {
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }
  wake_.notify_one();
}

void WorkerThreads::finish() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  threads_.clear();
}

void WorkerThreads::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return ends_ || !calls_.empty(); });
    if (calls_.empty()) return;
    std::function<void()> call = std::move(calls_.front());
    calls_.pop_front();
    lock.unlock();
    call();
    // What it holds is let go before the lock is taken again.
    call = nullptr;
    lock.lock();
  }
}

}  // namespace hloscope::ui
