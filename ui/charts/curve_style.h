#pragma once

#include <QPainter>

#include "ui/theme/theme.h"

namespace hloscope::ui {

/// How curves that stand beside each other are told apart, without colour as well: by dash and
/// marker. `index` from 0; they repeat after kCurveStyles.
inline constexpr int kCurveStyles = 7;
[[nodiscard]] QColor curveColor(int index);
[[nodiscard]] QPen curvePen(int index, double width);
[[nodiscard]] Marker curveMarker(int index);
void paintCurveMarker(QPainter& painter, int index, const QPointF& center, double size);

/// Line, marker and name at `at` (the middle of its left end). Returns the width.
double paintCurveEntry(QPainter& painter, int index, const QPointF& at, const QString& text);

}  // namespace hloscope::ui
