#include "core/sim/physical.h"

#include <algorithm>

#include "core/hlo/tpu_layout.h"
#include "core/sim/extent.h"

namespace hloscope::sim {

namespace {

constexpr int64_t kSublanes = 8;
constexpr int64_t kLaneCount = 128;
constexpr int64_t kMaxTile = int64_t{1} << 31;

std::vector<uint32_t> physical_order(const hlo::Shape& shape) {
  const std::vector<int64_t>& minor_to_major = shape.layout.minor_to_major;
  std::vector<uint32_t> order;
  for (size_t i = shape.rank(); i-- > 0;) {
    const bool given = minor_to_major.size() == shape.rank();
    order.push_back(static_cast<uint32_t>(given ? minor_to_major[i]
                                                : static_cast<int64_t>(shape.rank() - 1 - i)));
  }
  return order;
}

}  // namespace

PhysicalLayout physical_layout(const hlo::Shape& shape) {
  PhysicalLayout layout;
  if (!shape.is_array()) return layout;
  const hlo::Tiles tiles =
      shape.layout.tiles.empty() ? hlo::default_tiles(shape) : shape.layout.tiles;
  std::vector<int64_t> tile = tiles.empty() ? std::vector<int64_t>() : tiles.front();
  for (int64_t& size : tile) size = std::clamp<int64_t>(size, 1, kMaxTile);
  layout.order = physical_order(shape);
  layout.unit_bytes = hlo::element_bits(shape) / 8.0;
  for (int64_t size : tile) layout.unit_bytes *= static_cast<double>(size);
  for (size_t i = 0; i < layout.rank(); ++i) {
    const size_t from_minor = layout.rank() - 1 - i;
    const int64_t unit = from_minor < tile.size() ? tile[tile.size() - 1 - from_minor] : 1;
    const int64_t size = std::clamp<int64_t>(shape.dimensions[layout.order[i]], 0, kMaxExtent);
    layout.unit.push_back(unit);
    layout.full_units.push_back(std::max<int64_t>(ceil_div(size, unit), 1));
  }
  return layout;
}

int64_t register_elements(size_t position, size_t rank) {
  if (rank == 1) return kSublanes * kLaneCount;
  if (position + 1 == rank) return kLaneCount;
  return position + 2 == rank ? kSublanes : 1;
}

}  // namespace hloscope::sim
