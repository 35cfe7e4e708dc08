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

// Of the fastest among the first `k` by estimate. Infinite or NaN where that takes no time.
double slowdown(std::span<const double> estimated, std::span<const double> measured_ns, size_t k) {
  std::vector<size_t> order(estimated.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return estimated[a] < estimated[b]; });
  double chosen_ns = measured_ns[order[0]];
  for (size_t i = 1; i < std::min(k, order.size()); ++i) {
    chosen_ns = std::min(chosen_ns, measured_ns[order[i]]);
  }
  return chosen_ns / *std::min_element(measured_ns.begin(), measured_ns.end()) - 1;
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
  out.top1_slowdown = if_defined(slowdown(estimated, measured_ns, 1));
  out.top5_slowdown = if_defined(slowdown(estimated, measured_ns, 5));
  out.top10_slowdown = if_defined(slowdown(estimated, measured_ns, 10));
  return out;
}

Ranking rank(std::span<const RankedRun> runs) {
  const Tiles tiles = merge(runs);
  return rank_distinct(tiles.estimated_ns, tiles.measured_ns);
}

}  // namespace hloscope::accuracy
