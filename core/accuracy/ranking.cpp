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

double slowdown(const Tiles& tiles, size_t k) {
  std::vector<size_t> order(tiles.estimated_ns.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return tiles.estimated_ns[a] < tiles.estimated_ns[b];
  });
  double chosen_ns = tiles.measured_ns[order[0]];
  for (size_t i = 1; i < std::min(k, order.size()); ++i) {
    chosen_ns = std::min(chosen_ns, tiles.measured_ns[order[i]]);
  }
  return chosen_ns / *std::min_element(tiles.measured_ns.begin(), tiles.measured_ns.end()) - 1;
}

}  // namespace

Ranking rank(std::span<const RankedRun> runs) {
  const Tiles tiles = merge(runs);
  Ranking out;
  out.tiles = tiles.measured_ns.size();
  if (out.tiles < kLeastTiles) return out;
  const double tau = analysis::kendall_tau(tiles.estimated_ns, tiles.measured_ns);
  if (!std::isnan(tau)) out.kendall_tau = tau;
  out.top1_slowdown = slowdown(tiles, 1);
  out.top5_slowdown = slowdown(tiles, 5);
  return out;
}

}  // namespace hloscope::accuracy
