#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/tune/settings.h"
#include "core/tune/trial_store.h"

namespace hloscope::cli {

/// "trial 120/2,000, best 1.23 ms (1.034 x), 40 s left"; `left_s` below 0: not known.
[[nodiscard]] std::string tune_progress_text(const tune::Settings& settings,
                                             const tune::SessionState& state, double left_s);

/// How far a session is, on one line of standard error; nothing where that is not a terminal.
class TuneProgress {
 public:
  explicit TuneProgress(tune::Settings settings);
  void report(double fraction, std::string_view what, const tune::SessionState& state);

 private:
  using Clock = std::chrono::steady_clock;

  tune::Settings settings_;
  bool is_terminal_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point written_;
  double first_fraction_ = -1;  ///< Of a session that goes on.
};

}  // namespace hloscope::cli
