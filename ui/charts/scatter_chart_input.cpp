// Mouse and keys of ScatterChart.
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/scatter_chart.h"
#include "ui/charts/wheel_zoom.h"

namespace hloscope::ui {
bool ScatterChart::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QChartView::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int point = pointAt(help->pos());
  if (point >= 0 && tool_tip_) {
    QToolTip::showText(help->globalPos(), tool_tip_(point), viewport());
  } else {
    QToolTip::hideText();
  }
  return true;
}

void ScatterChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  drag_ = Drag::kPending;
  drag_start_ = drag_end_ = event->pos();
}

void ScatterChart::mouseMoveEvent(QMouseEvent* event) {
  viewport()->setCursor(pointAt(event->pos()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (drag_ == Drag::kNone) return;
  drag_end_ = event->pos();
  const bool far = (drag_end_ - drag_start_).manhattanLength() >= QApplication::startDragDistance();
  if (drag_ == Drag::kPending && far) {
    drag_ = event->modifiers() & Qt::ControlModifier ? Drag::kZoom : Drag::kRange;
  }
  viewport()->update();
}

void ScatterChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || drag_ == Drag::kNone) return;
  finishDrag(event->pos());
}

void ScatterChart::finishDrag(const QPoint& end) {
  const Drag drag = std::exchange(drag_, Drag::kNone);
  viewport()->update();
  if (drag == Drag::kPending) {
    selected_ = pointAt(end);
    emit pointClicked(selected_);
    return;
  }
  const QRectF rect = QRectF(drag_start_, end).normalized().intersected(plotArea());
  if (rect.isEmpty() && drag == Drag::kZoom) return;
  const QPointF low = toValue(
      {std::max<double>(std::min(drag_start_.x(), end.x()), plotArea().left()), rect.bottom()});
  const QPointF high = toValue(
      {std::min<double>(std::max(drag_start_.x(), end.x()), plotArea().right()), rect.top()});
  if (drag == Drag::kZoom) {
    setRange(low.x(), high.x(), low.y(), high.y());
  } else {
    emit rangeSelected(low.x(), high.x());
  }
}

void ScatterChart::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  drag_ = Drag::kNone;
  const int point = pointAt(event->pos());
  if (point >= 0) emit pointActivated(point);
}

void ScatterChart::wheelEvent(QWheelEvent* event) {
  const double steps = event->angleDelta().y() / kWheelStep;
  if (steps != 0) zoomAt(event->position(), std::pow(kZoomPerStep, steps));
  event->accept();
}

int ScatterChart::neighbour(int step) const {
  const std::vector<QPointF>& points = points_.values;
  const auto size = static_cast<int>(points.size());
  // Points of the same x in their own order.
  const auto comes_first = [&points, step](int a, int b) {
    const auto key = [&points](int i) { return std::pair(points[static_cast<size_t>(i)].x(), i); };
    return step > 0 ? key(a) < key(b) : key(b) < key(a);
  };
  const bool has_selected = selected_ >= 0 && selected_ < size;
  int best = -1;
  for (int i = 0; i < size; ++i) {
    if (has_selected && !comes_first(selected_, i)) continue;
    if (best < 0 || comes_first(i, best)) best = i;
  }
  return best >= 0 ? best : selected_;  // At the end it stays.
}

void ScatterChart::walk(int step) {
  if (points_.values.empty()) return;
  setSelectedPoint(neighbour(step));
  emit pointClicked(selected_);
}

void ScatterChart::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Space:
      return fit();
    case Qt::Key_Left:
      return walk(-1);
    case Qt::Key_Right:
      return walk(1);
    case Qt::Key_Plus:
      return zoomBy(kZoomPerStep);
    case Qt::Key_Minus:
      return zoomBy(1 / kZoomPerStep);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (selected_ >= 0) emit pointActivated(selected_);
      return;
    default:
      QChartView::keyPressEvent(event);
  }
}

}  // namespace hloscope::ui
