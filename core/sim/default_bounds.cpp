#include <algorithm>

#include "core/sim/estimate.h"
#include "core/sim/tile_space.h"

namespace hloscope::sim {

namespace {

using Bounds = std::vector<int64_t>;

// Bounds that cut n in 1, 2, 3, ... equal parts; from some point on only every second, fourth, ...
std::vector<int64_t> useful_bounds(int64_t n) {
  std::vector<int64_t> out;
  int64_t step = 1;
  for (int64_t parts = 1; parts <= n; parts += step) {
    out.push_back((n + parts - 1) / parts);
    if (parts >= 8 * step) step *= 2;
  }
  if (out.back() != 1) out.push_back(1);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

class Search {
 public:
  Search(const KernelModel& model, const Rates& rates)
      : model_(model),
        rates_(rates.compiler_view()),
        vmem_bytes_(model.matrix ? rates.vmem_bytes : rates.vector_vmem_bytes) {
    for (const LoopDim& loop : model.loops) {
      choices_.push_back(useful_bounds(std::max<int64_t>(loop.units(), 1)));
    }
  }

  // From several starts down to a tile that no change of one loop, or of one loop up and another
  // down, makes better.
  Bounds run() {
    std::vector<LoopId> order = model_.order;
    Bounds best = descend(start(order));
    double best_ns = best_ns_;
    std::reverse(order.begin(), order.end());
    for (const Bounds& from : {start(order), halved()}) {
      Bounds other = descend(from);
      if (best_ns_ >= best_ns) continue;
      best = std::move(other);
      best_ns = best_ns_;
    }
    if (footprint_bytes(model_, best) <= vmem_bytes_) return best;
    return whole();
  }

 private:
  static constexpr int kRounds = 4;

  double time_ns(const Bounds& bounds) const {
    const Estimate e = estimate(model_, bounds, rates_);
    const double time_ns = e.time_ns + rates_.tile_choice_ns * (e.tiles - 1);
    // What does not fit is worse the more it lacks, so that the search finds its way back.
    return e.footprint_bytes <= vmem_bytes_ ? time_ns : 1e15 * e.footprint_bytes / vmem_bytes_;
  }

  Bounds descend(const Bounds& from) {
    best_ = from;
    best_ns_ = time_ns(best_);
    for (int round = 0; round < kRounds; ++round) {
      const double before_ns = best_ns_;
      for (size_t l = 0; l < choices_.size(); ++l) try_loop(l);
      for (size_t l = 0; l < choices_.size(); ++l) try_exchange(l);
      if (best_ns_ >= before_ns) break;
    }
    return best_;
  }

  Bounds whole() const {
    Bounds bounds;
    for (const LoopDim& loop : model_.loops) bounds.push_back(std::max<int64_t>(loop.units(), 1));
    return bounds;
  }

  // The whole kernel, cut along the loops in the given order until it fits.
  Bounds start(const std::vector<LoopId>& order) const {
    Bounds bounds = whole();
    for (LoopId loop : order) {
      for (int64_t bound : choices_[loop.value]) {
        bounds[loop.value] = bound;
        if (footprint_bytes(model_, bounds) <= vmem_bytes_) return bounds;
      }
    }
    return bounds;
  }

  // The whole kernel, its largest bound halved until it fits.
  Bounds halved() const {
    Bounds bounds = whole();
    while (footprint_bytes(model_, bounds) > vmem_bytes_) {
      const auto largest = std::max_element(bounds.begin(), bounds.end());
      if (*largest == 1) break;
      *largest = (*largest + 1) / 2;
    }
    return bounds;
  }

  bool take_if_better(const Bounds& bounds) {
    const double ns = time_ns(bounds);
    if (ns >= best_ns_) return false;
    best_ = bounds;
    best_ns_ = ns;
    return true;
  }

  void try_loop(size_t l) {
    if (choices_[l].size() == 1) return;
    Bounds bounds = best_;
    for (int64_t bound : choices_[l]) {
      if (bound == best_[l]) continue;
      bounds[l] = bound;
      take_if_better(bounds);
    }
  }

  int64_t next_choice(size_t l, bool larger) const {
    const std::vector<int64_t>& list = choices_[l];  // Descending.
    const auto at = std::find(list.begin(), list.end(), best_[l]);
    if (at == list.end()) return best_[l];
    if (larger) return at == list.begin() ? *at : *(at - 1);
    return at + 1 == list.end() ? *at : *(at + 1);
  }

  void try_exchange(size_t up) {
    for (size_t down = 0; down < choices_.size(); ++down) {
      if (down == up) continue;
      Bounds bounds = best_;
      bounds[up] = next_choice(up, true);
      bounds[down] = next_choice(down, false);
      if (bounds[up] != best_[up] && bounds[down] != best_[down]) take_if_better(bounds);
    }
  }

  const KernelModel& model_;
  Rates rates_;
  double vmem_bytes_;
  std::vector<std::vector<int64_t>> choices_;
  Bounds best_;
  double best_ns_ = 0;
};

}  // namespace

std::vector<int64_t> default_bounds(const KernelModel& model, const Rates& rates) {
  if (model.loops.empty()) return {};
  return Search(model, rates).run();
}

}  // namespace hloscope::sim
