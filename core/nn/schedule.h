#pragma once

#include <cstdint>

namespace hloscope::nn {

enum class Decay {
  kNone,
  kCosine,  ///< half a cosine from the peak rate to last_fraction of it at total_steps
  kStep,    ///< times step_factor after every step_every steps
};

/// Learning rates by step: a linear warm-up to the peak rate, then a decay.
struct Schedule {
  double peak_rate = 1e-3;
  uint64_t warmup_steps = 0;
  Decay decay = Decay::kNone;
  uint64_t total_steps = 0;    ///< kCosine: with the warm-up
  double last_fraction = 0.0;  ///< kCosine
  uint64_t step_every = 0;     ///< kStep: counted from the end of the warm-up
  double step_factor = 0.1;    ///< kStep

  /// Of step 0, 1, ...: peak_rate (step + 1) / (warmup_steps + 1) in the warm-up.
  [[nodiscard]] double rate(uint64_t step) const;
};

}  // namespace hloscope::nn
