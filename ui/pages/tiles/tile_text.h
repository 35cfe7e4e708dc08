#pragma once

#include <QString>
#include <cstdint>
#include <span>
#include <vector>

#include "core/sim/kernel_model.h"
#include "core/sim/tile.h"

namespace hloscope::ui {

/// "[6,12,4,1]"; empty for none.
[[nodiscard]] QString boundsText(std::span<const int64_t> bounds);
/// "[6,12,4,1] kernel [3,3,24,1]".
[[nodiscard]] QString tileText(const sim::Tile& tile);
/// "6.4", without the unit.
[[nodiscard]] QString mebibytes(double bytes);

/// A loop as the axis of a map: where its bound stands in a tile.
struct TileDimension {
  sim::LoopId loop;
  QString name;  ///< "out 1", "kernel 3".
};
/// Those with more than one possible bound, in the order of tiles.
[[nodiscard]] std::vector<TileDimension> tileDimensions(const sim::KernelModel& model);

}  // namespace hloscope::ui
