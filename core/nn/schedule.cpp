#include "core/nn/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hloscope::nn {

double Schedule::rate(uint64_t step) const {
  if (step < warmup_steps) {
    return peak_rate * static_cast<double>(step + 1) / static_cast<double>(warmup_steps + 1);
  }
  const auto since = static_cast<double>(step - warmup_steps);
  if (decay == Decay::kCosine && total_steps > warmup_steps) {
    const double part = std::min(1.0, since / static_cast<double>(total_steps - warmup_steps));
    const double wave = 0.5 * (1.0 + std::cos(std::numbers::pi * part));
    return peak_rate * (last_fraction + (1.0 - last_fraction) * wave);
  }
  if (decay == Decay::kStep && step_every > 0) {
    const uint64_t times = (step - warmup_steps) / step_every;
    return peak_rate * std::pow(step_factor, static_cast<double>(times));
  }
  return peak_rate;
}

}  // namespace hloscope::nn
