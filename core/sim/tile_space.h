#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/progress.h"
#include "core/base/rng.h"
#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"

namespace hloscope::sim {

/// The tiles that a kernel can run with: any bound of 1 to the whole of each loop, as long as the
/// tile fits in VMEM. Bounds are by LoopId; see loop_bounds() and tile_of() for Tile.
class TileSpace {
 public:
  /// References are kept.
  TileSpace(const KernelModel& model, const Rates& rates) : model_(model), rates_(rates) {}

  [[nodiscard]] bool fits(const std::vector<int64_t>& bounds) const;
  /// Bounds of a tile. Error: kInvalidInput, for bounds out of range and for tiles beyond VMEM.
  [[nodiscard]] Result<std::vector<int64_t>> check(const Tile& tile) const;
  /// Error: kInvalidInput beyond VMEM, with how much of it the tile, as `text`, needs.
  [[nodiscard]] Status check_fits(const std::vector<int64_t>& bounds, std::string_view text) const;
  /// All tiles, fitting or not.
  [[nodiscard]] double all_count() const;
  /// Tiles that fit, without listing them: boxes that fit as a whole, or not at all, are counted at
  /// once (the footprint grows with every bound). Errors: kCancelled; kUnsupported after most_boxes
  /// of them (a million take about a second).
  [[nodiscard]] Result<double> count(const Progress& progress = {},
                                     uint64_t most_boxes = UINT64_MAX) const;
  /// Every tile that fits, smallest bounds first, the last loop fastest, until the callback returns
  /// false.
  void each(const std::function<bool(const std::vector<int64_t>&)>& callback) const;
  /// Uniform over the bounds of each loop in turn, among what still fits.
  [[nodiscard]] std::vector<int64_t> random(Rng& rng) const;
  /// Tiles one step away in one loop: bound - 1, bound + 1, and the bounds that change the number
  /// of tiles by one. Only those that fit.
  [[nodiscard]] std::vector<std::vector<int64_t>> neighbours(
      const std::vector<int64_t>& bounds) const;

 private:
  bool each_from(size_t loop, std::vector<int64_t>& bounds,
                 const std::function<bool(const std::vector<int64_t>&)>& callback) const;

  const KernelModel& model_;
  const Rates& rates_;
};

/// The tile that stands for the compiler's choice: a search by the analytical model from the
/// largest tiles that fit, over the bounds that divide a loop in equal parts; of its best eight,
/// and of the tiles around it, the one that simulates fastest. The whole kernel when nothing fits
/// (a body that no TPU compiler would fuse): it is then timed as if VMEM had room.
[[nodiscard]] std::vector<int64_t> default_bounds(const KernelModel& model, const Rates& rates);
/// The same search, nothing simulated: the tile that the analytical model alone chooses, as a
/// compiler does that has no hardware to try on.
[[nodiscard]] std::vector<int64_t> analytical_bounds(const KernelModel& model, const Rates& rates);

}  // namespace hloscope::sim
