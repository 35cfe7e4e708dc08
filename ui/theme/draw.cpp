#include "ui/theme/draw.h"

#include <algorithm>

#include "ui/theme/theme.h"

namespace hloscope::ui {

void drawControlFrame(QPainter& painter, const QRect& rect, const ControlFrame& frame) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(frame.border, 1));
  painter.setBrush(frame.fill);
  // Half a pixel: the line then lies on whole pixels.
  painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), frame.radius, frame.radius);
  if (!frame.focus_ring) return;
  QColor ring = theme().role(Role::kAccent);
  ring.setAlphaF(0.35F);
  painter.setPen(QPen(ring, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect).adjusted(1.5, 1.5, -1.5, -1.5), frame.radius - 1,
                          frame.radius - 1);
}

void drawScaledLine(QPainter& painter, const QRectF& box, const QPolygonF& unit_line, QPen pen) {
  QPolygonF line;
  for (const QPointF& point : unit_line) {
    line << box.topLeft() + QPointF(point.x() * box.width(), point.y() * box.height());
  }
  pen.setCapStyle(Qt::RoundCap);
  pen.setJoinStyle(Qt::RoundJoin);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(pen);
  painter.drawPolyline(line);
}

QRectF centredSquare(const QRect& rect, double side) {
  return {QRectF(rect).center() - QPointF(side / 2, side / 2), QSizeF(side, side)};
}

void drawSplitter(QPainter& painter, const QRect& rect, bool horizontal) {
  painter.setPen(theme().role(Role::kAccent));
  const QPoint center = rect.center();
  if (horizontal) {
    painter.drawLine(center.x(), rect.top(), center.x(), rect.bottom());
  } else {
    painter.drawLine(rect.left(), center.y(), rect.right(), center.y());
  }
}

QRect scrollBarPart(const QStyleOptionSlider& option, QStyle::SubControl part,
                    int shortest_handle) {
  const bool horizontal = option.orientation == Qt::Horizontal;
  const int length = horizontal ? option.rect.width() : option.rect.height();
  const qint64 range = qint64{option.maximum} - option.minimum;
  int handle = length;
  if (range > 0) {
    const auto share = length * qint64{option.pageStep} / (range + option.pageStep);
    handle = std::min(length, std::max(shortest_handle, static_cast<int>(share)));
  }
  const int start = QStyle::sliderPositionFromValue(
      option.minimum, option.maximum, option.sliderPosition, length - handle, option.upsideDown);
  const auto along = [&](int from, int size) {
    const QRect box = horizontal ? QRect(from, 0, size, option.rect.height())
                                 : QRect(0, from, option.rect.width(), size);
    return box.translated(option.rect.topLeft());
  };
  switch (part) {
    case QStyle::SC_ScrollBarGroove:
      return option.rect;
    case QStyle::SC_ScrollBarSlider:
      return along(start, handle);
    case QStyle::SC_ScrollBarSubPage:
      return along(0, start);
    case QStyle::SC_ScrollBarAddPage:
      return along(start + handle, length - start - handle);
    default:
      return {};
  }
}

}  // namespace hloscope::ui
