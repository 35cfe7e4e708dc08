#include "ui/theme/style.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolBar>

#include "ui/theme/draw.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr int kControlHeight = 24;
constexpr int kScrollBar = 10;

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

void drawToolButtonPanel(const QStyleOption& option, QPainter& painter) {
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

/// Bar of progress: the share in the accent, the text over both.
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

void drawScrollBar(const QStyleOptionComplex& option, const QRect& handle, QPainter& painter) {
  painter.fillRect(option.rect, theme().role(Role::kBase));
  const bool active = option.state & QStyle::State_MouseOver;
  const QColor ink =
      mixed(theme().role(Role::kBase), theme().role(Role::kTextFaint), active ? 0.75 : 0.45);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(ink);
  const QRectF thumb = QRectF(handle).adjusted(2, 2, -2, -2);
  painter.drawRoundedRect(thumb, 3, 3);
}

}  // namespace

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option,
                       const QWidget* widget) const {
  switch (metric) {
    case PM_ScrollBarExtent:
      return kScrollBar;
    case PM_ScrollBarSliderMin:
      return 28;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
      return 14;
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
    case PM_ListViewIconSize:
      return 16;
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent:
      return 4;
    case PM_ToolBarItemSpacing:
      return 4;
    case PM_ToolBarItemMargin:
      return 3;
    case PM_HeaderMargin:
      return 6;
    case PM_MenuBarPanelWidth:
    case PM_ToolBarFrameWidth:
    case PM_DockWidgetFrameWidth:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
      return 0;
    case PM_TreeViewIndentation:
      return 16;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* result) const {
  switch (hint) {
    case SH_ScrollView_FrameOnlyAroundContents:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_UnderlineShortcut:
      return 0;
    case SH_Table_GridLineColor:
      return static_cast<int>(theme().role(Role::kGrid).rgb());
    case SH_ItemView_ShowDecorationSelected:
      return 1;
    default:
      return QProxyStyle::styleHint(hint, option, widget, result);
  }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const {
  QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
  const bool one_line =
      type == CT_PushButton || type == CT_ComboBox || type == CT_LineEdit || type == CT_SpinBox;
  if (one_line) result.setHeight(std::max(kControlHeight, size.height() + 6));
  if (type == CT_MenuItem) result.setHeight(std::max(result.height(), 22));
  if (type == CT_MenuBarItem) result.setHeight(std::max(result.height(), 24));
  if (type == CT_HeaderSection) result.setHeight(24);
  return result;
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                            SubControl part, const QWidget* widget) const {
  const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
  if (control != CC_ScrollBar || slider == nullptr) {
    return QProxyStyle::subControlRect(control, option, part, widget);
  }
  return scrollBarPart(*slider, part, pixelMetric(PM_ScrollBarSliderMin, option, widget));
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  const PainterSaver saver(*painter);
  switch (element) {
    case PE_PanelButtonCommand:
      return drawButtonPanel(*option, *painter, widget);
    case PE_PanelButtonTool:
      return drawToolButtonPanel(*option, *painter);
    case PE_FrameLineEdit:
      return;  // Drawn with the panel, fill and frame in one.
    case PE_PanelLineEdit:
      if (isPanelFrame(*option)) return drawEdit(*option, *painter, widget);
      return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
      return drawCheckBox(*option, *painter);
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowRight:
      return drawArrow(element, *option, *painter);
    case PE_IndicatorBranch:
      return drawBranch(*option, *painter);
    case PE_Frame:
      painter->setPen(theme().role(Role::kBorder));
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      return;
    case PE_FrameFocusRect:
      painter->setPen(theme().role(Role::kAccent));
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      return;
    case PE_FrameStatusBarItem:
      return;
    case PE_PanelStatusBar:
      painter->fillRect(option->rect, theme().role(Role::kWindow));
      painter->setPen(theme().role(Role::kBorder));
      painter->drawLine(option->rect.topLeft(), option->rect.topRight());
      return;
    default:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
  const PainterSaver saver(*painter);
  switch (element) {
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
      return drawHeaderSection(*option, *painter);
    case CE_ToolBar:
      painter->fillRect(option->rect, theme().role(Role::kWindow));
      painter->setPen(theme().role(Role::kBorder));
      if (option->state & State_Horizontal) {
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
      } else {
        painter->drawLine(option->rect.topRight(), option->rect.bottomRight());
      }
      return;
    case CE_MenuBarEmptyArea:
      painter->fillRect(option->rect, theme().role(Role::kWindow));
      return;
    case CE_Splitter:
      return drawSplitter(*painter, option->rect, option->state & State_Horizontal);
    case CE_ProgressBar:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
        return drawProgress(*bar, *painter);
      }
      return;
    case CE_PushButtonLabel:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
        QStyleOptionButton colored = *button;
        const bool primary = widget != nullptr && widget->property("primary").toBool();
        if (primary && (option->state & State_Enabled)) {
          colored.palette.setColor(QPalette::ButtonText, theme().role(Role::kAccentText));
        }
        return QProxyStyle::drawControl(element, &colored, painter, widget);
      }
      return;
    default:
      QProxyStyle::drawControl(element, option, painter, widget);
  }
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                               QPainter* painter, const QWidget* widget) const {
  const PainterSaver saver(*painter);
  if (control == CC_ScrollBar) {
    const QRect handle = subControlRect(control, option, SC_ScrollBarSlider, widget);
    return drawScrollBar(*option, handle, *painter);
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void Style::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  const bool hovers = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QScrollBar*>(widget) ||
                      qobject_cast<QComboBox*>(widget);
  if (hovers) widget->setAttribute(Qt::WA_Hover);
}

}  // namespace hloscope::ui
