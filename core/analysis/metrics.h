#pragma once

#include <span>

namespace hloscope::analysis {

/// Mean of |estimate - truth| / truth, as a fraction; NaN for no pairs. Pairs with truth <= 0 are
/// left out.
[[nodiscard]] double mape(std::span<const double> estimate, std::span<const double> truth);
/// Median of the same.
[[nodiscard]] double median_ape(std::span<const double> estimate, std::span<const double> truth);
/// Kendall's tau-b (ties corrected), O(n log n); NaN when undefined (under 2 pairs, or all tied).
[[nodiscard]] double kendall_tau(std::span<const double> a, std::span<const double> b);
/// Ordered pair accuracy: of the pairs with different truths, the share that the estimates put in
/// the same order; equal estimates are wrong. O(n log n); NaN when undefined (all truths equal).
[[nodiscard]] double ordered_pair_accuracy(std::span<const double> estimate,
                                           std::span<const double> truth);
/// Spearman's rho: correlation of the ranks, equal values have the mean of theirs; NaN when
/// undefined.
[[nodiscard]] double spearman(std::span<const double> a, std::span<const double> b);
/// Share of pairs with |estimate - truth| <= tolerance * truth; NaN for no pairs.
[[nodiscard]] double share_within(std::span<const double> estimate, std::span<const double> truth,
                                  double tolerance);

}  // namespace hloscope::analysis
