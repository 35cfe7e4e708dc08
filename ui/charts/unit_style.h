#pragma once

#include <QBrush>
#include <QPainter>
#include <QString>

#include "core/sim/tile_work.h"
#include "core/sim/time_parts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

/// How units and parts of a kernel's time look, the same in every chart.
[[nodiscard]] QString unitTitle(sim::Unit unit);
[[nodiscard]] QColor unitColor(sim::Unit unit);

[[nodiscard]] QString partTitle(sim::TimePart part);
/// One capital letter, shown where the colour is.
[[nodiscard]] QString partLetter(sim::TimePart part);
/// Black or white of the theme, whichever stands out from a background.
[[nodiscard]] QColor inkOn(const QColor& background);
/// The square with the letter.
void paintPartLetter(QPainter& painter, const QRectF& rect, sim::TimePart part);
/// A stretch of a bar; the letter stands in it where there is room.
void paintPartBar(QPainter& painter, const QRectF& rect, sim::TimePart part);

}  // namespace hloscope::ui
