#pragma once

namespace hloscope::ui {

/// What QWheelEvent::angleDelta() gives for one step of a wheel, and how much a step zooms.
inline constexpr double kWheelStep = 120;
inline constexpr double kZoomPerStep = 1.25;

}  // namespace hloscope::ui
