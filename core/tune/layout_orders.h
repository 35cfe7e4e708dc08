#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/shape.h"

namespace hloscope::tune {

/// Dimensions of an array minor to major.
using LayoutOrder = std::vector<int64_t>;

/// An array whose dimensions may be ordered anew: of fixed sizes, in HBM, not split or aligned.
[[nodiscard]] bool has_plain_layout(const hlo::Shape& shape);

/// The orders that an array may be given; the first is the one that it has, the others ascend. Up
/// to rank 4 all of them; beyond that those that differ in the two minor dimensions, which the
/// tiles cut, taken from dimensions of more than one element: what lies above them only moves
/// whole tiles. A dimension of one element is never the minor one. Orders that put every element at
/// the same address count once. Only the first where there is nothing to choose: less than two
/// dimensions of more than one element, or no plain layout.
[[nodiscard]] std::vector<LayoutOrder> layout_choices(const hlo::Shape& shape);

/// The shape with another order. Tiles are those of hlo::default_tiles() where it states tiles.
[[nodiscard]] hlo::Shape with_order(const hlo::Shape& shape, const LayoutOrder& order);

/// "2.1.0.3".
[[nodiscard]] std::string order_text(const LayoutOrder& order);
/// Error: kInvalidInput, for what is not that.
[[nodiscard]] Result<LayoutOrder> parse_order(std::string_view text);

}  // namespace hloscope::tune
