#include "ui/charts/plot_widget.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/charts/wheel_zoom.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kSmallestPart = 1e-4;

}  // namespace

void paintEmptyText(QPainter& painter, const QRectF& rect, const QString& text) {
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(rect.adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap, text);
}

PlotWidget::PlotWidget(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(200, 120);
}

void PlotWidget::setEmptyText(const QString& text) {
  empty_text_ = text;
  changed();
}

void PlotWidget::fit() {
  zoom_ = QRectF(0, 0, 1, 1);
  changed();
}

void PlotWidget::changed() {
  invalidatePicture();
  update();
}

QString PlotWidget::toolTipAt(const QPointF& /*position*/) const {
  return {};
}

void PlotWidget::clickAt(const QPointF& /*position*/) {}

void PlotWidget::activateAt(const QPointF& /*position*/) {}

void PlotWidget::walk(int /*step*/) {}

PlotAxis PlotWidget::zoomedX(const PlotAxis& axis) const {
  return {axis.title, axis.value(zoom_.left()), axis.value(zoom_.right()), axis.is_log};
}

PlotAxis PlotWidget::zoomedY(const PlotAxis& axis) const {
  return {axis.title, axis.value(zoom_.top()), axis.value(zoom_.bottom()), axis.is_log};
}

void PlotWidget::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().role(Role::kBase));
  if (!empty_text_.isEmpty()) {
    paintEmptyText(painter, rect(), empty_text_);
  } else {
    painter.setRenderHint(QPainter::Antialiasing);
    paintPlot(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
  }
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(theme().role(Role::kAccent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void PlotWidget::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  changed();
}

void PlotWidget::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) changed();
}

bool PlotWidget::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = empty_text_.isEmpty() ? toolTipAt(help->pos()) : QString();
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), text, this);
  }
  return true;
}

void PlotWidget::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = true;
  dragged_ = false;
  press_ = event->position();
  press_zoom_ = zoom_;
}

void PlotWidget::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_ || !canZoom()) return;
  const QPointF way = event->position() - press_;
  dragged_ = dragged_ || way.manhattanLength() >= QApplication::startDragDistance();
  const QRectF area = zoomRect();
  if (!dragged_ || zoom_.width() >= 1 || area.isEmpty()) return;
  zoom_ = press_zoom_.translated(-way.x() / area.width() * zoom_.width(),
                                 way.y() / area.height() * zoom_.height());
  changed();
}

void PlotWidget::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !std::exchange(pressed_, false)) return;
  if (!dragged_ && empty_text_.isEmpty()) clickAt(event->position());
}

void PlotWidget::mouseDoubleClickEvent(QMouseEvent* event) {
  pressed_ = false;
  if (event->button() == Qt::LeftButton && empty_text_.isEmpty()) activateAt(event->position());
}

void PlotWidget::zoomAt(const QPointF& position, double factor) {
  const QRectF area = zoomRect();
  if (area.isEmpty() || !empty_text_.isEmpty()) return;
  const double x = zoom_.left() + (position.x() - area.left()) / area.width() * zoom_.width();
  const double y = zoom_.top() + (area.bottom() - position.y()) / area.height() * zoom_.height();
  QRectF next(x + (zoom_.left() - x) / factor, y + (zoom_.top() - y) / factor,
              zoom_.width() / factor, zoom_.height() / factor);
  if (next.width() < kSmallestPart) return;
  if (next.width() >= 1) next = QRectF(0, 0, 1, 1);
  zoom_ = next;
  changed();
}

void PlotWidget::wheelEvent(QWheelEvent* event) {
  const double steps = event->angleDelta().y() / kWheelStep;
  if (steps != 0 && canZoom()) zoomAt(event->position(), std::pow(kZoomPerStep, steps));
  event->accept();
}

void PlotWidget::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Space:
      return fit();
    case Qt::Key_Left:
      return walk(-1);
    case Qt::Key_Right:
      return walk(1);
    case Qt::Key_Plus:
      return zoomAt(zoomRect().center(), kZoomPerStep);
    case Qt::Key_Minus:
      return zoomAt(zoomRect().center(), 1 / kZoomPerStep);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return activateCurrent();
    default:
      QWidget::keyPressEvent(event);
  }
}

void PlotWidget::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Copy as PNG"), this, [this] { QApplication::clipboard()->setPixmap(grab()); });
  menu.addAction(tr("Copy as CSV"), this, [this] { QApplication::clipboard()->setText(csv()); });
  menu.exec(event->globalPos());
}

}  // namespace hloscope::ui
