#pragma once

#include <string>

#include "core/predict/tile_ranking.h"

namespace hloscope::predict {

/// How much slower than the fastest measured tile the best of the first k tiles is that each source
/// would have tried: one curve of steps per estimate, and the measured times in their own order.
/// Empty where fewer than two tiles are measured.
[[nodiscard]] std::string tile_curve_svg(const TileRanking& ranking);

}  // namespace hloscope::predict
