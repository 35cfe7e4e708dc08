#include "ui/charts/scatter_chart.h"

#include <QLogValueAxis>
#include <QScatterSeries>
#include <algorithm>
#include <cmath>

#include "ui/theme/fonts.h"

namespace hloscope::ui {
namespace {

constexpr double kMarkerSize = 8;
constexpr double kFitMargin = 1.35;   ///< Factor beyond the outermost points.
constexpr double kScatterReach = 10;  ///< Pixels from a point at which it is hit.
constexpr double kSmallestSpan = 1.05;

QScatterSeries::MarkerShape shapeOf(Marker marker) {
  switch (marker) {
    case Marker::kCircle:
      return QScatterSeries::MarkerShapeCircle;
    case Marker::kRectangle:
      return QScatterSeries::MarkerShapeRectangle;
    case Marker::kRotatedRectangle:
      return QScatterSeries::MarkerShapeRotatedRectangle;
    case Marker::kTriangle:
      return QScatterSeries::MarkerShapeTriangle;
    case Marker::kPentagon:
      return QScatterSeries::MarkerShapePentagon;
    case Marker::kStar:
      return QScatterSeries::MarkerShapeStar;
  }
  return QScatterSeries::MarkerShapeCircle;
}

QLogValueAxis* makeAxis(QChart& chart, Qt::Alignment side) {
  auto* axis = new QLogValueAxis(&chart);
  axis->setBase(10);
  axis->setMinorTickCount(-1);
  axis->setLabelFormat(QStringLiteral("%g"));
  axis->setRange(0.1, 1000);
  chart.addAxis(axis, side);
  return axis;
}

}  // namespace

ScatterCloud::ScatterCloud(std::vector<QPointF> points) : values(std::move(points)) {
  logs.reserve(values.size());
  for (const QPointF& p : values) {
    logs.emplace_back(std::log10(p.x()), std::log10(p.y()));
    low = std::min({low, p.x(), p.y()});
    high = std::max({high, p.x(), p.y()});
  }
}

ScatterChart::ScatterChart(QWidget* parent) : QChartView(parent) {
  auto* chart = new QChart;
  setChart(chart);
  chart->setAnimationOptions(QChart::NoAnimation);
  chart->setMargins({4, 8, 12, 4});
  chart->setBackgroundVisible(false);
  chart->setPlotAreaBackgroundVisible(false);
  chart->legend()->hide();
  x_axis_ = makeAxis(*chart, Qt::AlignBottom);
  y_axis_ = makeAxis(*chart, Qt::AlignLeft);
  series_points_ = new QScatterSeries(chart);
  chart->addSeries(series_points_);
  series_points_->attachAxis(x_axis_);
  series_points_->attachAxis(y_axis_);
  setFrameShape(QFrame::NoFrame);
  setRenderHint(QPainter::Antialiasing);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
  setAccessibleName(tr("Estimated against measured"));
  applyTheme();
}

void ScatterChart::applyTheme() {
  const QPen grid(theme().role(Role::kGrid));
  for (QLogValueAxis* axis : {x_axis_, y_axis_}) {
    axis->setLabelsColor(theme().role(Role::kTextMuted));
    axis->setLabelsFont(smallFont());
    axis->setTitleFont(smallFont());
    axis->setTitleBrush(theme().role(Role::kTextMuted));
    axis->setLinePen(QPen(theme().role(Role::kBorder)));
    axis->setGridLinePen(grid);
    axis->setMinorGridLinePen(
        QPen(mixed(theme().role(Role::kBase), theme().role(Role::kGrid), 0.5)));
  }
  setBackgroundBrush(theme().role(Role::kBase));
  series_points_->setMarkerShape(shapeOf(theme().marker(series_)));
  series_points_->setMarkerSize(kMarkerSize);
  QColor fill = theme().series(series_);
  series_points_->setBorderColor(fill);
  fill.setAlphaF(0.75F);
  series_points_->setColor(fill);
  cloud_area_ = baseline_area_ = {};
  viewport()->update();
}

void ScatterChart::changeEvent(QEvent* event) {
  QChartView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) applyTheme();
}

void ScatterChart::setAxisTitles(const QString& x, const QString& y) {
  x_axis_->setTitleText(x);
  y_axis_->setTitleText(y);
}

void ScatterChart::setReference(double band, double line_x, const QString& line_text) {
  band_ = band;
  line_x_ = line_x;
  line_text_ = line_text;
}

void ScatterChart::setPoints(ScatterCloud points, Series series, bool keep_view) {
  points_ = std::move(points);
  series_ = series;
  selected_ = -1;
  empty_text_.clear();
  updateSeries();
  applyTheme();
  if (keep_view) return;
  setMarkedRange(0, 0);
  fit();
}

void ScatterChart::setBaseline(ScatterCloud points, Series series) {
  baseline_ = std::move(points);
  baseline_series_ = series;
  baseline_area_ = {};
  viewport()->update();
}

void ScatterChart::updateSeries() {
  if (isPainted()) {
    series_points_->clear();
  } else {
    series_points_->replace(QList<QPointF>(points_.values.begin(), points_.values.end()));
  }
}

void ScatterChart::setSelectedPoint(int point) {
  selected_ = point;
  viewport()->update();
}

void ScatterChart::setMarkedRange(double low, double high) {
  marked_low_ = low;
  marked_high_ = high;
  viewport()->update();
}

void ScatterChart::setEmptyText(const QString& text) {
  empty_text_ = text;
  viewport()->update();
}

void ScatterChart::fit() {
  if (points_.values.empty()) return setRange(0.1, 1000, 0.1, 1000);
  const double low = std::min(points_.low, baseline_.low) / kFitMargin;
  const double high = std::max(points_.high, baseline_.high) * kFitMargin;
  setRange(low, high, low, high);
}

void ScatterChart::setRange(double low_x, double high_x, double low_y, double high_y) {
  if (high_x / low_x < kSmallestSpan || high_y / low_y < kSmallestSpan) return;
  x_axis_->setRange(low_x, high_x);
  y_axis_->setRange(low_y, high_y);
  cloud_area_ = baseline_area_ = {};
  viewport()->update();
}

QRectF ScatterChart::plotArea() const {
  return chart()->plotArea();
}

QPointF ScatterChart::toPixel(double x, double y) const {
  const QRectF area = plotArea();
  const auto part = [](double v, const QLogValueAxis* axis) {
    return std::log(v / axis->min()) / std::log(axis->max() / axis->min());
  };
  return {area.left() + area.width() * part(x, x_axis_),
          area.bottom() - area.height() * part(y, y_axis_)};
}

ScatterChart::LogScale ScatterChart::logScale() const {
  const QRectF area = plotArea();
  const double x_min = std::log10(x_axis_->min());
  const double y_min = std::log10(y_axis_->min());
  const QPointF factor(area.width() / (std::log10(x_axis_->max()) - x_min),
                       -area.height() / (std::log10(y_axis_->max()) - y_min));
  return {{area.left() - factor.x() * x_min, area.bottom() - factor.y() * y_min}, factor};
}

QPointF ScatterChart::toValue(const QPointF& pixel) const {
  const QRectF area = plotArea();
  const auto value = [](double part, const QLogValueAxis* axis) {
    return axis->min() * std::pow(axis->max() / axis->min(), part);
  };
  return {value((pixel.x() - area.left()) / area.width(), x_axis_),
          value((area.bottom() - pixel.y()) / area.height(), y_axis_)};
}

QPointF ScatterChart::positionOf(int point) const {
  const QPointF& p = points_.values[static_cast<size_t>(point)];
  return toPixel(p.x(), p.y());
}

int ScatterChart::pointAt(const QPoint& position) const {
  int best = -1;
  double best_distance = kScatterReach * kScatterReach;
  if (!plotArea()
           .adjusted(-kScatterReach, -kScatterReach, kScatterReach, kScatterReach)
           .contains(position))
    return -1;
  const LogScale scale = logScale();
  for (size_t i = 0; i < points_.logs.size(); ++i) {
    const QPointF d = scale.at(points_.logs[i]) - position;
    const double distance = d.x() * d.x() + d.y() * d.y();
    if (distance < best_distance) {
      best_distance = distance;
      best = static_cast<int>(i);
    }
  }
  return best;
}

void ScatterChart::zoomAt(const QPointF& position, double factor) {
  const QPointF centre = toValue(position);
  const auto scaled = [factor](double centre_value, double limit) {
    return centre_value * std::pow(limit / centre_value, 1 / factor);
  };
  setRange(scaled(centre.x(), x_axis_->min()), scaled(centre.x(), x_axis_->max()),
           scaled(centre.y(), y_axis_->min()), scaled(centre.y(), y_axis_->max()));
}

void ScatterChart::zoomBy(double factor) {
  zoomAt(plotArea().center(), factor);
}

}  // namespace hloscope::ui
