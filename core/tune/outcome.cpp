#include "core/tune/outcome.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hloscope::tune {

namespace {

std::vector<double> ascending(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::sort(out.begin(), out.end());
  return out;
}

/// Twice the mean rank of each size, sorted: whole numbers in spite of shared ranks.
std::vector<uint64_t> doubled_ranks(const std::vector<double>& sizes) {
  std::vector<uint64_t> out(sizes.size());
  for (size_t i = 0; i < sizes.size();) {
    size_t end = i;
    while (end < sizes.size() && sizes[end] == sizes[i]) ++end;
    for (size_t j = i; j < end; ++j) out[j] = i + 1 + end;
    i = end;
  }
  return out;
}

/// By sum of doubled ranks: the share of all choices of signs that give it.
std::vector<double> sums_of_signs(const std::vector<uint64_t>& ranks) {
  const uint64_t total = std::accumulate(ranks.begin(), ranks.end(), uint64_t{0});
  std::vector<double> out(static_cast<size_t>(total) + 1, 0);
  out[0] = 1;
  for (const uint64_t rank : ranks) {
    for (size_t sum = out.size(); sum-- > 0;) {
      out[sum] = 0.5 * (out[sum] + (sum >= rank ? out[sum - rank] : 0));
    }
  }
  return out;
}

}  // namespace

std::vector<CurvePoint> best_so_far(std::span<const Trial> trials) {
  std::vector<const Trial*> order;
  for (const Trial& trial : trials) {
    if (trial.measured_as != 0) order.push_back(&trial);
  }
  std::sort(order.begin(), order.end(),
            [](const Trial* a, const Trial* b) { return a->measured_as < b->measured_as; });
  std::vector<CurvePoint> out;
  double booked_ns = 0;
  for (const Trial* trial : order) {
    booked_ns += trial->booked_ns;
    if (!trial->hardware_ns) continue;
    if (!out.empty() && *trial->hardware_ns >= out.back().best_ns) continue;
    out.push_back({trial->measured_as, booked_ns, *trial->hardware_ns});
  }
  return out;
}

std::optional<double> best_within(std::span<const CurvePoint> curve, double hardware_ns) {
  std::optional<double> out;
  for (const CurvePoint& point : curve) {
    if (point.booked_ns <= hardware_ns) out = point.best_ns;
  }
  return out;
}

std::optional<double> best_after(std::span<const CurvePoint> curve, uint64_t measured) {
  std::optional<double> out;
  for (const CurvePoint& point : curve) {
    if (point.measured <= measured) out = point.best_ns;
  }
  return out;
}

// The i-th least is the best of k draws when it is drawn and none before it: C(n-1-i, k-1) of
// C(n, k) draws, here step by step as the chance that none of the first i was drawn.
double expected_best_ns(std::span<const double> times_ns, uint64_t draws) {
  const std::vector<double> sorted = ascending(times_ns);
  if (sorted.empty()) return 0;
  const auto k = static_cast<double>(std::clamp<uint64_t>(draws, 1, sorted.size()));
  double none_so_far = 1;
  double out = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const double left = static_cast<double>(sorted.size() - i);
    const double is_drawn = std::min(1.0, k / left);
    out += none_so_far * is_drawn * sorted[i];
    none_so_far *= 1 - is_drawn;
  }
  return out;
}

double expected_draws(std::span<const double> times_ns, double share) {
  if (times_ns.empty()) return 0;
  const double limit_ns = *std::min_element(times_ns.begin(), times_ns.end()) * (1 + share);
  const auto good = std::count_if(times_ns.begin(), times_ns.end(),
                                  [limit_ns](double time_ns) { return time_ns <= limit_ns; });
  return (static_cast<double>(times_ns.size()) + 1) / (static_cast<double>(good) + 1);
}

double wilcoxon_p(std::span<const double> differences) {
  std::vector<double> used;
  for (const double d : differences) {
    if (d != 0) used.push_back(d);
  }
  if (used.empty()) return 1;
  std::sort(used.begin(), used.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  std::vector<double> sizes;
  for (const double d : used) sizes.push_back(std::abs(d));
  const std::vector<uint64_t> ranks = doubled_ranks(sizes);
  uint64_t positive = 0;
  uint64_t total = 0;
  for (size_t i = 0; i < used.size(); ++i) {
    total += ranks[i];
    if (used[i] > 0) positive += ranks[i];
  }
  const std::vector<double> shares = sums_of_signs(ranks);
  const uint64_t less = std::min(positive, total - positive);
  const double tail =
      std::accumulate(shares.begin(), shares.begin() + static_cast<long>(less) + 1, 0.0);
  return std::min(1.0, 2 * tail);
}

Spread spread_of(std::span<const double> values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  Spread out;
  out.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (values.size() < 2) return out;
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  out.deviation = std::sqrt(squares / (n - 1));
  return out;
}

}  // namespace hloscope::tune
