#include "ui/theme/style_parts.h"

#include <QAbstractScrollArea>
#include <QScrollArea>

#include "ui/theme/draw.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

void drawButtonPanel(const QStyleOption& option, QPainter& painter, const QWidget* widget) {
  const bool enabled = option.state & QStyle::State_Enabled;
  const bool down = option.state & (QStyle::State_Sunken | QStyle::State_On);
  const bool hover = enabled && (option.state & QStyle::State_MouseOver);
  const bool focus = option.state & QStyle::State_HasFocus;
  ControlFrame frame;
  frame.border = theme().role(focus ? Role::kAccent : Role::kControlBorder);
  frame.focus_ring = focus;
  const QPalette& palette = theme().palette();
  frame.fill = palette.color(hover ? QPalette::Light : QPalette::Button);
  if (down) frame.fill = theme().role(Role::kAccentSoft);
  if (widget != nullptr && enabled && widget->property("primary").toBool()) {
    const QColor accent = theme().role(Role::kAccent);
    frame.fill = hover || down ? mixed(accent, theme().role(Role::kText), 0.15) : accent;
    frame.border = frame.fill;
  }
  drawControlFrame(painter, option.rect, frame);
}

void drawToolButtonPanel(const QStyleOption& option, QPainter& painter, const QWidget* widget) {
  // Tool bars and title bars have flat buttons; elsewhere they look like push buttons.
  if (!(option.state & QStyle::State_AutoRaise)) return drawButtonPanel(option, painter, widget);
  const bool on = option.state & (QStyle::State_On | QStyle::State_Sunken);
  const bool hover =
      (option.state & QStyle::State_Enabled) && (option.state & QStyle::State_MouseOver);
  const bool focus = option.state & QStyle::State_HasFocus;
  if (!on && !hover && !focus) return;
  ControlFrame frame;
  frame.fill = on ? theme().role(Role::kAccentSoft)
                  : mixed(theme().role(Role::kWindow), theme().role(Role::kText), 0.07);
  frame.border = focus ? theme().role(Role::kAccent) : frame.fill;
  drawControlFrame(painter, option.rect, frame);
}

void drawEdit(const QStyleOption& option, QPainter& painter, const QWidget* widget) {
  const bool focus = option.state & QStyle::State_HasFocus;
  ControlFrame frame;
  frame.fill = theme().role(option.state & QStyle::State_Enabled ? Role::kBase : Role::kWindow);
  frame.border = theme().role(focus ? Role::kAccent : Role::kControlBorder);
  // Views mark text that can't be understood, e.g. a wrong filter, by this property.
  if (widget != nullptr && widget->property("bad").toBool()) {
    frame.border = theme().role(Role::kBad);
  }
  frame.focus_ring = focus;
  drawControlFrame(painter, option.rect, frame);
}

void drawCheckBox(const QStyleOption& option, QPainter& painter) {
  const bool enabled = option.state & QStyle::State_Enabled;
  const bool set = option.state & (QStyle::State_On | QStyle::State_NoChange);
  ControlFrame frame;
  frame.radius = 2;
  frame.fill = theme().role(set && enabled ? Role::kAccent : Role::kBase);
  const bool focus = option.state & QStyle::State_HasFocus;
  frame.border = theme().role(focus || (set && enabled) ? Role::kAccent : Role::kControlBorder);
  drawControlFrame(painter, option.rect, frame);
  if (!set) return;
  const QColor ink = theme().role(enabled ? Role::kAccentText : Role::kTextFaint);
  const QRectF box(option.rect);
  QPolygonF tick;
  if (option.state & QStyle::State_NoChange) {
    tick << QPointF(0.25, 0.5) << QPointF(0.75, 0.5);
  } else {
    tick << QPointF(0.22, 0.52) << QPointF(0.42, 0.72) << QPointF(0.78, 0.30);
  }
  drawScaledLine(painter, box, tick, QPen(ink, 1.6));
}

void drawRadioButton(const QStyleOption& option, QPainter& painter) {
  const bool enabled = option.state & QStyle::State_Enabled;
  const bool set = option.state & QStyle::State_On;
  const bool focus = option.state & QStyle::State_HasFocus;
  const QRectF circle = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(theme().role(focus || (set && enabled) ? Role::kAccent : Role::kControlBorder));
  painter.setBrush(theme().role(Role::kBase));
  painter.drawEllipse(circle);
  if (!set) return;
  const double inset = circle.width() * 0.28;
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().role(enabled ? Role::kAccent : Role::kTextFaint));
  painter.drawEllipse(circle.adjusted(inset, inset, -inset, -inset));
}

void drawSpinBox(const QStyleOptionSpinBox& option, const QRect& up, const QRect& down,
                 QPainter& painter) {
  const bool enabled = option.state & QStyle::State_Enabled;
  const bool focus = option.state & QStyle::State_HasFocus;
  ControlFrame frame;
  frame.fill = theme().role(enabled ? Role::kBase : Role::kWindow);
  frame.border = theme().role(focus ? Role::kAccent : Role::kControlBorder);
  frame.focus_ring = focus;
  drawControlFrame(painter, option.rect, frame);
  for (const bool is_up : {true, false}) {
    QStyleOption arrow = option;
    arrow.rect = is_up ? up : down;
    const auto can = is_up ? QAbstractSpinBox::StepUpEnabled : QAbstractSpinBox::StepDownEnabled;
    if (!(option.stepEnabled & can)) arrow.state &= ~QStyle::State_Enabled;
    drawArrow(is_up ? QStyle::PE_IndicatorArrowUp : QStyle::PE_IndicatorArrowDown, arrow, painter);
  }
}

bool isPanelFrame(const QStyleOption& option) {
  const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(&option);
  return frame != nullptr && frame->lineWidth > 0;
}

void drawArrow(QStyle::PrimitiveElement element, const QStyleOption& option, QPainter& painter) {
  QPolygonF line;
  if (element == QStyle::PE_IndicatorArrowDown) {
    line << QPointF(0.2, 0.38) << QPointF(0.5, 0.68) << QPointF(0.8, 0.38);
  } else if (element == QStyle::PE_IndicatorArrowUp) {
    line << QPointF(0.2, 0.62) << QPointF(0.5, 0.32) << QPointF(0.8, 0.62);
  } else if (element == QStyle::PE_IndicatorArrowRight) {
    line << QPointF(0.38, 0.2) << QPointF(0.68, 0.5) << QPointF(0.38, 0.8);
  } else {
    line << QPointF(0.62, 0.2) << QPointF(0.32, 0.5) << QPointF(0.62, 0.8);
  }
  const bool enabled = option.state & QStyle::State_Enabled;
  const QColor ink = theme().role(enabled ? Role::kTextMuted : Role::kTextFaint);
  drawScaledLine(painter, centredSquare(option.rect, 9), line, QPen(ink, 1.3));
}

void drawBranch(const QStyleOption& option, QPainter& painter) {
  if (!(option.state & QStyle::State_Children)) return;
  const auto arrow = option.state & QStyle::State_Open ? QStyle::PE_IndicatorArrowDown
                                                       : QStyle::PE_IndicatorArrowRight;
  drawArrow(arrow, option, painter);
}

void drawHeaderSection(const QStyleOption& option, QPainter& painter) {
  painter.fillRect(option.rect, theme().role(Role::kHeader));
  painter.setPen(theme().role(Role::kBorderSoft));
  painter.drawLine(option.rect.topRight(), option.rect.bottomRight());
  painter.setPen(theme().role(Role::kBorder));
  painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
}

void drawProgress(const QStyleOptionProgressBar& option, QPainter& painter) {
  ControlFrame frame;
  frame.fill = theme().role(Role::kBase);
  frame.border = theme().role(Role::kControlBorder);
  drawControlFrame(painter, option.rect, frame);
  const QRect inside = option.rect.adjusted(1, 1, -1, -1);
  const int range = option.maximum - option.minimum;
  QRect done = inside;
  // Without a range nothing is known about the share: the whole bar is filled, softly.
  if (range > 0) done.setWidth(inside.width() * (option.progress - option.minimum) / range);
  painter.fillRect(
      done, mixed(theme().role(Role::kBase), theme().role(Role::kAccent), range > 0 ? 0.55 : 0.25));
  if (!option.textVisible) return;
  painter.setPen(theme().role(Role::kText));
  painter.drawText(inside, Qt::AlignCenter, option.text);
}

void drawScrollBar(const QStyleOptionComplex& option, const QRect& handle, QPainter& painter,
                   const QWidget* widget) {
  // Item views are filled with the base colour, other scroll areas with that of the window.
  const QWidget* area = widget == nullptr ? nullptr : widget->parentWidget();
  while (area != nullptr && qobject_cast<const QAbstractScrollArea*>(area) == nullptr) {
    area = area->parentWidget();
  }
  const bool on_window = qobject_cast<const QScrollArea*>(area) != nullptr;
  painter.fillRect(option.rect, theme().role(on_window ? Role::kWindow : Role::kBase));
  const bool active = option.state & QStyle::State_MouseOver;
  const QColor ink =
      mixed(theme().role(Role::kBase), theme().role(Role::kTextFaint), active ? 0.75 : 0.45);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(ink);
  const QRectF thumb = QRectF(handle).adjusted(2, 2, -2, -2);
  painter.drawRoundedRect(thumb, 3, 3);
}

void drawSortArrow(const QStyleOption& option, QPainter& painter) {
  const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(&option);
  if (header == nullptr || header->sortIndicator == QStyleOptionHeader::None) return;
  // SortDown is what Qt calls ascending.
  const bool ascending = header->sortIndicator == QStyleOptionHeader::SortDown;
  // A little lower than the middle, where the small letters of the title are.
  const QRectF box = centredSquare(option.rect, 8).translated(0, 2);
  QPolygonF triangle;
  const double base = ascending ? box.bottom() - 1.5 : box.top() + 1.5;
  const double tip = ascending ? box.top() + 1.5 : box.bottom() - 1.5;
  triangle << QPointF(box.left(), base) << QPointF(box.right(), base)
           << QPointF(box.center().x(), tip);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().role(Role::kTextMuted));
  painter.drawPolygon(triangle);
}

void drawMenuBarItem(const QStyleOptionMenuItem& option, QPainter& painter) {
  const bool open = option.state & (QStyle::State_Selected | QStyle::State_Sunken);
  painter.fillRect(option.rect, theme().role(open ? Role::kAccentSoft : Role::kWindow));
  painter.setPen(
      theme().role(option.state & QStyle::State_Enabled ? Role::kText : Role::kTextFaint));
  const int flags = Qt::AlignCenter | Qt::TextHideMnemonic | Qt::TextSingleLine;
  painter.drawText(option.rect, flags, option.text);
}

void drawToolButtonLabel(const QStyleOptionToolButton& option, QPainter& painter) {
  const bool enabled = option.state & QStyle::State_Enabled;
  const QSize size = option.icon.isNull() ? QSize(0, 0) : option.iconSize;
  const int gap = option.icon.isNull() ? 0 : kToolButtonGap;
  const int text_width = option.fontMetrics.size(Qt::TextShowMnemonic, option.text).width();
  QRect content(0, 0, size.width() + gap + text_width, option.rect.height());
  content.moveCenter(option.rect.center());
  option.icon.paint(&painter,
                    QRect(content.left(), content.center().y() - size.height() / 2 + 1,
                          size.width(), size.height()),
                    Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled,
                    option.state & QStyle::State_On ? QIcon::On : QIcon::Off);
  content.setLeft(content.left() + size.width() + gap);
  painter.setFont(option.font);
  painter.setPen(theme().role(!enabled                          ? Role::kTextFaint
                              : option.state & QStyle::State_On ? Role::kOnAccentSoft
                                                                : Role::kText));
  painter.drawText(content, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextHideMnemonic, option.text);
}

void drawStatusItem(const QStyleOption& option, QPainter& painter) {
  constexpr int kFirstItem = 20;
  if (option.rect.left() < kFirstItem) return;
  painter.setPen(theme().role(Role::kBorder));
  painter.drawLine(option.rect.left(), option.rect.top() + 4, option.rect.left(),
                   option.rect.bottom() - 4);
}

void drawStatusBar(const QStyleOption& option, QPainter& painter) {
  painter.fillRect(option.rect, theme().role(Role::kWindow));
  painter.setPen(theme().role(Role::kBorder));
  painter.drawLine(option.rect.topLeft(), option.rect.topRight());
}

void drawToolBarSeparator(const QStyleOption& option, QPainter& painter) {
  const int x = option.rect.center().x();
  painter.setPen(theme().role(Role::kBorder));
  painter.drawLine(x, option.rect.top() + 6, x, option.rect.bottom() - 6);
}

void drawOutline(const QStyleOption& option, QPainter& painter, Role role) {
  painter.setPen(theme().role(role));
  painter.drawRect(option.rect.adjusted(0, 0, -1, -1));
}

}  // namespace hloscope::ui
