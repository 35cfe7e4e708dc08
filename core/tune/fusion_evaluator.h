#pragma once

#include "core/tune/evaluator.h"
#include "core/tune/fusion_cursor.h"
#include "core/tune/group_timer.h"
#include "core/tune/tile_evaluator.h"

namespace hloscope::tune {

/// Times of a program by the fusions of its configurations: the sum over its kernels of time x
/// executions. From one configuration to the next only kernels that change are timed, and kernels
/// that are alike only once.
[[nodiscard]] std::unique_ptr<Evaluator> make_fusion_evaluator(std::shared_ptr<FusionCursor> cursor,
                                                               std::unique_ptr<GroupTimer> timer,
                                                               HardwareCost cost);

}  // namespace hloscope::tune
