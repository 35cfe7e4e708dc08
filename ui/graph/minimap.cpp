#include "ui/graph/minimap.h"

#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {
constexpr int kMapMargin = 12;
constexpr int kInner = 6;
}  // namespace

void Minimap::update(FrameRenderer& renderer, FrameRequest request, double dpr) {
  const QSize size(kWidth, kHeight);
  camera_ = Camera::fitting(request.scene->placement().bounds, size, kInner);
  picture_ = QImage(size * dpr, QImage::Format_RGB32);
  picture_.setDevicePixelRatio(dpr);
  request.camera = camera_;
  request.selected = layout::NodeId();
  renderer.render(request, picture_);
}

QRect Minimap::rect(QSize view) const {
  // In a small view the graph is worth more.
  if (view.width() < 2 * kWidth || view.height() < 2 * kHeight) return {};
  return {view.width() - kMapMargin - kWidth, view.height() - kMapMargin - kHeight, kWidth,
          kHeight};
}

layout::Point Minimap::worldAt(QPointF position, QSize view) const {
  return camera_.toWorld(position - rect(view).topLeft(), QSizeF(kWidth, kHeight));
}

void Minimap::paint(QPainter& painter, QSize view, const Camera& camera) const {
  if (isEmpty()) return;
  const QRect place = rect(view);
  if (place.isEmpty()) return;
  painter.drawImage(place.topLeft(), picture_);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(theme().role(Role::kBorder));
  painter.drawRect(place.adjusted(0, 0, -1, -1));
  const QRectF frame = camera_.toScreen(camera.visible(view), place.size())
                           .translated(place.topLeft())
                           .intersected(QRectF(place).adjusted(1, 1, -2, -2));
  QColor tint = theme().role(Role::kAccent);
  painter.setPen(tint);
  tint.setAlphaF(0.10F);
  painter.setBrush(tint);
  painter.drawRect(frame);
}

}  // namespace hloscope::ui
