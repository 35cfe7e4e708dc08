#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "core/base/hash.h"
#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
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

// The best tiles seen, by time, each once.
class Shortlist {
 public:
  struct Entry {
    double time_ns;
    Bounds bounds;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  /// What takes as long is not added.
  double limit_ns() const {
    return entries_.size() < kSize ? std::numeric_limits<double>::infinity()
                                   : entries_.back().time_ns;
  }

  void add(double time_ns, const Bounds& bounds) {
    if (entries_.size() == kSize && time_ns >= entries_.back().time_ns) return;
    const auto at = std::lower_bound(
        entries_.begin(), entries_.end(), time_ns,
        [](const Entry& entry, double limit_ns) { return entry.time_ns < limit_ns; });
    for (auto same = at; same != entries_.end() && same->time_ns == time_ns; ++same) {
      if (same->bounds == bounds) return;
    }
    entries_.insert(at, {time_ns, bounds});
    if (entries_.size() > kSize) entries_.pop_back();
  }

 private:
  static constexpr size_t kSize = 8;
  std::vector<Entry> entries_;
};

class Search {
 public:
  Search(const KernelModel& model, const Rates& rates, double vmem_bytes)
      : model_(model), rates_(rates), vmem_bytes_(vmem_bytes) {
    for (const LoopDim& loop : model.loops) {
      choices_.push_back(useful_bounds(std::max<int64_t>(loop.units(), 1)));
    }
  }

  // From several starts down to tiles that no change of one loop, or of one loop up and another
  // down, makes better; of the best ones seen, and of those around it, the one that runs fastest.
  // Empty when nothing fits.
  Bounds run() {
    look();
    for (const Shortlist::Entry& entry : seen_.entries()) try_running(entry.bounds);
    for (int round = 0; round < kPolishRounds && !fastest_.empty(); ++round) {
      const double before_ns = fastest_ns_;
      for (size_t l = 0; l < choices_.size(); ++l) polish(l);
      if (fastest_ns_ >= before_ns) break;
    }
    return fastest_;
  }

  // The best by the analytical model alone. Empty when nothing fits.
  Bounds best_estimated() {
    look();
    return seen_.entries().empty() ? Bounds() : seen_.entries().front().bounds;
  }

 private:
  static constexpr int kRounds = 6;
  static constexpr int kPolishRounds = 2;
  static constexpr size_t kPolishReach = 3;
  static constexpr size_t kPairChoices = 10;

  void look() {
    std::vector<LoopId> order = model_.order;
    descend(start(order));
    std::reverse(order.begin(), order.end());
    descend(start(order));
    descend(halved());
  }

  // What is known of a tile: its time, or only that it is no less.
  struct Known {
    double time_ns = 0;
    bool is_cut = false;
  };

  // Starts and rounds come to the same tiles again and again. What is no better than all that is
  // looked for may be too low.
  double time_ns(const Bounds& bounds) {
    const double limit_ns = std::max(best_ns_, seen_.limit_ns());
    Known& known = known_[key_of(bounds)];
    if (known.time_ns == 0 || (known.is_cut && known.time_ns < limit_ns)) {
      known = estimated(bounds, limit_ns);
    }
    return known.time_ns;
  }

  Known estimated(const Bounds& bounds, double limit_ns) {
    const Estimate e = estimate_within(model_, bounds, rates_, {vmem_bytes_, limit_ns});
    // What does not fit is worse the more it lacks, so that the search finds its way back.
    if (e.footprint_bytes > vmem_bytes_) return {1e15 * e.footprint_bytes / vmem_bytes_};
    const double time_ns = e.time_ns + rates_.tile_choice_ns * (e.tiles - 1);
    if (!e.is_cut) seen_.add(time_ns, bounds);
    return {time_ns, e.is_cut};
  }

  static uint64_t key_of(const Bounds& bounds) {
    return hash64(
        {reinterpret_cast<const char*>(bounds.data()), bounds.size() * sizeof(bounds[0])});
  }

  void try_running(const Bounds& bounds) {
    if (!have_run_.insert(key_of(bounds)).second) return;
    const Simulation run = simulate(model_, bounds, rates_);
    const double ns = run.time_ns + rates_.tile_choice_ns * (run.tiles - 1);
    if (!fastest_.empty() && ns >= fastest_ns_) return;
    fastest_ = bounds;
    fastest_ns_ = ns;
  }

  // The next few bounds of one loop, both ways: what the analytical model can't see is how tiles
  // differ from one another.
  void polish(size_t l) {
    const std::vector<int64_t>& list = choices_[l];
    const auto at =
        static_cast<size_t>(std::find(list.begin(), list.end(), fastest_[l]) - list.begin());
    const size_t end = std::min(at + kPolishReach + 1, list.size());
    for (size_t i = at - std::min(at, kPolishReach); i < end; ++i) {
      Bounds bounds = fastest_;
      bounds[l] = list[i];
      if (i != at && footprint_bytes(model_, bounds) <= vmem_bytes_) try_running(bounds);
    }
  }

  void descend(const Bounds& from) {
    best_ = from;
    best_ns_ = std::numeric_limits<double>::infinity();  // Wanted in full.
    best_ns_ = time_ns(best_);
    for (int round = 0; round < kRounds; ++round) {
      const double before_ns = best_ns_;
      for (size_t l = 0; l < choices_.size(); ++l) try_loop(l);
      for (size_t l = 0; l < choices_.size(); ++l) try_exchange(l);
      // Blocks of a product trade room in VMEM against each other.
      if (model_.matrix && best_ns_ >= before_ns) try_pairs();
      if (best_ns_ >= before_ns) break;
    }
  }

  // The whole kernel, cut along the loops in the given order until it fits.
  Bounds start(const std::vector<LoopId>& order) const {
    Bounds bounds = whole_bounds(model_);
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
    Bounds bounds = whole_bounds(model_);
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

  // Every pair of loops, over a few bounds of each.
  void try_pairs() {
    for (size_t a = 0; a < choices_.size(); ++a) {
      for (size_t b = a + 1; b < choices_.size(); ++b) {
        if (choices_[a].size() > 1 && choices_[b].size() > 1) try_pair(a, b);
      }
    }
  }
  void try_pair(size_t a, size_t b) {
    const size_t step_a = choices_[a].size() / kPairChoices + 1;
    const size_t step_b = choices_[b].size() / kPairChoices + 1;
    Bounds bounds = best_;
    for (size_t i = 0; i < choices_[a].size(); i += step_a) {
      for (size_t j = 0; j < choices_[b].size(); j += step_b) {
        bounds[a] = choices_[a][i];
        bounds[b] = choices_[b][j];
        take_if_better(bounds);
      }
    }
  }

  const KernelModel& model_;
  const Rates& rates_;
  double vmem_bytes_;
  std::vector<std::vector<int64_t>> choices_;
  Bounds best_;
  double best_ns_ = 0;
  Shortlist seen_;
  std::unordered_map<uint64_t, Known> known_;  ///< By hash of the bounds.
  std::unordered_set<uint64_t> have_run_;
  Bounds fastest_;
  double fastest_ns_ = 0;
};

// Calls choose(search) with the room that the compiler leaves to such a kernel, and with all there
// is where nothing fits in it.
template <typename Choose>
Bounds chosen(const KernelModel& model, const Rates& rates, const Choose& choose) {
  if (model.loops.empty()) return {};
  const Rates view = rates.compiler_view();
  const double limit_bytes = model.matrix ? rates.vmem_bytes : rates.vector_vmem_bytes;
  for (double vmem_bytes : {limit_bytes, rates.vmem_bytes}) {
    Search search(model, view, vmem_bytes);
    Bounds best = choose(search);
    if (!best.empty()) return best;
  }
  return whole_bounds(model);
}

}  // namespace

std::vector<int64_t> default_bounds(const KernelModel& model, const Rates& rates) {
  return chosen(model, rates, [](Search& search) { return search.run(); });
}

std::vector<int64_t> analytical_bounds(const KernelModel& model, const Rates& rates) {
  return chosen(model, rates, [](Search& search) { return search.best_estimated(); });
}

}  // namespace hloscope::sim
