#include "ui/charts/program_strip.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "ui/charts/unit_style.h"
#include "ui/models/kernel_cell_text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kStripTop = 6;
constexpr double kStripBottom = 24;
constexpr double kGrip = 5;
constexpr double kStripNameRoom = 28;  ///< Kernels this wide are named.
constexpr double kSmallest = 1e-6;     ///< Of the program, that a frame takes.
constexpr double kStep = 0.25;

}  // namespace

ProgramStrip::ProgramStrip(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Program"));
  setAccessibleDescription(
      tr("Kernels in order. Left and Right move the frame, Plus and Minus change its width."));
}

QSize ProgramStrip::sizeHint() const {
  return {600, 64};
}

QSize ProgramStrip::minimumSizeHint() const {
  return {240, 64};
}

void ProgramStrip::setTimeline(std::shared_ptr<const analysis::ProgramTimeline> timeline) {
  timeline_ = std::move(timeline);
  kernels_ = {};
  update();
}

void ProgramStrip::setWindow(double from_ns, double to_ns) {
  from_ns_ = from_ns;
  to_ns_ = to_ns;
  update();
}

void ProgramStrip::setSelected(graph::KernelId kernel) {
  selected_ = kernel;
  update();
}

TimeAxis ProgramStrip::axis() const {
  const double total_ns = timeline_ ? timeline_->total_ns() : 0;
  return {0, total_ns > 0 ? total_ns : 1,
          QRectF(kTimeLabels, kStripTop, std::max(10.0, width() - kTimeLabels - kTimeBusy),
                 height() - kStripTop - kStripBottom)};
}

QRectF ProgramStrip::frameRect() const {
  const TimeAxis time = axis();
  const double left = time.x(from_ns_);
  return {left, time.rect.top() - 3, std::max(3.0, time.x(to_ns_) - left), time.rect.height() + 6};
}

void ProgramStrip::paintSpan(QPainter& painter, const analysis::KernelSpan& span,
                             const TimeAxis& time) const {
  const analysis::ModuleReport& report = timeline_->report();
  const graph::Kernel& kernel = report.kernels.kernels[span.kernel];
  const double left = time.x(span.start_ns);
  const QRectF box(left, time.rect.top(), time.x(span.end_ns()) - left, time.rect.height());
  painter.fillRect(box, mixed(theme().role(Role::kBase), theme().opClass(kernel.op_class), 0.62));
  if (box.width() < 3) return;
  painter.setPen(theme().role(Role::kBase));
  painter.drawLine(box.topRight(), box.bottomRight());
  if (box.width() < kStripNameRoom) return;
  painter.setPen(theme().role(Role::kText));
  const QString name = textOf((*report.module.program)[kernel.instruction].name);
  painter.drawText(
      box.adjusted(4, 0, -4, 0), Qt::AlignCenter,
      painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(box.width() - 8)));
}

void ProgramStrip::paintKernels() {
  const double ratio = devicePixelRatioF();
  kernels_ = QPixmap(size() * ratio);
  kernels_.setDevicePixelRatio(ratio);
  kernels_.fill(theme().role(Role::kBase));
  QPainter painter(&kernels_);
  painter.setFont(smallFont());
  const TimeAxis time = axis();
  paintTimeAxis(painter, time, false);
  painter.setFont(smallFont());
  painter.fillRect(time.rect, theme().role(Role::kBorderSoft));
  // One kernel a device pixel is all that is seen.
  double painted_to = -1;
  for (const analysis::KernelSpan& span : timeline_->spans()) {
    const double right = time.x(span.end_ns());
    if (right - painted_to < 1 / ratio && right - time.x(span.start_ns) < 1 / ratio) continue;
    paintSpan(painter, span, time);
    painted_to = right;
  }
  painter.setFont(uiFont());
  painter.setPen(theme().role(Role::kText));
  painter.drawText(QRectF(0, time.rect.top(), kTimeLabels - 8, time.rect.height()),
                   Qt::AlignRight | Qt::AlignVCenter, tr("kernels"));
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(QRectF(time.rect.right() + 4, time.rect.bottom() + 4, kTimeBusy - 4, 16),
                   Qt::AlignLeft | Qt::AlignVCenter, time.unit());
}

void ProgramStrip::paintFrame(QPainter& painter) const {
  const QRectF frame = frameRect();
  const TimeAxis time = axis();
  QColor veil = theme().role(Role::kBase);
  veil.setAlphaF(0.5F);
  painter.fillRect(QRectF(time.rect.topLeft(), QPointF(frame.left(), time.rect.bottom())), veil);
  painter.fillRect(QRectF(QPointF(frame.right(), time.rect.top()), time.rect.bottomRight()), veil);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().role(Role::kAccent), 2));
  painter.drawRect(frame);
}

void ProgramStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().role(Role::kBase));
  if (!timeline_ || timeline_->spans().empty()) return;
  if (kernels_.isNull()) paintKernels();
  painter.drawPixmap(0, 0, kernels_);
  if (const auto span = timeline_->span_of(selected_)) {
    const TimeAxis time = axis();
    const analysis::KernelSpan& chosen = timeline_->spans()[*span];
    const double left = time.x(chosen.start_ns);
    painter.fillRect(
        QRectF(left, time.rect.bottom() - 4, std::max(2.0, time.x(chosen.end_ns()) - left), 4),
        theme().role(Role::kText));
  }
  paintFrame(painter);
  if (!hasFocus()) return;
  painter.setPen(theme().role(Role::kAccent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void ProgramStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  kernels_ = {};
}

void ProgramStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) kernels_ = {};
}

bool ProgramStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !timeline_ || timeline_->spans().empty()) {
    return QWidget::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const double time_ns = axis().timeAt(help->pos().x());
  if (time_ns < 0 || time_ns > timeline_->total_ns()) return true;
  const analysis::KernelSpan& span = timeline_->spans()[timeline_->span_at(time_ns)];
  const analysis::ModuleReport& report = timeline_->report();
  const auto& kernel = report.kernels.kernels[span.kernel];
  QString text = textOf((*report.module.program)[kernel.instruction].name);
  text += tr("\nsimulated %1").arg(formatTime(span.time_ns));
  if (span.executions != 1) {
    text += tr(" × %1 executions").arg(formatNumber(span.executions, span.executions < 10 ? 1 : 0));
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

ProgramStrip::Grip ProgramStrip::gripAt(double x) const {
  const QRectF frame = frameRect();
  if (std::abs(x - frame.left()) <= kGrip) return Grip::kLeft;
  if (std::abs(x - frame.right()) <= kGrip) return Grip::kRight;
  // A frame over everything can't be moved: a drag in it makes a new one.
  const bool is_all = timeline_ && to_ns_ - from_ns_ >= 0.999 * timeline_->total_ns();
  return !is_all && x > frame.left() && x < frame.right() ? Grip::kMove : Grip::kNew;
}

void ProgramStrip::requestWindow(double from_ns, double to_ns) {
  const double total_ns = timeline_->total_ns();
  const double width_ns = std::clamp(to_ns - from_ns, kSmallest * total_ns, total_ns);
  from_ns = std::clamp(from_ns, 0.0, total_ns - width_ns);
  setWindow(from_ns, from_ns + width_ns);
  emit windowChanged(from_ns_, to_ns_);
}

void ProgramStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !timeline_ || timeline_->spans().empty()) return;
  press_x_ = event->position().x();
  press_from_ = from_ns_;
  press_to_ = to_ns_;
  grip_ = gripAt(press_x_);
  dragged_ = false;
}

void ProgramStrip::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (grip_ == Grip::kNone) {
    const Grip grip = gripAt(x);
    setCursor(grip == Grip::kMove                           ? Qt::SizeAllCursor
              : grip == Grip::kLeft || grip == Grip::kRight ? Qt::SizeHorCursor
                                                            : Qt::ArrowCursor);
    return;
  }
  dragged_ = dragged_ || std::abs(x - press_x_) >= QApplication::startDragDistance();
  if (!dragged_) return;
  const TimeAxis time = axis();
  const double way_ns = time.timeAt(x) - time.timeAt(press_x_);
  const double start_ns = std::max(0.0, time.timeAt(press_x_));
  switch (grip_) {
    case Grip::kMove:
      return requestWindow(press_from_ + way_ns, press_to_ + way_ns);
    case Grip::kLeft:
      return requestWindow(std::min(std::max(0.0, press_from_ + way_ns), press_to_), press_to_);
    case Grip::kRight:
      return requestWindow(press_from_, std::max(press_from_, press_to_ + way_ns));
    case Grip::kNew:
      return requestWindow(std::min(start_ns, start_ns + way_ns),
                           std::max(start_ns, start_ns + way_ns));
    case Grip::kNone:
      break;
  }
}

void ProgramStrip::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || std::exchange(grip_, Grip::kNone) == Grip::kNone) return;
  const double time_ns = axis().timeAt(event->position().x());
  if (dragged_ || time_ns < 0 || time_ns > timeline_->total_ns()) return;
  emit kernelClicked(timeline_->spans()[timeline_->span_at(time_ns)].kernel);
}

void ProgramStrip::keyPressEvent(QKeyEvent* event) {
  if (!timeline_ || timeline_->spans().empty()) return QWidget::keyPressEvent(event);
  const double width_ns = to_ns_ - from_ns_;
  const double middle_ns = from_ns_ + width_ns / 2;
  const double total_ns = timeline_->total_ns();
  switch (event->key()) {
    case Qt::Key_Left:
      return requestWindow(from_ns_ - kStep * width_ns, to_ns_ - kStep * width_ns);
    case Qt::Key_Right:
      return requestWindow(from_ns_ + kStep * width_ns, to_ns_ + kStep * width_ns);
    case Qt::Key_Plus:
      return requestWindow(middle_ns - width_ns / 4, middle_ns + width_ns / 4);
    case Qt::Key_Minus:
      return requestWindow(middle_ns - width_ns, middle_ns + width_ns);
    case Qt::Key_Home:
      return requestWindow(0, width_ns);
    case Qt::Key_End:
      return requestWindow(total_ns - width_ns, total_ns);
    case Qt::Key_Space:
      return requestWindow(0, total_ns);
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace hloscope::ui
