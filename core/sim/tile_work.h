#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/sim/kernel_model.h"
#include "core/sim/rates.h"

namespace hloscope::sim {

/// What runs side by side in a core.
enum class Unit : uint8_t {
  kDmaIn,
  kDmaOut,
  kScalar,  ///< Loop over tiles, DMA issue, launch.
  kMxu,
  kXlu,
  kValu,
  kEup,
  kLoad,
  kStore,
  kLink,  ///< Between chips, or to the host.
};
inline constexpr size_t kUnitCount = 10;
[[nodiscard]] std::string_view name(Unit unit);
using UnitTimes = std::array<double, kUnitCount>;  ///< ns, by Unit.
[[nodiscard]] inline double& at(UnitTimes& times, Unit unit) {
  return times[static_cast<size_t>(unit)];
}

/// Work of the core on one tile, the full bounds also where the last tile is smaller (measured:
/// ragged tiles compute in full).
struct TileWork {
  UnitTimes busy_ns{};      ///< Of a tile that is not the last of its sums.
  UnitTimes end_busy_ns{};  ///< More for the last of its sums: what follows the matrix unit.
  double fixed_ns = 0;      ///< Per tile: loop, fill and drain of the matrix unit, reduction tail.
  double convert_ns = 0;    ///< From and to float16, on the vector ALU; the matrix unit waits.
  double end_convert_ns = 0;  ///< More for the last of its sums.
  double compute_ns = 0;      ///< fixed + the longest unit, conversions before it.
  double end_compute_ns = 0;  ///< The same of a tile that ends its sums.
};

/// `bounds` by LoopId.
[[nodiscard]] TileWork tile_work(const KernelModel& model, std::span<const int64_t> bounds,
                                 const Rates& rates);

}  // namespace hloscope::sim
