#include "ui/theme/panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyleOption>
#include <QVBoxLayout>

#include "ui/theme/draw.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr int kStripHeight = 28;

/// Sets one palette colour, only when it differs: setting it sends another change event.
void setTextColor(QWidget& widget, const QColor& color) {
  QPalette palette = widget.palette();
  if (palette.color(QPalette::WindowText) == color) return;
  palette.setColor(QPalette::WindowText, color);
  widget.setPalette(palette);
}

}  // namespace

RoleLabel::RoleLabel(const QString& text, Role role, QWidget* parent)
    : QLabel(text, parent), role_(role) {
  applyRole();
}

void RoleLabel::applyRole() {
  setTextColor(*this, theme().role(role_));
}

void RoleLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) applyRole();
}

QLabel* mutedLabel(const QString& text, bool small) {
  auto* label = new RoleLabel(text, Role::kTextMuted);
  if (small) label->setFont(smallFont());
  return label;
}

KeyCap::KeyCap(const QString& key, QWidget* parent) : QWidget(parent), key_(key) {
  setFont(smallFont());
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize KeyCap::sizeHint() const {
  const QFontMetrics metrics(font());
  return {metrics.horizontalAdvance(key_) + 10, metrics.height() + 4};
}

void KeyCap::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  ControlFrame frame;
  frame.fill = theme().role(Role::kBase);
  frame.border = theme().role(Role::kControlBorder);
  drawControlFrame(painter, rect(), frame);
  painter.setPen(theme().role(Role::kTextMuted));
  painter.drawText(rect(), Qt::AlignCenter, key_);
}

Panel::Panel(const QString& title, QWidget* parent) : QFrame(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->setSpacing(0);
  auto* strip = new QWidget;
  strip->setFixedHeight(kStripHeight);
  strip_ = new QHBoxLayout(strip);
  strip_->setContentsMargins(8, 0, 8, 0);
  strip_->setSpacing(8);
  auto* heading = new QLabel(title);
  heading->setFont(boldFont());
  context_ = new ElidedLabel(nullptr, Role::kTextMuted);
  context_->setFont(smallFont());
  strip_->addWidget(heading);
  strip_->addWidget(context_, 1);
  layout->addWidget(strip);
  body_ = new QVBoxLayout;
  body_->setContentsMargins(0, 1, 0, 0);
  body_->setSpacing(0);
  layout->addLayout(body_, 1);
  setAccessibleName(title);
}

void Panel::setContext(const QString& text) {
  context_->setWholeText(text);
}

void Panel::addControl(QWidget* control) {
  strip_->addWidget(control);
}

void Panel::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().role(Role::kBase));
  painter.fillRect(QRect(0, 0, width(), kStripHeight + 1), theme().role(Role::kRaised));
  painter.setPen(theme().role(Role::kBorderSoft));
  painter.drawLine(0, kStripHeight + 1, width(), kStripHeight + 1);
  painter.setPen(theme().role(Role::kBorder));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

LinkButton::LinkButton(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(text);
  QFont link = smallFont();
  link.setUnderline(true);
  setFont(link);
  applyColor();
}

void LinkButton::applyColor() {
  setTextColor(*this, theme().palette().color(QPalette::Link));
}

void LinkButton::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) applyColor();
}

void LinkButton::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->pos())) emit clicked();
}

void LinkButton::keyPressEvent(QKeyEvent* event) {
  const bool pressed = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter ||
                       event->key() == Qt::Key_Space;
  if (pressed) {
    emit clicked();
  } else {
    QLabel::keyPressEvent(event);
  }
}

void LinkButton::paintEvent(QPaintEvent* event) {
  QLabel::paintEvent(event);
  if (!hasFocus()) return;
  QPainter painter(this);
  painter.setPen(theme().role(Role::kAccent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace hloscope::ui
