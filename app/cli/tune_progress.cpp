#include "app/cli/tune_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "app/cli/tune.h"

namespace hloscope::cli {

namespace {

constexpr double kWriteSeconds = 0.2;
constexpr int kTuneLineWidth = 78;

}  // namespace

std::string tune_progress_text(const tune::Settings& settings, const tune::SessionState& state,
                               double left_s) {
  std::string out = "trial " + grouped(state.searched());
  if (settings.budget.trials) out += "/" + grouped(*settings.budget.trials);
  if (state.phase == tune::Phase::kMeasure) {
    out += fmt::format(", measured {}/{}", state.measured, settings.top_k);
  }
  if (state.best_ns) {
    out += fmt::format(", best {}", time_text(state.best_ns));
    const bool is_comparable = state.best_is_hardware || !settings.measure;
    if (state.baseline_ns && is_comparable) {
      out += fmt::format(" ({})", speedup_text(*state.baseline_ns / *state.best_ns));
    }
  }
  if (left_s >= 0) out += fmt::format(", {:.0f} s left", std::ceil(left_s));
  return out;
}

TuneProgress::TuneProgress(tune::Settings settings)
    : settings_(std::move(settings)), is_terminal_(isatty(STDERR_FILENO) != 0) {}

void TuneProgress::report(double fraction, std::string_view what, const tune::SessionState& state) {
  const Clock::time_point now = Clock::now();
  if (!is_terminal_ || seconds(now - written_) < kWriteSeconds) return;
  written_ = now;
  if (first_fraction_ < 0) first_fraction_ = fraction;
  std::string line(what);
  if (state.trials > 0) {
    const double done = fraction - first_fraction_;
    constexpr double kLeast = 0.02;
    const bool is_search = state.phase == tune::Phase::kSearch && fraction < 1;
    const double left_s =
        is_search && done > kLeast ? seconds(now - begin_) * (1 - fraction) / done : -1;
    line = tune_progress_text(settings_, state, left_s);
  }
  std::fprintf(stderr, "\r%-*.*s", kTuneLineWidth, kTuneLineWidth, line.c_str());
}

}  // namespace hloscope::cli
