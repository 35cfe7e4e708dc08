#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <algorithm>

#include "core/layout/placement.h"

namespace hloscope::ui {

/// Where the view looks: world point in its middle, and screen pixels per world pixel.
struct Camera {
  double x = 0;
  double y = 0;
  double zoom = 1;
  bool operator==(const Camera&) const = default;

  [[nodiscard]] QPointF toScreen(layout::Point p, QSizeF size) const {
    return {(p.x - x) * zoom + size.width() / 2, (p.y - y) * zoom + size.height() / 2};
  }
  [[nodiscard]] layout::Point toWorld(QPointF p, QSizeF size) const {
    return {static_cast<float>((p.x() - size.width() / 2) / zoom + x),
            static_cast<float>((p.y() - size.height() / 2) / zoom + y)};
  }
  [[nodiscard]] QRectF toScreen(const layout::Rect& r, QSizeF size) const {
    return {toScreen(layout::Point{r.left, r.top}, size),
            toScreen(layout::Point{r.right, r.bottom}, size)};
  }
  /// What a view of this size shows.
  [[nodiscard]] layout::Rect visible(QSizeF size) const {
    const layout::Point a = toWorld({0, 0}, size);
    const layout::Point b = toWorld({size.width(), size.height()}, size);
    return {a.x, a.y, b.x, b.y};
  }

  /// Shows all of `bounds` with a margin; never enlarged.
  [[nodiscard]] static Camera fitting(const layout::Rect& bounds, QSizeF size, double margin) {
    Camera camera;
    camera.x = bounds.center_x();
    camera.y = bounds.center_y();
    const double zoom_x = (size.width() - 2 * margin) / std::max(1.F, bounds.width());
    const double zoom_y = (size.height() - 2 * margin) / std::max(1.F, bounds.height());
    camera.zoom = std::max(1e-6, std::min({1.0, zoom_x, zoom_y}));
    return camera;
  }
};

}  // namespace hloscope::ui
