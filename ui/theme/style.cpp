#include "ui/theme/style.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolBar>

#include "ui/theme/draw.h"
#include "ui/theme/style_parts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

namespace {

constexpr int kControlHeight = 24;
constexpr int kScrollBar = 10;
constexpr int kMenuArrow = 14;
constexpr int kSortArrow = 12;
// Space between frame and text of edits and combo boxes.
constexpr int kTextInset = 4;

bool opensMenu(const QStyleOptionToolButton& button) {
  return (button.features & QStyleOptionToolButton::HasMenu) &&
         !(button.features & QStyleOptionToolButton::MenuButtonPopup);
}

bool hasTextBeside(const QStyleOptionToolButton& button) {
  return !button.text.isEmpty() && (button.toolButtonStyle == Qt::ToolButtonTextBesideIcon ||
                                    button.toolButtonStyle == Qt::ToolButtonTextOnly);
}

/// A button with a picture only shows by its tool tip that it opens a menu.
bool hasMenuArrow(const QStyleOptionToolButton& button) {
  return opensMenu(button) && button.toolButtonStyle != Qt::ToolButtonIconOnly &&
         !button.text.isEmpty();
}

/// Arrows, marks and lines; false: not one of them.
bool drawIndicator(QStyle::PrimitiveElement element, const QStyleOption& option,
                   QPainter& painter) {
  switch (element) {
    case QStyle::PE_IndicatorCheckBox:
    case QStyle::PE_IndicatorItemViewItemCheck:
      drawCheckBox(option, painter);
      return true;
    case QStyle::PE_IndicatorRadioButton:
      drawRadioButton(option, painter);
      return true;
    case QStyle::PE_IndicatorArrowDown:
    case QStyle::PE_IndicatorArrowUp:
    case QStyle::PE_IndicatorArrowLeft:
    case QStyle::PE_IndicatorArrowRight:
      drawArrow(element, option, painter);
      return true;
    case QStyle::PE_IndicatorBranch:
      drawBranch(option, painter);
      return true;
    case QStyle::PE_IndicatorHeaderArrow:
      drawSortArrow(option, painter);
      return true;
    case QStyle::PE_IndicatorToolBarSeparator:
      drawToolBarSeparator(option, painter);
      return true;
    default:
      return false;
  }
}

/// Frames and backgrounds; false: not one of them.
bool drawPanel(QStyle::PrimitiveElement element, const QStyleOption& option, QPainter& painter,
               const QWidget* widget) {
  switch (element) {
    case QStyle::PE_PanelButtonCommand:
      drawButtonPanel(option, painter, widget);
      return true;
    case QStyle::PE_PanelButtonTool:
      drawToolButtonPanel(option, painter, widget);
      return true;
    case QStyle::PE_FrameLineEdit:
      return true;  // Drawn with the panel, fill and frame in one.
    case QStyle::PE_PanelLineEdit:
      if (isPanelFrame(option)) drawEdit(option, painter, widget);
      return true;
    case QStyle::PE_Frame:
      drawOutline(option, painter, Role::kBorder);
      return true;
    case QStyle::PE_FrameFocusRect:
      // Controls show the focus by their own frame.
      if (qobject_cast<const QAbstractButton*>(widget)) return true;
      if (qobject_cast<const QComboBox*>(widget)) return true;
      drawOutline(option, painter, Role::kAccent);
      return true;
    case QStyle::PE_PanelScrollAreaCorner:
      painter.fillRect(option.rect, theme().role(Role::kBase));
      return true;
    case QStyle::PE_FrameStatusBarItem:
      drawStatusItem(option, painter);
      return true;
    case QStyle::PE_PanelStatusBar:
      drawStatusBar(option, painter);
      return true;
    default:
      return false;
  }
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
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
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
    case SH_DialogButtonBox_ButtonsHaveIcons:
      return 0;
    case SH_UnderlineShortcut:
      return widget != nullptr && qobject_cast<const QDialog*>(widget->window()) != nullptr ? 1 : 0;
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
  const bool one_line = type == CT_PushButton || type == CT_ComboBox || type == CT_LineEdit;
  if (one_line) result.setHeight(std::max(kControlHeight, size.height() + 6));
  // The edit inside has its own margins already.
  if (type == CT_SpinBox) result.setHeight(std::max(kControlHeight, size.height()));
  if (type == CT_MenuItem) result.setHeight(std::max(result.height(), 22));
  if (type == CT_MenuBarItem) result.setHeight(std::max(result.height(), 24));
  if (type == CT_HeaderSection) result.setHeight(24);
  if (type == CT_ComboBox) result.rwidth() += 2 * kTextInset;
  const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
  if (type == CT_ToolButton && button != nullptr) {
    if (hasMenuArrow(*button)) result.rwidth() += kMenuArrow;
    if (hasTextBeside(*button)) result.rwidth() += kTextInset + kToolButtonGap;
  }
  return result;
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                            SubControl part, const QWidget* widget) const {
  if (control == CC_ComboBox && part == SC_ComboBoxEditField) {
    return QProxyStyle::subControlRect(control, option, part, widget).adjusted(kTextInset, 0, 0, 0);
  }
  const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
  if (control != CC_ScrollBar || slider == nullptr) {
    return QProxyStyle::subControlRect(control, option, part, widget);
  }
  return scrollBarPart(*slider, part, pixelMetric(PM_ScrollBarSliderMin, option, widget));
}

QStyleOptionComboBox Style::elidedLabel(const QStyleOptionComboBox& combo,
                                        const QWidget* widget) const {
  QStyleOptionComboBox result = combo;
  int room = subControlRect(CC_ComboBox, &combo, SC_ComboBoxEditField, widget).width();
  if (!combo.currentIcon.isNull()) room -= combo.iconSize.width() + kTextInset;
  result.currentText = combo.fontMetrics.elidedText(combo.currentText, Qt::ElideRight, room);
  return result;
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option,
                            const QWidget* widget) const {
  const QRect rect = QProxyStyle::subElementRect(element, option, widget);
  if (element == SE_LineEditContents) return rect.adjusted(kTextInset, 0, -kTextInset, 0);
  const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
  if (header == nullptr || header->sortIndicator == QStyleOptionHeader::None) return rect;
  const QRect inside = option->rect.adjusted(6, 0, -6, 0);
  if (element == SE_HeaderLabel) return inside.adjusted(0, 0, -kSortArrow, 0);
  if (element == SE_HeaderArrow) return inside.adjusted(inside.width() - kSortArrow + 2, 0, 0, 0);
  return rect;
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  const PainterSaver saver(*painter);
  const bool drawn =
      drawIndicator(element, *option, *painter) || drawPanel(element, *option, *painter, widget);
  if (!drawn) QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
  const PainterSaver saver(*painter);
  switch (element) {
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
      return drawHeaderSection(*option, *painter);
    case CE_HeaderLabel:
      if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
        // Qt leaves no room for our sort arrow: the first letters of a number's title were lost.
        QStyleOptionHeader elided = *header;
        elided.text =
            header->fontMetrics.elidedText(header->text, Qt::ElideRight, header->rect.width());
        return QProxyStyle::drawControl(element, &elided, painter, widget);
      }
      return QProxyStyle::drawControl(element, option, painter, widget);
    case CE_ToolBar:
      painter->fillRect(option->rect, theme().role(Role::kWindow));
      painter->setPen(theme().role(Role::kBorder));
      if (option->state & State_Horizontal) {
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
      } else {
        painter->drawLine(option->rect.topRight(), option->rect.bottomRight());
      }
      return;
    case CE_ToolButtonLabel: {
      const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
      if (button != nullptr && hasTextBeside(*button)) {
        return drawToolButtonLabel(*button, *painter);
      }
      return QProxyStyle::drawControl(element, option, painter, widget);
    }
    case CE_ComboBoxLabel:
      if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
        const QStyleOptionComboBox elided = elidedLabel(*combo, widget);
        return QProxyStyle::drawControl(element, &elided, painter, widget);
      }
      return;
    case CE_MenuBarItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
        drawMenuBarItem(*item, *painter);
      }
      return;
    case CE_MenuBarEmptyArea:
      painter->fillRect(option->rect, theme().role(Role::kWindow));
      return;
    case CE_Splitter:
      // What it parts has frames of its own.
      if (option->state & State_MouseOver) {
        drawSplitter(*painter, option->rect, option->state & State_Horizontal);
      }
      return;
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
    return drawScrollBar(*option, handle, *painter, widget);
  }
  if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
    return drawSpinBox(*spin, subControlRect(control, option, SC_SpinBoxUp, widget),
                       subControlRect(control, option, SC_SpinBoxDown, widget), *painter);
  }
  const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
  if (control == CC_ToolButton && button != nullptr && opensMenu(*button)) {
    QStyleOptionToolButton plain = *button;
    plain.features &= ~QStyleOptionToolButton::ToolButtonFeatures(QStyleOptionToolButton::HasMenu);
    if (hasMenuArrow(*button)) {
      QStyleOption arrow = *button;
      arrow.rect.setLeft(arrow.rect.right() - kMenuArrow - 4);
      plain.rect.setRight(plain.rect.right() - kMenuArrow);
      drawPrimitive(PE_PanelButtonTool, button, painter, widget);
      plain.state &= ~(State_MouseOver | State_HasFocus | State_Sunken | State_On);
      plain.state |= State_AutoRaise;
      drawArrow(PE_IndicatorArrowDown, arrow, *painter);
    }
    return QProxyStyle::drawComplexControl(control, &plain, painter, widget);
  }
  const State flat_focus = State_AutoRaise | State_HasFocus;
  if (control == CC_ToolButton && (option->state & flat_focus) == flat_focus) {
    // Qt draws no panel of a flat button that has only the focus: it would not be seen.
    drawPrimitive(PE_PanelButtonTool, option, painter, widget);
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
