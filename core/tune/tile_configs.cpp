#include "core/tune/tile_configs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/sim/estimate.h"
#include "core/sim/written_tile.h"

namespace hloscope::tune {

std::string bounds_text(const sim::KernelModel& model, const Bounds& bounds) {
  const sim::Tile tile = sim::tile_of(model, bounds);
  const auto read = sim::loop_bounds(model, tile);
  return read && *read == bounds ? sim::tile_text(tile) : sim::list_tile_text(bounds);
}

TileConfigs::TileConfigs(TileKernelPtr kernel, DefaultTiles default_tiles)
    : kernel_(std::move(kernel)),
      space_(kernel_->model, kernel_->rates),
      default_(default_tiles == DefaultTiles::kAnalytical
                   ? sim::analytical_bounds(kernel_->model, kernel_->rates)
                   : sim::program_bounds(*kernel_->program, kernel_->first(), kernel_->model,
                                         kernel_->rates)) {}

Bounds TileConfigs::bounds(const Config& config) const {
  Bounds out;
  out.reserve(config.size());
  for (uint32_t value : config) out.push_back(int64_t{value} + 1);
  return out;
}

Config TileConfigs::config(const Bounds& bounds) const {
  Config out;
  out.reserve(bounds.size());
  for (int64_t bound : bounds)
    out.push_back(static_cast<uint32_t>(std::max<int64_t>(bound, 1) - 1));
  return out;
}

uint32_t TileConfigs::choices(size_t dimension) const {
  return static_cast<uint32_t>(std::max<int64_t>(kernel_->model.loops[dimension].units(), 1));
}

std::string TileConfigs::dimension_name(size_t dimension) const {
  const sim::LoopId loop(dimension);
  const auto position = [loop](const std::vector<sim::LoopId>& loops) {
    return std::find(loops.begin(), loops.end(), loop) - loops.begin();
  };
  const sim::KernelModel& model = kernel_->model;
  const auto output = static_cast<size_t>(position(model.output_loops));
  if (output < model.output_loops.size()) return fmt::format("output {}", output);
  const auto kernel = static_cast<size_t>(position(model.kernel_loops));
  if (kernel < model.kernel_loops.size()) return fmt::format("kernel {}", kernel);
  return fmt::format("loop {}", dimension);
}

std::optional<double> TileConfigs::count_within(uint64_t most_boxes) const {
  if (!count_) {
    const Result<double> counted = space_.count({}, most_boxes);
    if (!counted) return std::nullopt;
    count_ = *counted;
  }
  return count_;
}

std::optional<double> TileConfigs::count() const {
  // It is shown, nothing depends on it: not worth more than a few seconds.
  constexpr uint64_t kMostBoxes = 2'000'000;
  return count_within(kMostBoxes);
}

Config TileConfigs::random(Rng& rng) const {
  return config(space_.random(rng));
}

std::optional<Config> TileConfigs::neighbour(const Config& from, Rng& rng) const {
  const std::vector<Bounds> all = space_.neighbours(bounds(from));
  if (all.empty()) return std::nullopt;
  return config(all[rng.below(all.size())]);
}

Config TileConfigs::mixed(const Config& a, const Config& b, Rng& rng) {
  Config out = a;
  for (size_t d = 0; d < a.size(); ++d) {
    if (rng.below(2) == 1) out[d] = b[d];
  }
  return out;
}

Config TileConfigs::cross(const Config& a, const Config& b, Rng& rng) const {
  Config out = mixed(a, b, rng);
  while (!space_.fits(bounds(out))) {
    // In the end it is `a`, which fits.
    std::vector<size_t> differing;
    for (size_t d = 0; d < a.size(); ++d) {
      if (out[d] != a[d]) differing.push_back(d);
    }
    if (differing.empty()) break;
    const size_t d = differing[rng.below(differing.size())];
    out[d] = a[d];
  }
  return out;
}

Config TileConfigs::toward(const Config& a, const Config& b, double share, Rng& rng) const {
  Config out = mixed_toward(a, b, share, rng);
  return space_.fits(bounds(out)) ? out : b;
}

// The first fitting bounds of the loops from `loop` on; all 1 afterwards where there are none. Not
// even one buffer each having room ends a loop: larger bounds leave less.
bool TileConfigs::first_from(size_t loop, Bounds& bounds) const {
  if (loop == bounds.size()) return space_.fits(bounds);
  bounds[loop] = 1;
  return sim::least_footprint_bytes(kernel_->model, bounds) <= kernel_->rates.vmem_bytes &&
         (first_from(loop + 1, bounds) || next_in(loop, bounds));
}

// The next fitting bounds that differ in `loop`, the loops behind it at their first.
bool TileConfigs::next_in(size_t loop, Bounds& bounds) const {
  const auto most = static_cast<int64_t>(choices(loop));
  for (size_t l = loop + 1; l < bounds.size(); ++l) bounds[l] = 1;
  while (bounds[loop] < most) {
    ++bounds[loop];
    if (sim::least_footprint_bytes(kernel_->model, bounds) > kernel_->rates.vmem_bytes) break;
    if (first_from(loop + 1, bounds)) return true;
    for (size_t l = loop + 1; l < bounds.size(); ++l) bounds[l] = 1;
  }
  bounds[loop] = 1;
  return false;
}

std::optional<Config> TileConfigs::after(const Config* last) const {
  if (last == nullptr) {
    Bounds first(dimensions(), 1);
    if (!first_from(0, first)) return std::nullopt;
    return config(first);
  }
  Bounds next = bounds(*last);
  for (size_t loop = next.size(); loop-- > 0;) {
    if (next_in(loop, next)) return config(next);
  }
  return std::nullopt;
}

std::string TileConfigs::text(const Config& config) const {
  return bounds_text(kernel_->model, bounds(config));
}

Result<Config> TileConfigs::parse(std::string_view text) const {
  HLOSCOPE_ASSIGN(const Bounds read, sim::parse_bounds(kernel_->model, text));
  if (space_.fits(read)) return config(read);
  return fail(ErrorCode::kInvalidInput, fmt::format("the tile {} does not fit in VMEM", text),
              "choose smaller bounds");
}

Result<hlo::ProgramPtr> TileConfigs::program(const Config& config) const {
  std::vector<std::pair<hlo::InstructionId, std::string>> tiles;
  for (hlo::InstructionId id : kernel_->instructions) tiles.emplace_back(id, text(config));
  return with_tiles(*kernel_->program, std::move(tiles));
}

}  // namespace hloscope::tune
