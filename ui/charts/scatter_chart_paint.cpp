// What ScatterChart paints itself: reference lines, large clouds, selection.
#include <QLogValueAxis>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ui/charts/plot_axes.h"
#include "ui/charts/scatter_chart.h"
#include "ui/charts/series_style.h"
#include "ui/theme/fonts.h"

namespace hloscope::ui {
namespace {

constexpr int kDensityCell = 2;     ///< Pixels.
constexpr double kCloudMarker = 6;  ///< Pixels.
constexpr double kBaselineMarker = 8;
constexpr double kStampReach = 6;  ///< Pixels around the middle of a marker.
constexpr double kHalo = 3;        ///< Pixels, so that a label is read over markers.
constexpr double kLabelGap = 6;    ///< Pixels between a label and the band.

/// Drawn once, and then as often as there are points: shapes one by one take too long.
QImage markerStamp(const QPainterPath& marker, const QPen& pen, const QBrush& brush, double ratio) {
  QImage stamp((QSizeF(2 * kStampReach, 2 * kStampReach) * ratio).toSize(),
               QImage::Format_ARGB32_Premultiplied);
  stamp.setDevicePixelRatio(ratio);
  stamp.fill(Qt::transparent);
  QPainter painter(&stamp);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(pen);
  painter.setBrush(brush);
  painter.translate(kStampReach, kStampReach);
  painter.drawPath(marker);
  return stamp;
}

/// Starts at the left end of its base line.
void drawLabel(QPainter& painter, const QPointF& at, const QString& text, Role ink) {
  QPainterPath path;
  path.addText(at, painter.font(), text);
  painter.strokePath(
      path, QPen(theme().role(Role::kBase), kHalo, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setPen(theme().role(ink));
  painter.drawText(at, text);
}

}  // namespace

void ScatterChart::drawBackground(QPainter* painter, const QRectF& rect) {
  QChartView::drawBackground(painter, rect);
  if (!empty_text_.isEmpty()) return;
  paintReference(*painter);
  paintBaseline(*painter);
}

void ScatterChart::paintReference(QPainter& painter) const {
  painter.save();
  painter.setClipRect(plotArea());
  // Long enough for any view: the band is straight on logarithmic axes.
  const double low = std::min(x_axis_->min(), y_axis_->min()) / 100;
  const double high = std::max(x_axis_->max(), y_axis_->max()) * 100;
  const QPolygonF band{toPixel(low, low * (1 - band_)), toPixel(high, high * (1 - band_)),
                       toPixel(high, high * (1 + band_)), toPixel(low, low * (1 + band_))};
  QColor fill = theme().role(Role::kAccent);
  fill.setAlphaF(0.09F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawPolygon(band);
  painter.setPen(QPen(theme().role(Role::kAccent), 1, Qt::DashLine));
  painter.drawLine(band[0], band[1]);
  painter.drawLine(band[3], band[2]);
  painter.setPen(QPen(theme().role(Role::kText), 1));
  painter.drawLine(toPixel(low, low), toPixel(high, high));
  painter.setPen(QPen(theme().role(Role::kTextMuted), 1, Qt::DotLine));
  painter.drawLine(toPixel(line_x_, low), toPixel(line_x_, high));
  if (marked_low_ < marked_high_) {
    fill.setAlphaF(0.12F);
    painter.fillRect(QRectF(toPixel(marked_low_, high), toPixel(marked_high_, low)), fill);
  }
  painter.restore();
}

void ScatterChart::paintFewTicks(QPainter& painter) const {
  constexpr double kMark = 5;
  constexpr int kMost = 6;
  const QRectF area = plotArea();
  painter.setFont(smallFont());
  const auto ticks = [](const QLogValueAxis& axis) {
    const PlotAxis range{{}, axis.min(), axis.max(), true};
    const double decades = std::floor(std::log10(axis.max())) - std::ceil(std::log10(axis.min()));
    std::vector<std::pair<double, QString>> out;
    if (decades >= 1) return out;  // The axis itself has two labels or more.
    for (const double tick : range.ticks(kMost)) {
      const double power = std::log10(tick);
      if (std::abs(power - std::round(power)) < 1e-9) continue;  // Labelled already.
      out.emplace_back(tick, range.label(tick, kMost));
    }
    return out;
  };
  const double height = painter.fontMetrics().height();
  for (const auto& [tick, text] : ticks(*x_axis_)) {
    const double x = toPixel(tick, y_axis_->min()).x();
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + kMark));
    painter.drawText(QRectF(x - 40, area.bottom() + kMark, 80, height), Qt::AlignCenter, text);
  }
  // Inside: the axis keeps room for its own labels only.
  for (const auto& [tick, text] : ticks(*y_axis_)) {
    const double y = toPixel(x_axis_->min(), tick).y();
    painter.setPen(theme().role(Role::kTextMuted));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.left() + kMark, y));
    drawLabel(painter, QPointF(area.left() + kMark + 3, y + painter.fontMetrics().ascent() / 2.0),
              text, Role::kTextMuted);
  }
}

void ScatterChart::paintLabels(QPainter& painter) const {
  const QRectF area = plotArea();
  painter.setFont(smallFont());
  const double line = toPixel(line_x_, y_axis_->max()).x();
  if (line > area.left() && line < area.right()) {
    drawLabel(painter, QPointF(line + 4, area.top() + painter.fontMetrics().ascent() + 4),
              line_text_, Role::kTextMuted);
  }
  // At the upper end of y = x, left above the band and right below it.
  const double end = std::min(x_axis_->max(), y_axis_->max());
  const double text_height = painter.fontMetrics().height();
  const QPointF upper = toPixel(end / (1 + band_), end);
  const double per_pixel =  // The band falls by this for each pixel to the left.
      (toPixel(end / 10, end / 10).y() - toPixel(end, end).y()) /
      (toPixel(end, end).x() - toPixel(end / 10, end / 10).x());
  const QString equal = QStringLiteral("y = x");
  const double equal_width = painter.fontMetrics().horizontalAdvance(equal);
  drawLabel(painter,
            QPointF(upper.x() - (text_height + 2 * kLabelGap) / per_pixel - equal_width,
                    upper.y() + kLabelGap + painter.fontMetrics().ascent()),
            equal, Role::kText);
  const QString band = QStringLiteral("±%1 %").arg(std::lround(band_ * 100));
  const double band_width = painter.fontMetrics().horizontalAdvance(band);
  const QPointF lower = toPixel(end, end * (1 - band_));
  const double left = std::min(lower.x(), area.right()) - kLabelGap - band_width;
  drawLabel(painter,
            QPointF(left, lower.y() + (lower.x() - left) * per_pixel + kLabelGap +
                              painter.fontMetrics().ascent()),
            band, Role::kAccent);
}

void ScatterChart::drawForeground(QPainter* painter, const QRectF& /*rect*/) {
  painter->save();
  if (!empty_text_.isEmpty()) {
    painter->fillRect(sceneRect(), theme().role(Role::kBase));
    painter->setPen(theme().role(Role::kTextMuted));
    painter->drawText(sceneRect().adjusted(40, 40, -40, -40), Qt::AlignCenter | Qt::TextWordWrap,
                      empty_text_);
  } else {
    if (isPainted()) paintCloud(*painter);
    paintFewTicks(*painter);
    paintLabels(*painter);
    paintSelection(*painter);
    paintDrag(*painter);
  }
  if (hasFocus()) {
    painter->setPen(theme().role(Role::kAccent));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(sceneRect().adjusted(0.5, 0.5, -0.5, -0.5));
  }
  painter->restore();
}

void ScatterChart::paintBaseline(QPainter& painter) {
  if (baseline_.values.empty()) return;
  if (baseline_area_ != plotArea()) {
    baseline_cloud_ = cloudImage(baseline_, baseline_series_, Ink::kOutline);
    baseline_area_ = plotArea();
  }
  painter.drawImage(baseline_area_.topLeft(), baseline_cloud_);
}

void ScatterChart::paintCloud(QPainter& painter) {
  if (cloud_area_ != plotArea()) {
    cloud_ = cloudImage(points_, series_, Ink::kFilled);
    cloud_area_ = plotArea();
  }
  painter.drawImage(cloud_area_.topLeft(), cloud_);
}

QImage ScatterChart::cloudImage(const ScatterCloud& cloud, Series series, Ink ink) const {
  if (cloud.values.size() > kFirstDensityPoints) return densityImage(cloud, series);
  const QRectF area = plotArea();
  const double ratio = devicePixelRatioF();
  QImage image((area.size() * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  const bool filled = ink == Ink::kFilled;
  QColor color = theme().series(series);
  color.setAlphaF(filled ? 0.45F : 0.8F);
  const bool many = cloud.values.size() > kMostSeriesPoints;
  const QImage stamp =
      markerStamp(markerPath(theme().marker(series), many ? kCloudMarker : kBaselineMarker),
                  filled ? QPen(Qt::NoPen) : QPen(color, 1),
                  filled ? QBrush(color) : QBrush(Qt::NoBrush), ratio);
  const QPointF corner = area.topLeft() + QPointF(kStampReach, kStampReach);
  const LogScale scale = logScale();
  for (const QPointF& log : cloud.logs) {
    const QPointF at = scale.at(log);
    // On whole pixels of the device, where a stamp needs no resampling.
    if (area.contains(at)) {
      painter.drawImage(QPointF(((at - corner) * ratio).toPoint()) / ratio, stamp);
    }
  }
  return image;
}

QImage ScatterChart::densityImage(const ScatterCloud& cloud, Series series) const {
  const QRectF area = plotArea();
  const int columns = (static_cast<int>(area.width()) + 1) / kDensityCell;
  const int rows = (static_cast<int>(area.height()) + 1) / kDensityCell;
  std::vector<uint32_t> counts(static_cast<size_t>(columns) * static_cast<size_t>(rows));
  LogScale scale = logScale();
  scale.origin = (scale.origin - area.topLeft()) / kDensityCell;
  scale.factor /= kDensityCell;
  uint32_t most = 1;
  for (const QPointF& log : cloud.logs) {
    const QPointF at = scale.at(log);
    if (!(at.x() >= 0 && at.y() >= 0 && at.x() < columns && at.y() < rows)) continue;
    const size_t cell =
        static_cast<size_t>(at.y()) * static_cast<size_t>(columns) + static_cast<size_t>(at.x());
    most = std::max(most, ++counts[cell]);
  }
  // As many shades as can be told apart.
  constexpr int kShades = 64;
  std::array<QRgb, kShades + 1> shades{};
  for (int i = 0; i <= kShades; ++i) {
    const double strength = 0.25 + 0.75 * i / kShades;
    shades[static_cast<size_t>(i)] =
        mixed(theme().role(Role::kBase), theme().series(series), strength).rgb();
  }
  QImage image(columns, rows, QImage::Format_ARGB32_Premultiplied);
  const double per_log = kShades / std::log1p(most);
  for (int row = 0; row < rows; ++row) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
    const uint32_t* count = &counts[static_cast<size_t>(row) * static_cast<size_t>(columns)];
    for (int column = 0; column < columns; ++column) {
      line[column] =
          count[column] == 0 ? 0 : shades[static_cast<size_t>(std::log1p(count[column]) * per_log)];
    }
  }
  return image.scaled(columns * kDensityCell, rows * kDensityCell);
}

void ScatterChart::paintSelection(QPainter& painter) const {
  if (selected_ < 0 || selected_ >= static_cast<int>(points_.values.size())) return;
  const QPointF at = positionOf(selected_);
  if (!plotArea().contains(at)) return;
  QColor halo = theme().role(Role::kAccent);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(halo, 2));
  painter.drawEllipse(at, 8, 8);
  halo.setAlphaF(0.22F);
  painter.setPen(QPen(halo, 4));
  painter.drawEllipse(at, 11, 11);
}

void ScatterChart::paintDrag(QPainter& painter) const {
  if (drag_ != Drag::kRange && drag_ != Drag::kZoom) return;
  QRectF rect = QRectF(drag_start_, drag_end_).normalized();
  if (drag_ == Drag::kRange) {
    rect.setTop(plotArea().top());
    rect.setBottom(plotArea().bottom());
  }
  QColor color = theme().role(Role::kAccent);
  painter.setPen(color);
  color.setAlphaF(0.15F);
  painter.setBrush(color);
  painter.drawRect(rect.intersected(plotArea()));
}

}  // namespace hloscope::ui
