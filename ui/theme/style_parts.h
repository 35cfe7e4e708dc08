#pragma once

#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <QWidget>

#include "ui/theme/theme.h"

namespace hloscope::ui {

/// What Style draws, one function for each part. The painter's state is not kept.

void drawButtonPanel(const QStyleOption& option, QPainter& painter, const QWidget* widget);
void drawToolButtonPanel(const QStyleOption& option, QPainter& painter, const QWidget* widget);
void drawEdit(const QStyleOption& option, QPainter& painter, const QWidget* widget);
void drawCheckBox(const QStyleOption& option, QPainter& painter);
void drawRadioButton(const QStyleOption& option, QPainter& painter);
/// Frame and arrows; the number is drawn by the edit inside.
void drawSpinBox(const QStyleOptionSpinBox& option, const QRect& up, const QRect& down,
                 QPainter& painter);
void drawArrow(QStyle::PrimitiveElement element, const QStyleOption& option, QPainter& painter);
/// The arrow of a sorted column.
void drawSortArrow(const QStyleOption& option, QPainter& painter);
void drawBranch(const QStyleOption& option, QPainter& painter);
void drawHeaderSection(const QStyleOption& option, QPainter& painter);
/// Bar of progress: the share in the accent, the text over both.
void drawProgress(const QStyleOptionProgressBar& option, QPainter& painter);
void drawScrollBar(const QStyleOptionComplex& option, const QRect& handle, QPainter& painter,
                   const QWidget* widget);
void drawMenuBarItem(const QStyleOptionMenuItem& option, QPainter& painter);
/// Picture and text of a tool button with the text beside the picture.
void drawToolButtonLabel(const QStyleOptionToolButton& option, QPainter& painter);
inline constexpr int kToolButtonGap = 6;
/// Vertical line at the left of an item of the status bar, but for the first one.
void drawStatusItem(const QStyleOption& option, QPainter& painter);
void drawStatusBar(const QStyleOption& option, QPainter& painter);
void drawToolBarSeparator(const QStyleOption& option, QPainter& painter);
/// A line of 1 px inside of the rectangle.
void drawOutline(const QStyleOption& option, QPainter& painter, Role role);
/// A frame with a line; item views that fill a panel have none.
[[nodiscard]] bool isPanelFrame(const QStyleOption& option);

}  // namespace hloscope::ui
