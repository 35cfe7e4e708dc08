#include "core/predict/tile_list.h"

#include <algorithm>
#include <limits>

#include "core/base/rng.h"
#include "core/sim/tile_space.h"

namespace hloscope::predict {

namespace {

using Bounds = std::vector<int64_t>;

std::vector<Bounds> drawn_tiles(const sim::TileSpace& space, const Bounds& default_bounds,
                                const TileListOptions& options) {
  Rng rng(options.seed);
  std::vector<Bounds> out{default_bounds};
  for (size_t i = 0; i < options.most; ++i) out.push_back(space.random(rng));
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  std::erase_if(
      out, [&](const Bounds& bounds) { return !space.fits(bounds) && bounds != default_bounds; });
  return out;
}

}  // namespace

TileList list_tiles(const sim::KernelModel& model, const accuracy::MeasuredTiles& measured,
                    const sim::Rates& rates, const Bounds& default_bounds,
                    const TileListOptions& options) {
  TileList out;
  for (const accuracy::MeasuredTiles::Entry& entry : measured.tiles) {
    out.bounds.push_back(entry.bounds);
    out.measured_ns.push_back(entry.time_ns);
  }
  out.measured = out.bounds.size();
  if (out.measured > 0 && !options.beside_measured) return out;
  const sim::TileSpace space(model, rates);
  std::vector<Bounds> others;
  space.each([&](const Bounds& bounds) {
    others.push_back(bounds);
    return others.size() <= options.most;
  });
  out.is_drawn = others.size() > options.most;
  out.has_all = !out.is_drawn;
  if (out.is_drawn) others = drawn_tiles(space, default_bounds, options);
  // A kernel of which no tile fits is timed whole.
  if (others.empty()) others.push_back(default_bounds);
  for (Bounds& bounds : others) {
    if (measured.entry(bounds) == nullptr) out.bounds.push_back(std::move(bounds));
  }
  out.measured_ns.resize(out.bounds.size(), std::numeric_limits<double>::quiet_NaN());
  return out;
}

}  // namespace hloscope::predict
