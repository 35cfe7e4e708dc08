#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"
#include "core/sim/tile_work.h"

namespace hloscope::sim {

/// All transfers of one direction between HBM and VMEM.
struct Transfers {
  double total_ns = 0;
  double one_ns = 0;  ///< Of one tile that moves all its blocks.
  double bytes = 0;
  double descriptors = 0;
  double transfers = 0;  ///< Of the stream that moves most often.
  bool any = false;
};

/// A kernel's time by the analytical model.
struct Estimate {
  double time_ns = 0;
  double compute_ns = 0;   ///< The core, all tiles.
  double transfer_ns = 0;  ///< HBM traffic that could be hidden behind it.
  double exposed_ns = 0;   ///< First read and last write.
  double tiles = 1;        ///< Iterations.
  double bytes = 0;        ///< Read and written.
  double footprint_bytes = 0;
  bool is_cut = false;  ///< By the time limit of estimate_within().
  double covered =
      1;  ///< What all tiles cover of the loops: above 1 where the last one sticks out.
  Transfers read = {};
  Transfers write = {};
  TileWork tile = {};  ///< Of one tile.
  Unit bottleneck = Unit::kScalar;
};

/// The hand-written baseline of the learned-model paper ("A Learned Performance Model for Tensor
/// Processing Units", appendix A): totals over all tiles, the longer of compute and transfers, no
/// pipeline. It knows tiles, padding, blocks that stay, and the cost of runs; what it does not know
/// is that tiles differ from one another. First, second and last position of every loop stand for
/// all.
[[nodiscard]] Estimate estimate(const KernelModel& model, std::span<const int64_t> bounds,
                                const Rates& rates);
/// What a search for tiles wants to know no more of.
struct EstimateLimits {
  double vmem_bytes = std::numeric_limits<double>::infinity();
  double time_ns = std::numeric_limits<double>::infinity();  ///< With Rates::tile_choice_ns.
};
/// The same of a tiled kernel. Where compute alone takes the time limit or more, only tiles and a
/// time_ns that is at most the true one; where the tile needs more VMEM, only its footprint.
[[nodiscard]] Estimate estimate_within(const KernelModel& model, std::span<const int64_t> bounds,
                                       const Rates& rates, const EstimateLimits& limits);

/// VMEM of a tile: two buffers of every block that changes, one of the others, the partial sums of
/// a matrix product that is split, and what stays. Grows with every bound, but that a loop taken
/// whole needs one buffer.
[[nodiscard]] double footprint_bytes(const KernelModel& model, std::span<const int64_t> bounds);
/// The same with one buffer for every block: grows with every bound, without exception.
[[nodiscard]] double least_footprint_bytes(const KernelModel& model,
                                           std::span<const int64_t> bounds);

}  // namespace hloscope::sim
