#pragma once

#include "core/sim/reach.h"

namespace hloscope::sim {

/// What is written of an output of the kernel.
struct OutputPlan {
  FlatId node = {};
  FlatId written = {};  ///< The value whose shape is written: the update of an update in place.
  bool is_scattered = false;        ///< Of a scatter: rows at places known at run time.
  std::vector<ExtentId> dims = {};  ///< Of `written`.
};

/// Chooses the value that the loops run over (the largest output; the input of a reduction that
/// ends the kernel), makes its loops in physical order, and gives every output its extents. Seeds
/// state.visits. `reduction` is the reduction whose input is tiled, or invalid.
struct HeroPlan {
  std::vector<OutputPlan> outputs;
  FlatId reduction;
  std::vector<LoopId> output_loops;
};
[[nodiscard]] HeroPlan plan_hero(ReachState& state);

}  // namespace hloscope::sim
