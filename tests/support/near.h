#pragma once

#include <cmath>
#include <optional>

namespace hloscope::testing {

/// Equal but for rounding.
inline bool is_near(double a, double b) {
  return std::abs(a - b) < 1e-12;
}
inline bool is_near(const std::optional<double>& a, double b) {
  return a && is_near(*a, b);
}

}  // namespace hloscope::testing
