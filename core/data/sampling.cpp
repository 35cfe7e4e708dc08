#include "core/data/sampling.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "core/base/rng.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"

namespace hloscope::data {

namespace {

using Bounds = std::vector<int64_t>;

// Where few tiles fit, draws repeat themselves; after so many per tile asked for it is enough.
constexpr int64_t kDrawsPerTile = 4;

// All tiles when they are at most `limit`; else empty.
std::vector<Bounds> all_tiles(const sim::TileSpace& space, size_t limit) {
  std::vector<Bounds> all;
  space.each([&](const Bounds& bounds) {
    all.push_back(bounds);
    return all.size() <= limit;
  });
  if (all.size() > limit) all.clear();
  return all;
}

std::vector<Bounds> draw_tiles(const sim::TileSpace& space, const Bounds& first, size_t count,
                               Rng& rng) {
  std::vector<Bounds> out;
  std::set<Bounds> seen{first};
  const auto draws = static_cast<int64_t>(count) * kDrawsPerTile;
  for (int64_t i = 0; i < draws && out.size() < count; ++i) {
    Bounds bounds = space.random(rng);
    if (seen.insert(bounds).second) out.push_back(std::move(bounds));
  }
  return out;
}

std::vector<Bounds> chosen_tiles(const sim::KernelModel& model, const Bounds& first, Rng& rng,
                                 const SamplingOptions& options) {
  if (options.task != Task::kTile || options.tiles <= 0) return {};
  const sim::TileSpace space(model, options.rates);
  const auto count = static_cast<size_t>(options.tiles);
  std::vector<Bounds> tiles = all_tiles(space, count + 1);
  std::erase(tiles, first);
  if (tiles.empty()) tiles = draw_tiles(space, first, count, rng);
  return tiles;
}

// exp() and log() may differ in the last bit from processor to processor; a data set may not.
double whole_picoseconds(double time_ns) {
  return std::round(time_ns * 1000) / 1000;
}

}  // namespace

double noisy_ns(double time_ns, double noise, int64_t repeats, uint64_t seed) {
  if (noise <= 0) return time_ns;
  Rng rng(seed);
  double least = INFINITY;
  for (int64_t i = 0; i < std::max<int64_t>(repeats, 1); ++i) {
    // Box and Muller; 1 - u is never 0.
    const double radius = std::sqrt(-2 * std::log(1 - rng.uniform()));
    const double normal = radius * std::cos(2 * std::numbers::pi * rng.uniform());
    least = std::min(least, time_ns * std::exp(noise * normal));
  }
  return least;
}

std::vector<Sample> simulated_samples(const hlo::Program& kernel, const Hash128& hash,
                                      const SamplingOptions& options) {
  const sim::KernelModel model = sim::kernel_model(kernel, kernel[kernel.entry()].root);
  if (model.kind != sim::KernelKind::kTiled || !model.fallbacks.empty()) return {};
  const Bounds first = sim::default_bounds(model, options.rates);
  Rng rng(options.seed ^ hash.high);
  std::vector<Bounds> tiles = chosen_tiles(model, first, rng, options);
  if (options.task == Task::kTile && tiles.empty()) return {};
  tiles.insert(tiles.begin(), first);
  std::vector<Sample> samples;
  samples.reserve(tiles.size());
  for (const Bounds& bounds : tiles) {
    const sim::Tile tile = sim::tile_of(model, bounds);
    const double time_ns = sim::simulate(model, bounds, options.rates).time_ns;
    Sample sample;
    sample.configuration = {tile.kernel, tile.output, {}};
    sample.time_ns =
        whole_picoseconds(noisy_ns(time_ns, options.noise, options.repeats, rng.next()));
    sample.is_default = samples.empty();
    samples.push_back(std::move(sample));
  }
  if (options.task == Task::kTile) {
    for (Sample& sample : samples) sample.normalizer_ns = samples.front().time_ns;
  }
  return samples;
}

}  // namespace hloscope::data
