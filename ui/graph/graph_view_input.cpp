// Mouse, wheel, keys and gestures of GraphView.

#include <QApplication>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPinchGesture>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/graph/graph_view.h"

namespace hloscope::ui {

namespace {
/// One notch of a usual wheel is 120 units: 20 % larger or smaller.
constexpr double kZoomPerUnit = 1.0 / 660;
}  // namespace

void GraphView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  drag_start_ = event->pos();
  drag_camera_ = camera_;
  if (scene_ && minimap_.rect(viewport()->size()).contains(event->pos())) {
    drag_ = Drag::kMinimap;
    dragTo(event->pos());
    return;
  }
  drag_ = event->button() == Qt::MiddleButton ? Drag::kPan : Drag::kPending;
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
  if (drag_ == Drag::kPending &&
      (event->pos() - drag_start_).manhattanLength() >= QApplication::startDragDistance()) {
    drag_ = Drag::kPan;
    viewport()->setCursor(Qt::ClosedHandCursor);
  }
  if (drag_ == Drag::kPan || drag_ == Drag::kMinimap) dragTo(event->pos());
}

void GraphView::dragTo(QPoint position) {
  if (!scene_) return;
  if (drag_ == Drag::kMinimap) {
    const layout::Point at = minimap_.worldAt(position, viewport()->size());
    camera_.x = at.x;
    camera_.y = at.y;
    fitted_ = false;
    cameraMoved();
    return;
  }
  camera_ = drag_camera_;
  scroll(position - drag_start_);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  const bool is_click = drag_ == Drag::kPending && event->button() == Qt::LeftButton;
  drag_ = Drag::kNone;
  viewport()->unsetCursor();
  if (is_click) click(event->pos());
}

void GraphView::click(QPoint position) {
  if (!scene_) return;
  if (legend_.rect(viewport()->size()).contains(position)) {
    const auto row = legend_.classAt(position, viewport()->size());
    only_class_ = row == only_class_ ? std::nullopt : row;
    minimap_is_valid_ = false;
    redraw();
    return;
  }
  selectByUser(nodeAt(position));
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !scene_) return;
  const QSize size = viewport()->size();
  if (legend_.rect(size).contains(event->pos()) || minimap_.rect(size).contains(event->pos())) {
    return;
  }
  const layout::NodeId node = nodeAt(event->pos());
  if (node.valid()) emit nodeActivated(node);
}

void GraphView::wheelEvent(QWheelEvent* event) {
  const bool is_touch_pad = event->phase() != Qt::NoScrollPhase && !event->pixelDelta().isNull();
  const QPoint angle = event->angleDelta();
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    // Up and down; with Alt, which Qt turns into the other axis, to the sides.
    scroll(angle);
  } else if (event->modifiers().testFlag(Qt::AltModifier)) {
    scroll(QPointF(angle.x() != 0 ? angle.x() : angle.y(), 0));
  } else if (is_touch_pad && !event->modifiers().testFlag(Qt::ControlModifier)) {
    scroll(event->pixelDelta());
  } else {
    zoomAt(event->position(), std::exp2(angle.y() * kZoomPerUnit * 1.45));
  }
  event->accept();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  const bool control = event->modifiers().testFlag(Qt::ControlModifier);
  if (!scene_) return QAbstractScrollArea::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (event->modifiers().testFlag(Qt::AltModifier)) break;
      return walk(event->key());
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (!selected_.valid()) break;
      emit nodeActivated(selected_);
      return;
    case Qt::Key_Space:
      return fit();
    case Qt::Key_0:
      if (!control) break;
      return actualSize();
    case Qt::Key_Home:
      if (model_->nodes.empty()) break;
      return selectByUser(layout::NodeId(0));
    case Qt::Key_Escape:
      if (!selected_.valid()) break;
      return selectByUser({});
    default:
      break;
  }
  event->ignore();
}

/// Up: the operand whose box is nearest; down: the user; left, right: the next box of the layer.
void GraphView::walk(int key) {
  if (model_->nodes.empty()) return;
  if (!selected_.valid()) return selectByUser(layout::NodeId(0));
  const layout::Box& from = placement_->boxes[layout::BoxId(selected_.value)];
  layout::NodeId best;
  float nearest = 0;
  const auto offer = [&](layout::NodeId node, float distance) {
    if (best.valid() && distance >= nearest) return;
    best = node;
    nearest = distance;
  };
  if (key == Qt::Key_Up || key == Qt::Key_Down) {
    const auto near =
        key == Qt::Key_Up ? scene_->operandsOf(selected_) : scene_->usersOf(selected_);
    for (const layout::NodeId node : near) {
      const layout::Rect& rect = placement_->boxes[layout::BoxId(node.value)].rect;
      offer(node, std::hypot(rect.center_x() - from.rect.center_x(),
                             rect.center_y() - from.rect.center_y()));
    }
  } else {
    for (const layout::Box& box : placement_->boxes) {
      if (box.layer != from.layer || box.kind != layout::Box::Kind::kNode) continue;
      const float distance =
          key == Qt::Key_Right ? box.rect.left - from.rect.left : from.rect.left - box.rect.left;
      if (distance > 0) offer(box.node, distance);
    }
  }
  if (best.valid()) selectByUser(best);
}

bool GraphView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) return showToolTip(*static_cast<QHelpEvent*>(event));
  if (event->type() == QEvent::Gesture) return pinch(event);
  return QAbstractScrollArea::viewportEvent(event);
}

bool GraphView::showToolTip(const QHelpEvent& event) {
  const layout::NodeId node = nodeAt(event.pos());
  if (!node.valid() || !model_->tool_tip) {
    QToolTip::hideText();
    return true;
  }
  QToolTip::showText(event.globalPos(), model_->tool_tip(node), viewport());
  return true;
}

bool GraphView::pinch(QEvent* event) {
  auto* gestures = static_cast<QGestureEvent*>(event);
  auto* gesture = static_cast<QPinchGesture*>(gestures->gesture(Qt::PinchGesture));
  if (gesture == nullptr) return false;
  gestures->accept(gesture);
  zoomAt(viewport()->mapFromGlobal(gesture->centerPoint()), gesture->scaleFactor());
  return true;
}

void GraphView::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  redraw();
}

void GraphView::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  redraw();
}

}  // namespace hloscope::ui
