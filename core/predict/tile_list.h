#pragma once

#include <cstdint>
#include <vector>

#include "core/accuracy/measured_tiles.h"
#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"

namespace hloscope::predict {

struct TileListOptions {
  size_t most = 2000;  ///< Of tiles that were not measured; where more fit, so many are drawn.
  uint64_t seed = 1;   ///< Of the draw.
  bool beside_measured = false;  ///< Tiles that were not measured too, where some were.
};

/// Tiles of a kernel that are looked at together.
struct TileList {
  std::vector<std::vector<int64_t>> bounds;  ///< By LoopId; each once.
  std::vector<double> measured_ns;           ///< By tile; NaN: not measured.
  size_t measured = 0;                       ///< Tiles with a measured time; they come first.
  bool has_all = false;                      ///< All that fit are here.
  bool is_drawn = false;                     ///< Others that fit were left to chance.
};

/// The measured tiles of the kernel, else all that fit or, of many, some at random and with them
/// `default_bounds`.
[[nodiscard]] TileList list_tiles(const sim::KernelModel& model,
                                  const accuracy::MeasuredTiles& measured, const sim::Rates& rates,
                                  const std::vector<int64_t>& default_bounds,
                                  const TileListOptions& options = {});

}  // namespace hloscope::predict
