#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/tune/trial.h"

namespace hloscope::tune {

/// How the best time of a session fell as hardware time was spent.
struct CurvePoint {
  uint64_t measured = 0;  ///< Measurements so far.
  double booked_ns = 0;   ///< Hardware time so far, the measurement that gave this included.
  double best_ns = 0;
};
/// One point for each measurement that was better than all before it, in their order.
[[nodiscard]] std::vector<CurvePoint> best_so_far(std::span<const Trial> trials);
/// The best that was found within the hardware time, or within the number of measurements; empty
/// where nothing was.
[[nodiscard]] std::optional<double> best_within(std::span<const CurvePoint> curve,
                                                double hardware_ns);
[[nodiscard]] std::optional<double> best_after(std::span<const CurvePoint> curve,
                                               uint64_t measured);

/// Random draws without repeats from configurations of these times: the mean of the best of the
/// first `draws` (at least 1; beyond the end: the best of all).
[[nodiscard]] double expected_best_ns(std::span<const double> times_ns, uint64_t draws);
/// The mean number of such draws until one is at most (1 + share) times the least of all.
[[nodiscard]] double expected_draws(std::span<const double> times_ns, double share);

/// Two-sided p-value of the Wilcoxon signed-rank test of paired differences: the chance of ranks
/// that are as uneven when neither side is better. Zeros are left out, equal sizes share their mean
/// rank. Exact, by all 2^n signs. 1 without differences.
[[nodiscard]] double wilcoxon_p(std::span<const double> differences);

/// Mean and standard deviation (n - 1; 0 of one value).
struct Spread {
  double mean = 0;
  double deviation = 0;
};
[[nodiscard]] Spread spread_of(std::span<const double> values);

}  // namespace hloscope::tune
