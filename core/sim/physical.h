#pragma once

#include <cstdint>
#include <vector>

#include "core/hlo/shape.h"

namespace hloscope::sim {

/// How an array lies in memory: its dimensions major to minor, the minor ones cut in tiles. A
/// layout without tiles gets those of hlo::default_tiles().
struct PhysicalLayout {
  std::vector<uint32_t> order;      ///< Logical dimensions, major to minor.
  std::vector<int64_t> unit;        ///< Elements of a unit, by position in `order`: the tile's.
  std::vector<int64_t> full_units;  ///< ceil(size / unit).
  double unit_bytes = 0;            ///< Of one tile, e.g. 4096 for float32 in T(8,128).

  [[nodiscard]] size_t rank() const { return order.size(); }
};

[[nodiscard]] PhysicalLayout physical_layout(const hlo::Shape& shape);

/// What one vector register holds along a physical dimension: 8 rows (second minor), 128 lanes
/// (minor), 1024 elements of a rank 1 array, else 1. `position` counts from major.
[[nodiscard]] int64_t register_elements(size_t position, size_t rank);

}  // namespace hloscope::sim
