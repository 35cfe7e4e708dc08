#pragma once

#include <chrono>
#include <mutex>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace hloscope {

/// Waits for the mutex as long as nobody asks to stop. Error: kCancelled.
[[nodiscard]] inline Result<std::unique_lock<std::timed_mutex>> lock_or_cancel(
    std::timed_mutex& mutex, const Progress& progress) {
  constexpr std::chrono::milliseconds kLook{20};
  std::unique_lock lock(mutex, std::defer_lock);
  while (!lock.try_lock_for(kLook)) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  }
  return lock;
}

}  // namespace hloscope
