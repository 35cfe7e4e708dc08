#include "app/cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace hloscope::cli {

namespace {

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

constexpr timespec kPollTime{0, 50'000'000};

}  // namespace

Progress terminal_progress(std::stop_token stop) {
  if (isatty(STDERR_FILENO) == 0) return Progress(std::move(stop));
  return Progress(std::move(stop), [last = -1](double fraction, std::string_view what) mutable {
    const int percent = static_cast<int>(std::lround(fraction * 100));
    if (percent == last) return;
    last = percent;
    const std::string line = percent < 100 ? fmt::format("{:3d} % {}", percent, what) : "";
    std::fprintf(stderr, "\r%-40.40s%s", line.c_str(), line.empty() ? "\r" : "");
  });
}

Interrupt::Interrupt() {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &old_mask_);
  waiter_ = std::jthread([this](const std::stop_token& over) { wait(over); });
}

Interrupt::~Interrupt() {
  waiter_.request_stop();
  waiter_.join();
  pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
}

void Interrupt::wait(const std::stop_token& over) {
  const sigset_t signals = stop_signals();
  while (!over.stop_requested()) {
    if (sigtimedwait(&signals, nullptr, &kPollTime) < 0) continue;
    stop_.request_stop();
    std::fputs("\nstopping; once more to end at once\n", stderr);
    // The next one comes to this thread, with its usual effect.
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    return;
  }
}

}  // namespace hloscope::cli
