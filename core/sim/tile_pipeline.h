#pragma once

#include <cstdint>
#include <vector>

#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"
#include "core/sim/simulate.h"

namespace hloscope::sim {

/// A block that is moved for one iteration, or kept.
struct BlockTransfer {
  uint32_t stream = 0;  ///< Position in KernelModel::streams.
  int64_t tile = 0;     ///< The iteration that reads or wrote it.
  double start_ns = 0;
  double end_ns = 0;
  double bytes = 0;
  bool is_kept = false;  ///< It lies in VMEM since an earlier iteration: no transfer, no time.
};

/// How a kernel runs with one tile: what simulate() adds up, transfer by transfer and by operand.
/// Transfers of one direction follow each other in the order of the streams.
struct TilePipeline {
  std::vector<BlockTransfer> transfers;
  std::vector<TileTime> tiles;
  Simulation total;
  double end_ns = 0;        ///< Of what is here.
  bool is_complete = true;  ///< False: more iterations than `most_tiles`; the first ones are here.

  /// How much of the time the busiest unit works.
  [[nodiscard]] double busy_share() const {
    return total.busy_ns[static_cast<size_t>(total.bottleneck)] / total.time_ns;
  }
};

/// `bounds` by LoopId; the model is kTiled.
[[nodiscard]] TilePipeline tile_pipeline(const KernelModel& model,
                                         const std::vector<int64_t>& bounds, const Rates& rates,
                                         size_t most_tiles = 200);

}  // namespace hloscope::sim
