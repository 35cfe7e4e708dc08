#pragma once

#include <QPainter>

#include "ui/charts/plot_axes.h"

namespace hloscope::ui {

/// A range of time on an axis of pixels, shared by strips and lanes below each other.
struct TimeAxis {
  double from_ns = 0;
  double to_ns = 1;
  QRectF rect;  ///< The plot; labels stand under it.

  [[nodiscard]] double span_ns() const { return to_ns - from_ns; }
  [[nodiscard]] double x(double time_ns) const {
    return rect.left() + (time_ns - from_ns) / span_ns() * rect.width();
  }
  [[nodiscard]] double timeAt(double x) const {
    return from_ns + (x - rect.left()) / rect.width() * span_ns();
  }
  /// "µs", "ms" or "s", as suits the end of the range.
  [[nodiscard]] QString unit() const;
};

inline constexpr double kTimeLabels = 74;  ///< Room left of strips and lanes.
inline constexpr double kTimeBusy = 62;    ///< And right of them.

/// Tick labels under the axis, with grid lines over its plot where `grid`.
void paintTimeAxis(QPainter& painter, const TimeAxis& axis, bool grid);

}  // namespace hloscope::ui
