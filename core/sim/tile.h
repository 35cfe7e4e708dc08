#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace hloscope::sim {

/// The block of a kernel that one iteration computes, in the convention of the TPU's tuning data:
/// sizes in physical order, major to minor; the dimensions that the layout tiles, as T(8,128) does
/// the two minor ones, are counted in tiles, the others in elements. For a kernel that ends in a
/// reduction the bounds run over the input of the reduction.
struct Tile {
  std::vector<int64_t> output;
  /// Of the right operand of a dot or convolution; its entries that the output has too (output
  /// features, batch) repeat the output's and do not count. Empty for other kernels.
  std::vector<int64_t> kernel;
  bool operator==(const Tile&) const = default;
};

/// `out=12x4x4x3,kernel=3x1x24x3`; a part without bounds is left out.
[[nodiscard]] std::string tile_text(const Tile& tile);
/// Reads what tile_text() writes, the parts in any order. Error: kInvalidInput.
[[nodiscard]] Result<Tile> parse_tile(std::string_view text);

}  // namespace hloscope::sim
