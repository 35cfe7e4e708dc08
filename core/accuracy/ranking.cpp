#include "core/accuracy/ranking.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/analysis/metrics.h"

namespace hloscope::accuracy {

namespace {

constexpr size_t kLeastTiles = 10;

struct Tiles {
  std::vector<double> estimated_ns;
  std::vector<double> measured_ns;
};

Tiles merge(std::span<const RankedRun> runs) {
  Tiles tiles;
  std::vector<double> counts;
  std::map<std::vector<int64_t>, size_t> place_of;
  for (const RankedRun& run : runs) {
    const auto [found, is_new] =
        place_of.try_emplace({run.bounds.begin(), run.bounds.end()}, counts.size());
    if (is_new) {
      tiles.estimated_ns.push_back(run.estimated_ns);
      tiles.measured_ns.push_back(0);
      counts.push_back(0);
    }
    tiles.measured_ns[found->second] += run.measured_ns;
    counts[found->second] += 1;
  }
  for (size_t i = 0; i < counts.size(); ++i) tiles.measured_ns[i] /= counts[i];
  return tiles;
}

// Measured times in the order of the estimates.
std::vector<double> by_estimate(std::span<const double> estimated,
                                std::span<const double> measured_ns) {
  std::vector<size_t> order(estimated.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return estimated[a] < estimated[b]; });
  std::vector<double> times_ns;
  times_ns.reserve(order.size());
  for (size_t i : order) times_ns.push_back(measured_ns[i]);
  return times_ns;
}

// Of the fastest among the first `k`. Infinite or NaN where that takes no time.
double slowdown(std::span<const double> times_ns, size_t k) {
  const auto first = times_ns.first(std::min(k, times_ns.size()));
  return *std::min_element(first.begin(), first.end()) /
             *std::min_element(times_ns.begin(), times_ns.end()) -
         1;
}

std::optional<double> if_defined(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

Ranking rank_distinct(std::span<const double> estimated, std::span<const double> measured_ns) {
  Ranking out;
  out.tiles = measured_ns.size();
  if (out.tiles < kLeastTiles) return out;
  out.kendall_tau = if_defined(analysis::kendall_tau(estimated, measured_ns));
  out.opa = if_defined(analysis::ordered_pair_accuracy(estimated, measured_ns));
  const std::vector<double> times_ns = by_estimate(estimated, measured_ns);
  out.top1_slowdown = if_defined(slowdown(times_ns, 1));
  out.top5_slowdown = if_defined(slowdown(times_ns, 5));
  out.top10_slowdown = if_defined(slowdown(times_ns, 10));
  return out;
}

Ranking rank(std::span<const RankedRun> runs) {
  const Tiles tiles = merge(runs);
  return rank_distinct(tiles.estimated_ns, tiles.measured_ns);
}

}  // namespace hloscope::accuracy
