#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"
#include "core/sim/tile_work.h"

namespace hloscope::sim {

/// What a simulated kernel spends. A simulated time, never a measured one.
struct Simulation {
  double time_ns = 0;
  double tiles = 0;  ///< Iterations.
  double launch_ns = 0;
  double first_read_ns = 0;  ///< Before the first tile: nothing to hide behind.
  double last_write_ns = 0;  ///< After the last tile.
  double read_ns = 0;        ///< All transfers from HBM, one after the other.
  double write_ns = 0;
  double compute_ns = 0;  ///< The core, all tiles, issue of transfers included.
  double exposed_ns = 0;  ///< Transfers that compute does not hide, first and last included.
  double bytes_read = 0;
  double bytes_written = 0;
  double runs_read = 0;  ///< Contiguous runs that cost time.
  double runs_written = 0;
  double descriptors = 0;      ///< DMA descriptors, both ways.
  double footprint_bytes = 0;  ///< Of VMEM.
  UnitTimes busy_ns{};         ///< By Unit.
  Unit bottleneck = Unit::kScalar;
};

/// One stretch of work of one unit.
struct Event {
  Unit unit = Unit::kScalar;
  double start_ns = 0;
  double end_ns = 0;
  int64_t tile = -1;      ///< Iteration; -1 for launch.
  std::string_view what;  ///< "read", "write", "compute", "launch".
};

/// Start and length of one iteration.
struct TileTime {
  double start_ns = 0;
  double end_ns = 0;
  double compute_ns = 0;
  double transfer_ns = 0;  ///< Under it: the next tile's read and the last one's write.
};

struct Timeline {
  std::vector<Event> events;
  std::vector<TileTime> tiles;
  bool is_complete = true;  ///< False: more tiles than `max_tiles`; the first ones are here.
};

/// Runs a kernel tile by tile: two buffers per block, the next tile is read and the last one
/// written while one is computed, reads and writes share HBM, and the first read and the last write
/// stand alone. Model and constants: README, "How a time comes about".
/// `bounds` by LoopId, see loop_bounds().
[[nodiscard]] Simulation simulate(const KernelModel& model, const std::vector<int64_t>& bounds,
                                  const Rates& rates);
/// Of a kernel that is not tiled: launch, trips and bytes over the link.
[[nodiscard]] Simulation simulate_link(const KernelModel& model, const Rates& rates);
/// The same as a list of events, of the first `max_tiles` tiles.
[[nodiscard]] Timeline timeline(const KernelModel& model, const std::vector<int64_t>& bounds,
                                const Rates& rates, int64_t max_tiles = 5000);

}  // namespace hloscope::sim
