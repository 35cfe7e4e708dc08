#pragma once

#include <chrono>
#include <csignal>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "core/base/progress.h"

namespace hloscope::cli {

[[nodiscard]] inline double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// Characters that a line of standard output has room for: COLUMNS of the environment, else what
/// the terminal says; no limit where it is a file or a pipe.
[[nodiscard]] size_t output_columns();

/// Shows how far the work is on one line of standard error; nothing where that is not a terminal.
[[nodiscard]] Progress terminal_progress(std::stop_token stop = {});

/// " 42 % timing, 3 min left": the time is that of the work so far, carried on; it is left out of
/// the first 5 % and 3 seconds.
[[nodiscard]] std::string progress_text(double fraction, std::string_view what, double elapsed_s);
/// Takes the line away, for something else to be printed.
void clear_terminal_progress();

/// Turns Ctrl-C and SIGTERM into a request to stop, as long as it lives; the second one ends the
/// program at once. To be created before other threads are, by the one that waits for the work.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  void wait(const std::stop_token& over);

  std::stop_source stop_;
  sigset_t old_mask_{};
  std::jthread waiter_;
};

}  // namespace hloscope::cli
