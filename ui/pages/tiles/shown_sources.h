#pragma once

#include <array>

#include "core/analysis/time_source.h"

namespace hloscope::ui {

/// The sources of times that the Tiles page shows, in its order.
inline constexpr std::array kTileSources = {
    analysis::TimeSource::kMeasured, analysis::TimeSource::kPredicted,
    analysis::TimeSource::kSimulated, analysis::TimeSource::kAnalytical};

}  // namespace hloscope::ui
