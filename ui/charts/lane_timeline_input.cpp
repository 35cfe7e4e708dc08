// How LaneTimeline is moved, and what it says.
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/charts/lane_timeline.h"
#include "ui/charts/unit_style.h"
#include "ui/charts/wheel_zoom.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kPanPerStep = 0.1;
constexpr double kSmallestNs = 1;  ///< Shortest window.
constexpr double kAround = 0.04;   ///< Free on both sides of a kernel that is shown.

}  // namespace

void LaneTimeline::requestWindow(double from_ns, double to_ns) {
  if (!timeline_ || timeline_->spans().empty()) return;
  const double total_ns = timeline_->total_ns();
  const double width_ns = std::clamp(to_ns - from_ns, std::min(kSmallestNs, total_ns), total_ns);
  from_ns = std::clamp(from_ns, 0.0, total_ns - width_ns);
  setWindow(from_ns, from_ns + width_ns);
  emit windowChanged(axis_.from_ns, axis_.to_ns);
}

void LaneTimeline::zoomAt(double x, double factor) {
  const double at_ns = axis_.timeAt(x);
  // At an end of the program the window can't be shifted: its width still follows.
  const double width_ns = axis_.span_ns() / factor;
  const double part = (x - axis_.rect.left()) / axis_.rect.width();
  requestWindow(at_ns - part * width_ns, at_ns + (1 - part) * width_ns);
}

void LaneTimeline::zoomBy(double factor) {
  zoomAt(axis_.rect.center().x(), factor);
}

void LaneTimeline::fit() {
  if (timeline_) requestWindow(0, timeline_->total_ns());
}

void LaneTimeline::zoomToSelection() {
  const auto found = timeline_ ? timeline_->span_of(selected_) : std::nullopt;
  if (!found) return fit();
  const analysis::KernelSpan& span = timeline_->spans()[*found];
  // One execution: all of them would hide what it does.
  const double width_ns = span.time_ns * std::min(1.0, span.executions);
  requestWindow(span.start_ns - kAround * width_ns, span.start_ns + (1 + kAround) * width_ns);
}

void LaneTimeline::measureSelection() {
  if (measured_) {
    measured_.reset();
  } else if (const auto found = timeline_ ? timeline_->span_of(selected_) : std::nullopt) {
    const analysis::KernelSpan& span = timeline_->spans()[*found];
    measured_ = {span.start_ns, span.start_ns + span.time_ns * std::min(1.0, span.executions)};
  } else if (timeline_ && !timeline_->spans().empty()) {
    measured_ = {axis_.from_ns, axis_.to_ns};
  }
  emit measureChanged();
  update();
}

void LaneTimeline::step(int way) {
  if (!timeline_ || timeline_->spans().empty()) return;
  const auto last = static_cast<int64_t>(timeline_->spans().size()) - 1;
  const auto found = timeline_->span_of(selected_);
  int64_t next = found ? static_cast<int64_t>(*found) + way
                       : static_cast<int64_t>(timeline_->span_at(axis_.from_ns));
  next = std::clamp<int64_t>(next, 0, last);
  const analysis::KernelSpan& span = timeline_->spans()[static_cast<size_t>(next)];
  emit kernelClicked(span.kernel);
  // Into view, as it stands.
  const double middle_ns = span.start_ns + 0.5 * std::min(span.time_ns, axis_.span_ns());
  if (middle_ns < axis_.from_ns || middle_ns > axis_.to_ns) {
    const double half_ns = axis_.span_ns() / 2;
    requestWindow(middle_ns - half_ns, middle_ns + half_ns);
  }
}

QString LaneTimeline::toolTipAt(const QPointF& position) const {
  const analysis::KernelSpan* span = spanAt(position.x());
  if (span == nullptr) return {};
  const analysis::ModuleReport& report = timeline_->report();
  const graph::Kernel& kernel = report.kernels.kernels[span->kernel];
  const QString name = textOf((*report.module.program)[kernel.instruction].name);
  if (position.y() < axis_.rect.top() || position.y() > axis_.rect.bottom()) {
    const analysis::TileChoice& choice =
        report.times.tiles[report.kernels.distinct_of[span->kernel]];
    QString text = tr("%1, simulated %2").arg(name, formatTime(span->time_ns));
    const QString tile = textOf(sim::tile_text(choice.tile));
    if (!tile.isEmpty()) {
      text +=
          tr("\ntile %1, %2 iterations").arg(tile, formatCount(static_cast<int64_t>(choice.tiles)));
    }
    return text;
  }
  const auto lane = static_cast<size_t>((position.y() - axis_.rect.top()) / laneRect(0).height());
  if (lane >= lanes_.size()) return {};
  const double time_ns = axis_.timeAt(position.x());
  const QString at = tr("%1 of %2").arg(unitTitle(lanes_[lane]), name);
  if (const auto stretch = timeline_->stretch_at(lanes_[lane], time_ns)) {
    QString text =
        tr("%1\n%2, %3 from %4")
            .arg(at, textOf(stretch->what), formatTime(stretch->end_ns - stretch->start_ns),
                 formatTime(stretch->start_ns));
    if (stretch->tile >= 0) text += tr("\niteration %1").arg(formatCount(stretch->tile + 1));
    return text;
  }
  const double pixel_ns = axis_.span_ns() / axis_.rect.width();
  const double share =
      timeline_->busy_ns(lanes_[lane], time_ns - pixel_ns / 2, time_ns + pixel_ns / 2) / pixel_ns;
  return tr("%1\nbusy %2").arg(at, formatPercent(std::clamp(share, 0.0, 1.0), 0));
}

bool LaneTimeline::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = toolTipAt(help->pos());
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), text, this);
  }
  return true;
}

void LaneTimeline::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !timeline_) return;
  press_ = event->position();
  press_from_ns_ = axis_.from_ns;
  press_to_ns_ = axis_.to_ns;
  dragged_ = false;
  drag_ = event->modifiers() & Qt::ShiftModifier ? Drag::kMeasure : Drag::kMove;
}

void LaneTimeline::mouseMoveEvent(QMouseEvent* event) {
  if (drag_ == Drag::kNone) return;
  const QPointF way = event->position() - press_;
  dragged_ = dragged_ || std::abs(way.x()) >= QApplication::startDragDistance();
  if (!dragged_) return;
  if (drag_ == Drag::kMeasure) {
    const double total_ns = timeline_->total_ns();
    const double a = std::clamp(axis_.timeAt(press_.x()), 0.0, total_ns);
    const double b = std::clamp(axis_.timeAt(event->position().x()), 0.0, total_ns);
    measured_ = std::minmax(a, b);
    emit measureChanged();
    update();
    return;
  }
  const double way_ns = way.x() / axis_.rect.width() * (press_to_ns_ - press_from_ns_);
  requestWindow(press_from_ns_ - way_ns, press_to_ns_ - way_ns);
}

void LaneTimeline::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || std::exchange(drag_, Drag::kNone) == Drag::kNone) return;
  const analysis::KernelSpan* span = dragged_ ? nullptr : spanAt(event->position().x());
  if (span != nullptr) emit kernelClicked(span->kernel);
}

void LaneTimeline::mouseDoubleClickEvent(QMouseEvent* event) {
  const analysis::KernelSpan* span = spanAt(event->position().x());
  if (event->button() == Qt::LeftButton && span != nullptr) emit kernelActivated(span->kernel);
}

void LaneTimeline::wheelEvent(QWheelEvent* event) {
  const QPoint turn = event->angleDelta();
  const double steps = (turn.y() != 0 ? turn.y() : turn.x()) / kWheelStep;
  if (event->modifiers() & Qt::ControlModifier) {
    zoomAt(event->position().x(), std::pow(kZoomPerStep, steps));
  } else {
    const double way_ns = steps * kPanPerStep * axis_.span_ns();
    requestWindow(axis_.from_ns - way_ns, axis_.to_ns - way_ns);
  }
  event->accept();
}

void LaneTimeline::keyPressEvent(QKeyEvent* event) {
  const double way_ns = kPanPerStep * axis_.span_ns();
  switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
      return zoomBy(kZoomPerStep);
    case Qt::Key_S:
    case Qt::Key_Minus:
      return zoomBy(1 / kZoomPerStep);
    case Qt::Key_A:
      return requestWindow(axis_.from_ns - way_ns, axis_.to_ns - way_ns);
    case Qt::Key_D:
      return requestWindow(axis_.from_ns + way_ns, axis_.to_ns + way_ns);
    case Qt::Key_F:
      return zoomToSelection();
    case Qt::Key_M:
      return measureSelection();
    case Qt::Key_Left:
      return step(-1);
    case Qt::Key_Right:
      return step(1);
    case Qt::Key_Space:
      return fit();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (selected_.valid()) emit kernelActivated(selected_);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace hloscope::ui
