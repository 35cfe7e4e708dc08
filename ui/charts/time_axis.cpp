#include "ui/charts/time_axis.h"

#include <algorithm>

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kTickPitch = 100;
constexpr double kLabelHeight = 16;

struct TimeUnit {
  double ns;
  const char* name;
};

TimeUnit unitOf(double to_ns) {
  if (to_ns >= 1e10) return {1e9, "s"};
  if (to_ns >= 1e8) return {1e6, "ms"};
  return {1e3, "µs"};
}

}  // namespace

QString TimeAxis::unit() const {
  return QString::fromUtf8(unitOf(to_ns).name);
}

void paintTimeAxis(QPainter& painter, const TimeAxis& axis, bool grid) {
  const TimeUnit unit = unitOf(axis.to_ns);
  const PlotAxis scale{{}, axis.from_ns / unit.ns, axis.to_ns / unit.ns, false};
  painter.setFont(smallFont());
  const int most = std::max(2, static_cast<int>(axis.rect.width() / kTickPitch));
  for (double tick : scale.ticks(most)) {
    const double x = axis.x(tick * unit.ns);
    painter.setPen(theme().role(Role::kGrid));
    if (grid) painter.drawLine(QPointF(x, axis.rect.top()), QPointF(x, axis.rect.bottom()));
    painter.setPen(theme().role(Role::kBorder));
    painter.drawLine(QPointF(x, axis.rect.bottom()), QPointF(x, axis.rect.bottom() + 4));
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(x - 50, axis.rect.bottom() + 4, 100, kLabelHeight), Qt::AlignCenter,
                     scale.label(tick, most));
  }
  painter.setPen(theme().role(Role::kBorder));
  painter.drawLine(axis.rect.bottomLeft(), axis.rect.bottomRight());
}

}  // namespace hloscope::ui
