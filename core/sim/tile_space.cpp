#include "core/sim/tile_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/units.h"
#include "core/sim/estimate.h"

namespace hloscope::sim {

namespace {

using Bounds = std::vector<int64_t>;

int64_t units(const KernelModel& model, size_t loop) {
  return std::max<int64_t>(model.loops[loop].units(), 1);
}

// Counts the tiles of a box of bounds that fit. Within one box every loop is either whole or never
// whole, so that the footprint grows with every bound.
class BoxCounter {
 public:
  BoxCounter(const KernelModel& model, double vmem_bytes, uint64_t most_boxes,
             const Progress& progress)
      : model_(model), vmem_bytes_(vmem_bytes), most_boxes_(most_boxes), progress_(progress) {}

  bool is_cancelled() const { return is_cancelled_; }
  bool is_too_many() const { return boxes_ > most_boxes_; }

  double count(const Bounds& low, const Bounds& high) {
    is_cancelled_ = is_cancelled_ || (++boxes_ % 1024 == 0 && progress_.stop_requested());
    if (is_cancelled_ || is_too_many() || footprint_bytes(model_, low) > vmem_bytes_) return 0;
    size_t longest = 0;
    double product = 1;
    for (size_t l = 0; l < low.size(); ++l) {
      product *= static_cast<double>(high[l] - low[l] + 1);
      if (high[l] - low[l] > high[longest] - low[longest]) longest = l;
    }
    if (product == 1 || footprint_bytes(model_, high) <= vmem_bytes_) return product;
    const int64_t middle = low[longest] + (high[longest] - low[longest]) / 2;
    Bounds below = high;
    below[longest] = middle;
    Bounds above = low;
    above[longest] = middle + 1;
    return count(low, below) + count(above, high);
  }

 private:
  const KernelModel& model_;
  double vmem_bytes_;
  uint64_t most_boxes_;
  const Progress& progress_;
  uint64_t boxes_ = 0;
  bool is_cancelled_ = false;
};

}  // namespace

bool TileSpace::fits(const Bounds& bounds) const {
  return footprint_bytes(model_, bounds) <= rates_.vmem_bytes;
}

Result<Bounds> TileSpace::check(const Tile& tile) const {
  HLOSCOPE_ASSIGN(Bounds bounds, loop_bounds(model_, tile));
  HLOSCOPE_TRY(check_fits(bounds, tile_text(tile)));
  return bounds;
}

Status TileSpace::check_fits(const Bounds& bounds, std::string_view text) const {
  const double bytes = footprint_bytes(model_, bounds);
  if (bytes <= rates_.vmem_bytes) return {};
  return fail(ErrorCode::kInvalidInput,
              fmt::format("the tile {} needs {:.1f} MiB of VMEM, there are {:.1f}", text,
                          bytes / kBytesPerMib, rates_.vmem_bytes / kBytesPerMib),
              "choose smaller bounds");
}

double TileSpace::all_count() const {
  double product = 1;
  for (size_t l = 0; l < model_.loops.size(); ++l) {
    product *= static_cast<double>(units(model_, l));
  }
  return product;
}

Result<double> TileSpace::count(const Progress& progress, uint64_t most_boxes) const {
  std::vector<size_t> free;  // Loops with more than one bound.
  Bounds low(model_.loops.size(), 1);
  Bounds high(model_.loops.size(), 1);
  for (size_t l = 0; l < model_.loops.size(); ++l) {
    if (units(model_, l) > 1) free.push_back(l);
  }
  BoxCounter counter(model_, rates_.vmem_bytes, most_boxes, progress);
  double sum = 0;
  const uint64_t choices = uint64_t{1} << free.size();
  for (uint64_t whole = 0; whole < choices; ++whole) {
    for (size_t i = 0; i < free.size(); ++i) {
      const int64_t n = units(model_, free[i]);
      const bool is_whole = (whole >> i & 1) != 0;
      low[free[i]] = is_whole ? n : 1;
      high[free[i]] = is_whole ? n : n - 1;
    }
    sum += counter.count(low, high);
    progress.report(static_cast<double>(whole + 1) / static_cast<double>(choices),
                    "counting tiles");
    if (counter.is_cancelled()) return fail(ErrorCode::kCancelled, "cancelled");
    if (counter.is_too_many()) return fail(ErrorCode::kUnsupported, "too many tiles to count");
  }
  return sum;
}

void TileSpace::each(const std::function<bool(const Bounds&)>& callback) const {
  Bounds bounds(model_.loops.size(), 1);
  (void)each_from(0, bounds, callback);
}

// All bounds of the loops from `loop` on. Ends a loop where not even the smallest bounds of the
// others, in one buffer each, leave room: larger ones leave less.
bool TileSpace::each_from(size_t loop, Bounds& bounds,
                          const std::function<bool(const Bounds&)>& callback) const {
  if (loop == bounds.size()) return !fits(bounds) || callback(bounds);
  bool go_on = true;
  for (int64_t bound = 1; bound <= units(model_, loop) && go_on; ++bound) {
    bounds[loop] = bound;
    if (least_footprint_bytes(model_, bounds) > rates_.vmem_bytes) break;
    go_on = each_from(loop + 1, bounds, callback);
  }
  bounds[loop] = 1;
  return go_on;
}

Bounds TileSpace::random(Rng& rng) const {
  Bounds bounds(model_.loops.size(), 1);
  std::vector<size_t> order(bounds.size());
  for (size_t l = 0; l < order.size(); ++l) order[l] = l;
  shuffle(std::span(order), rng);
  for (size_t l : order) {
    // The whole loop may fit where one less does not.
    int64_t most = units(model_, l);
    const int64_t drawn = 1 + static_cast<int64_t>(rng.below(static_cast<uint64_t>(most)));
    bounds[l] = drawn;
    while (!fits(bounds) && bounds[l] > 1) {
      most = bounds[l] - 1;
      bounds[l] = 1 + static_cast<int64_t>(rng.below(static_cast<uint64_t>(most)));
    }
  }
  return bounds;
}

std::vector<Bounds> TileSpace::neighbours(const Bounds& bounds) const {
  std::vector<Bounds> out;
  for (size_t l = 0; l < bounds.size(); ++l) {
    const int64_t n = units(model_, l);
    const int64_t tiles = (n + bounds[l] - 1) / bounds[l];
    std::vector<int64_t> steps = {bounds[l] - 1, bounds[l] + 1};
    for (int64_t parts : {tiles - 1, tiles + 1}) {
      if (parts >= 1) steps.push_back((n + parts - 1) / parts);
    }
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    for (int64_t step : steps) {
      if (step < 1 || step > n || step == bounds[l]) continue;
      Bounds next = bounds;
      next[l] = step;
      if (fits(next)) out.push_back(std::move(next));
    }
  }
  return out;
}

}  // namespace hloscope::sim
