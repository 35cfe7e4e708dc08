#pragma once

#include <cstdint>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace hloscope::eval {

/// What an evaluation may still do.
class Budget {
 public:
  Budget(int64_t operations, int64_t live_elements, const Progress& progress)
      : operations_(operations),
        all_operations_(operations),
        all_elements_(live_elements),
        progress_(progress) {}

  /// Counts operations on elements. kUnsupported when there are no more, kCancelled when the user
  /// has stopped.
  [[nodiscard]] Status spend(int64_t operations);
  /// kUnsupported when so many more operations cannot be done: known before they are begun.
  [[nodiscard]] Status check(double operations) const;
  /// Elements that come to be kept. kUnsupported when they are too many.
  [[nodiscard]] Status hold(int64_t elements);
  void release(int64_t elements) { elements_ -= elements; }

 private:
  static constexpr int64_t kBetweenPolls = 1 << 16;

  int64_t operations_;
  int64_t all_operations_;
  int64_t elements_ = 0;
  int64_t all_elements_;
  int64_t since_poll_ = 0;
  const Progress& progress_;
};

}  // namespace hloscope::eval
