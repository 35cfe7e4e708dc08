#pragma once

#include "ui/charts/best_so_far_chart.h"
#include "ui/charts/parallel_coordinates.h"
#include "ui/models/tune_columns.h"

namespace hloscope::ui {

/// What the best time stands over.
enum class CurveX { kCount, kHardware, kWall };

/// The best of a session so far: of its measurements in their order where there are any, else of
/// all its trials.
[[nodiscard]] BestSoFarChart::Curve bestCurve(const TrialColumns& trials, CurveX x);

/// Sizes of the tile, or how far trials are from the default, then what came of them; the last axis
/// is the time. `top` below 1: only that share of the trials with the least times keeps its time.
[[nodiscard]] std::vector<ParallelCoordinates::Axis> parallelAxes(const TrialColumns& trials,
                                                                  double top, bool log_time);

}  // namespace hloscope::ui
