#include "app/cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
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
constexpr int kBarLineWidth = 60;

using Clock = std::chrono::steady_clock;

std::string time_left(double left_s) {
  if (left_s < 60) return fmt::format("{:.0f} s left", std::ceil(left_s));
  if (left_s < 3600) return fmt::format("{:.0f} min left", std::ceil(left_s / 60));
  return fmt::format("{:.1f} h left", left_s / 3600);
}

// The line is written again when the percentage is another, and once a second.
class ProgressLine {
 public:
  void operator()(double fraction, std::string_view what) {
    const int percent = static_cast<int>(std::lround(fraction * 100));
    const Clock::time_point now = Clock::now();
    if (percent == percent_ && (percent >= 100 || seconds(now - written_) < 1)) return;
    percent_ = percent;
    written_ = now;
    if (percent >= 100) return clear_terminal_progress();
    const std::string line = progress_text(fraction, what, seconds(now - begin_));
    std::fprintf(stderr, "\r%-*.*s", kBarLineWidth, kBarLineWidth, line.c_str());
  }

 private:
  int percent_ = -1;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point written_;
};

}  // namespace

size_t output_columns() {
  const char* const stated = std::getenv("COLUMNS");
  const std::string_view text = stated == nullptr ? std::string_view() : stated;
  size_t columns = 0;
  std::from_chars(text.data(), text.data() + text.size(), columns);
  if (columns > 0) return columns;
  winsize size{};
  const bool is_terminal = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_terminal ? size.ws_col : std::numeric_limits<size_t>::max();
}

std::string progress_text(double fraction, std::string_view what, double elapsed_s) {
  std::string out = fmt::format("{:3.0f} % {}", fraction * 100, what);
  constexpr double kLeastFraction = 0.05;
  constexpr double kLeastSeconds = 3;
  if (fraction >= kLeastFraction && elapsed_s >= kLeastSeconds) {
    out += ", " + time_left(elapsed_s * (1 - fraction) / fraction);
  }
  return out;
}

void clear_terminal_progress() {
  if (isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "\r%-*s\r", kBarLineWidth, "");
}

Progress terminal_progress(std::stop_token stop) {
  if (isatty(STDERR_FILENO) == 0) return Progress(std::move(stop));
  return Progress(std::move(stop), ProgressLine());
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
