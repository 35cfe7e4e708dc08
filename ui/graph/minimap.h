#pragma once

#include <QImage>
#include <QPainter>

#include "ui/graph/camera.h"
#include "ui/graph/frame_renderer.h"

namespace hloscope::ui {

/// The whole graph in a corner of the view, with a frame around what the view shows.
class Minimap {
 public:
  static constexpr int kWidth = 154;
  static constexpr int kHeight = 110;

  /// Draws the picture; call when graph, colours or theme have changed.
  void update(FrameRenderer& renderer, FrameRequest request, double dpr);
  void clear() { picture_ = QImage(); }
  [[nodiscard]] bool isEmpty() const { return picture_.isNull(); }
  /// Where it stands in a view of this size.
  [[nodiscard]] QRect rect(QSize view) const;
  /// World point below a position in the view.
  [[nodiscard]] layout::Point worldAt(QPointF position, QSize view) const;
  void paint(QPainter& painter, QSize view, const Camera& camera) const;

 private:
  QImage picture_;
  Camera camera_;
};

}  // namespace hloscope::ui
