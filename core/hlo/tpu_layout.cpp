#include "core/hlo/tpu_layout.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hloscope::hlo {

namespace {

constexpr int64_t kSublanes = 8;
constexpr int64_t kLanes = 128;
constexpr int kWordBits = 32;

int64_t ceil_div(int64_t a, int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

int64_t saturating_product(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

// How many elements share a 32-bit word.
int64_t packing(const Shape& shape) {
  const int bits = element_bits(shape);
  if (bits <= 0 || bits >= kWordBits) return 1;
  return static_cast<int64_t>(std::bit_floor(static_cast<unsigned>(kWordBits / bits)));
}

int64_t power_of_two_at_least(int64_t n) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(n, 1))));
}

// One row of lanes holds 128 words; a register has 8 of them.
Tiles vector_tiles(int64_t length, int64_t pack) {
  const int64_t row = kLanes * pack;
  const int64_t rows = std::min(kSublanes, power_of_two_at_least(ceil_div(length, row)));
  if (pack == 1) return {{rows * row}};
  return {{rows * row}, {kLanes}, {pack, 1}};
}

Tiles matrix_tiles(int64_t second_minor, int64_t pack) {
  const int64_t rows = std::max(pack, power_of_two_at_least(second_minor));
  int64_t tile = std::min(rows, kSublanes);
  if (pack > kSublanes) tile = pack;
  if (pack >= 4 && second_minor >= kSublanes * pack) tile = kSublanes * pack;
  if (pack == 1) return {{tile, kLanes}};
  return {{tile, kLanes}, {pack, 1}};
}

// Merges the dimensions that the tile marks with the next more minor one, in place.
void combine_dimensions(std::vector<int64_t>& dims, std::vector<int64_t>& tile) {
  size_t offset = dims.size() - tile.size();
  for (size_t i = 0; i + 1 < tile.size();) {
    if (tile[i] != kCombineDimension) {
      ++i;
      continue;
    }
    dims[offset + i + 1] = saturating_product(dims[offset + i], dims[offset + i + 1]);
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(offset + i));
    tile.erase(tile.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// Replaces the minor dimensions that the tile covers by the counts of tiles, then the tile itself.
void apply_tile(std::vector<int64_t>& dims, std::vector<int64_t> tile) {
  if (tile.empty()) return;
  if (dims.size() < tile.size()) dims.insert(dims.begin(), tile.size() - dims.size(), 1);
  combine_dimensions(dims, tile);
  const size_t offset = dims.size() - tile.size();
  for (size_t i = 0; i < tile.size(); ++i) {
    if (tile[i] <= 0) tile[i] = 1;
    dims[offset + i] = ceil_div(dims[offset + i], tile[i]);
  }
  dims.insert(dims.end(), tile.begin(), tile.end());
}

}  // namespace

int element_bits(const Shape& shape) {
  if (shape.layout.element_size_in_bits > 0) {
    return static_cast<int>(shape.layout.element_size_in_bits);
  }
  return info(shape.element_type).bits;
}

std::vector<int64_t> physical_dimensions(const Shape& shape) {
  std::vector<int64_t> dims;
  dims.reserve(shape.rank());
  const std::vector<int64_t>& order = shape.layout.minor_to_major;
  for (size_t i = shape.rank(); i-- > 0;) {
    const size_t logical =
        order.size() == shape.rank() ? static_cast<size_t>(order[i]) : shape.rank() - 1 - i;
    dims.push_back(std::max<int64_t>(shape.dimensions[logical], 0));
  }
  return dims;
}

Tiles default_tiles(const Shape& shape) {
  const std::vector<int64_t> dims = physical_dimensions(shape);
  const int64_t pack = packing(shape);
  if (dims.empty()) return {{kLanes}};
  if (dims.size() == 1) return vector_tiles(dims[0], pack);
  return matrix_tiles(dims[dims.size() - 2], pack);
}

double padded_bytes(const Shape& shape, const Tiles& tiles) {
  if (shape.is_tuple()) return 8.0 * static_cast<double>(shape.elements.size());
  if (!shape.is_array() || shape.element_count() == 0) return 0;
  std::vector<int64_t> dims = physical_dimensions(shape);
  for (const std::vector<int64_t>& tile : tiles) apply_tile(dims, tile);
  double elements = 1;
  for (int64_t d : dims) elements *= static_cast<double>(d);
  return std::ceil(elements * element_bits(shape) / 8);
}

double padded_bytes(const Shape& shape) {
  if (!shape.layout.tiles.empty() || !shape.is_array()) {
    return padded_bytes(shape, shape.layout.tiles);
  }
  return padded_bytes(shape, default_tiles(shape));
}

}  // namespace hloscope::hlo
