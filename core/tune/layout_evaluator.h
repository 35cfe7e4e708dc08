#pragma once

#include <memory>

#include "core/tune/layout_space.h"
#include "core/tune/tile_evaluator.h"

namespace hloscope::tune {

/// Times of a program by its layouts: kernels and copies x executions, at the tiles that the
/// analytical model chooses. Each kernel is timed once for each set of orders that it meets; equal
/// kernels share their time. References are kept.
[[nodiscard]] std::unique_ptr<Evaluator> make_layout_evaluator(const LayoutSpace& space,
                                                               std::unique_ptr<KernelTimer> timer,
                                                               HardwareCost cost);

}  // namespace hloscope::tune
