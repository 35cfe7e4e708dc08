#pragma once

#include <cstdint>
#include <vector>

#include "core/hlo/shape.h"

namespace hloscope::hlo {

/// Tiles of a layout, outermost first, as in T(8,128)(2,1).
using Tiles = std::vector<std::vector<int64_t>>;

/// The tiling that a TPU gives an array whose program states none, for its dimensions in the order
/// of its layout. 32-bit and wider types: T(8,128), with fewer rows where the second minor
/// dimension is at most 4. 16-, 8- and sub-8-bit types pack 2, 4 or more rows in a word:
/// T(8,128)(2,1), T(8,128)(4,1), T(32,128)(4,1) from 32 rows on. Rank 1: T(128) to T(1024) by
/// length. Scalars: T(128). Sources: openxla.org/xla/tiled_layout and published TPU compiler dumps;
/// the choice of the order of dimensions is left as the program has it.
[[nodiscard]] Tiles default_tiles(const Shape& shape);

/// Bytes of an array with its dimensions padded to the tiles: at each level prod ceil(d / t) * t
/// over the dimensions in physical order; kCombineDimension merges a dimension with the next more
/// minor one; sub-byte types are packed. A shape that has no tiles takes default_tiles(). 0 for
/// what is not an array; a tuple is 8 bytes per element, as in ShapeTable::byte_size.
[[nodiscard]] double padded_bytes(const Shape& shape);
[[nodiscard]] double padded_bytes(const Shape& shape, const Tiles& tiles);

/// Physical dimensions, major to minor.
[[nodiscard]] std::vector<int64_t> physical_dimensions(const Shape& shape);

/// Bits an element takes in memory: the layout's element size, else that of the type.
[[nodiscard]] int element_bits(const Shape& shape);

}  // namespace hloscope::hlo
