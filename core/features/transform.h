#pragma once

#include <cmath>

namespace hloscope::features {

/// sign(x) * ln(1 + |x|): sizes span nine orders of magnitude, and can be negative (padding).
[[nodiscard]] inline float signed_log1p(float value) {
  return std::copysign(std::log1p(std::abs(value)), value);
}

}  // namespace hloscope::features
