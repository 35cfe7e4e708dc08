#include "ui/charts/plot_axes.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kTickGap = 5;  ///< Between labels and axis.
constexpr double kTickPitchX = 90;
constexpr double kTickPitchY = 36;
constexpr double kTickLabelGap = 8;  ///< Least room between labels of the x axis.
constexpr double kLogFrom = 8;       ///< Ranges of a lower factor have linear ticks.

double niceStep(double span, int most) {
  const double raw = span / std::max(1, most);
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * 0.999) return factor * power;
  }
  return 10 * power;
}

int mostTicks(double pixels, double pitch) {
  return std::max(2, static_cast<int>(pixels / pitch));
}

double widestLabel(const PlotAxis& axis, double pixels, const QFontMetricsF& metrics) {
  double widest = 0;
  const int most = mostTicks(pixels, kTickPitchY);
  for (double tick : axis.ticks(most)) {
    widest = std::max(widest, metrics.horizontalAdvance(axis.label(tick, most)));
  }
  return widest;
}

void paintYAxis(QPainter& painter, const PlotArea& area, double title_height) {
  const QRectF& rect = area.rect;
  double widest = 0;
  const int most = mostTicks(rect.height(), kTickPitchY);
  for (double tick : area.y.ticks(most)) {
    const double y = area.at(area.x.low, tick).y();
    painter.setPen(theme().role(Role::kGrid));
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    const QString text = area.y.label(tick, most);
    widest = std::max(widest, painter.fontMetrics().horizontalAdvance(text) * 1.0);
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(rect.left() - 200 - kTickGap, y - 10, 200, 20),
                     Qt::AlignRight | Qt::AlignVCenter, text);
  }
  painter.save();
  painter.translate(rect.left() - widest - 2 * kTickGap - title_height, rect.center().y());
  painter.rotate(-90);
  const double room = rect.height() + 40;
  const QString title =
      painter.fontMetrics().elidedText(area.y.title, Qt::ElideRight, static_cast<int>(room));
  painter.drawText(QRectF(-room / 2, 0, room, title_height), Qt::AlignCenter, title);
  painter.restore();
}

}  // namespace

double PlotAxis::part(double value) const {
  if (is_log) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

double PlotAxis::value(double part) const {
  if (is_log) return low * std::pow(high / low, part);
  return low + (high - low) * part;
}

std::vector<double> PlotAxis::ticks(int most) const {
  std::vector<double> result;
  if (!(high > low)) return result;
  if (is_log && high / low >= kLogFrom) {
    // Fewer than two decades have no two ticks otherwise.
    const bool few = std::log10(high / low) * 3 > most && high / low >= 100;
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10) {
      for (double factor : {1.0, 2.0, 5.0}) {
        if (few && factor > 1) continue;
        const double tick = factor * power;
        if (tick >= low && tick <= high) result.push_back(tick);
      }
    }
    return result;
  }
  const double step = niceStep(high - low, most);
  const auto first = static_cast<int64_t>(std::ceil(low / step - 1e-9));
  const auto last = static_cast<int64_t>(std::floor(high / step + 1e-9));
  for (int64_t i = first; i <= last; ++i) result.push_back(static_cast<double>(i) * step);
  return result;
}

/// Ticks of a logarithmic axis below it are written as 1e−5.
constexpr double kShortest = 0.99e-4;

QString PlotAxis::label(double tick, int most) const {
  const bool has_decades = is_log && high / low >= kLogFrom;
  if (has_decades && tick < kShortest) {
    // Rows of zeros cannot be told apart.
    const double power = std::floor(std::log10(tick) + 1e-9);
    return QStringLiteral("%1e%2").arg(formatNumber(tick / std::pow(10, power), 0),
                                       formatNumber(power, 0));
  }
  const double scale = has_decades ? tick : niceStep(high - low, most);
  int decimals = 0;
  if (scale > 0 && scale < 1) decimals = static_cast<int>(std::ceil(-std::log10(scale) - 1e-9));
  return formatNumber(tick, std::clamp(decimals, 0, 9));
}

PlotAxis fittedAxis(const QString& title, double low, double high, bool is_log, double margin) {
  PlotAxis axis{title, low, high, is_log};
  if (!std::isfinite(low) || !std::isfinite(high) || low > high || (is_log && low <= 0)) {
    axis.low = is_log ? 1 : 0;
    axis.high = is_log ? 10 : 1;
    return axis;
  }
  if (is_log) {
    const double factor = std::max(std::pow(high / low, margin), 1.02);
    axis.low = low / factor;
    axis.high = high * factor;
  } else {
    // A single value stands in the middle.
    const double room = high > low ? (high - low) * margin : std::max(std::abs(high) * 0.02, 0.5);
    axis.low = low - room;
    axis.high = high + room;
  }
  return axis;
}

QRectF insideAxes(const QRectF& bounds, const PlotAxis& y, bool has_x_labels) {
  const QFontMetricsF metrics(smallFont());
  const double left = widestLabel(y, bounds.height(), metrics) + metrics.height() + 3 * kTickGap;
  const double bottom = has_x_labels ? 2 * metrics.height() + 2 * kTickGap : kTickGap;
  return bounds.adjusted(left, metrics.height() / 2, -12, -bottom);
}

void paintAxes(QPainter& painter, const PlotArea& area, bool has_x_labels) {
  painter.save();
  painter.setFont(smallFont());
  const QRectF& rect = area.rect;
  const double height = painter.fontMetrics().height();
  const int most = mostTicks(rect.width(), kTickPitchX);
  double taken = -HUGE_VAL;  // Right end of the last label: the next one must not touch it.
  for (double tick : area.x.ticks(most)) {
    const double x = area.at(tick, area.y.low).x();
    painter.setPen(theme().role(Role::kGrid));
    painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
    const QString label = area.x.label(tick, most);
    const double half = painter.fontMetrics().horizontalAdvance(label) / 2.0;
    if (!has_x_labels || x - half < taken + kTickLabelGap) continue;
    taken = x + half;
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(x - 60, rect.bottom() + kTickGap, 120, height), Qt::AlignCenter, label);
  }
  paintYAxis(painter, area, height);
  if (has_x_labels) {
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawText(QRectF(rect.left(), rect.bottom() + kTickGap + height, rect.width(), height),
                     Qt::AlignCenter, area.x.title);
  }
  painter.setPen(theme().role(Role::kBorder));
  painter.drawLine(rect.topLeft(), rect.bottomLeft());
  painter.drawLine(rect.bottomLeft(), rect.bottomRight());
  painter.restore();
}

}  // namespace hloscope::ui
