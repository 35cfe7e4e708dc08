#pragma once

#include <QIcon>
#include <QPainter>

#include "core/analysis/compare_pairs.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

/// Colour and marker of a source of times, the same on every page.
[[nodiscard]] Series seriesOf(analysis::TimeSource source);
[[nodiscard]] Series seriesOf(analysis::PairSource source);

/// The marker's outline around the origin, `size` px wide.
[[nodiscard]] QPainterPath markerPath(Marker marker, double size);

/// The marker alone, for tables.
[[nodiscard]] QIcon markerIcon(Series series);

/// A marker at `center` in its series' colour.
void paintMarker(QPainter& painter, Series series, const QPointF& center, double size);
/// The same as an outline: the series stands behind another one.
void paintMarkerOutline(QPainter& painter, Series series, const QPointF& center, double size);

}  // namespace hloscope::ui
