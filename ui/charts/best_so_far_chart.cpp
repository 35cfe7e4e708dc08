#include "ui/charts/best_so_far_chart.h"

#include <algorithm>
#include <cmath>

#include "ui/charts/curve_style.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"

namespace hloscope::ui {
namespace {

constexpr double kLegendRow = 20;
constexpr double kBestPadding = 8;
constexpr double kBestMargin = 0.06;
constexpr double kBestReach = 9;  ///< Pixels.

QString timeText(const BestSoFarChart::Curve& curve, double time_us) {
  const QString text = formatTime(time_us * 1e3);
  return curve.is_estimate ? QStringLiteral("≈ ") + text : text;
}

}  // namespace

BestSoFarChart::BestSoFarChart(QWidget* parent) : PlotWidget(parent) {
  setAccessibleName(tr("Best so far"));
}

void BestSoFarChart::setAxisTitles(const QString& x, const QString& y) {
  x_title_ = x;
  y_title_ = y;
}

void BestSoFarChart::setCurves(std::vector<Curve> curves, std::vector<Line> lines) {
  curves_ = std::move(curves);
  lines_ = std::move(lines);
  fitAxes();
  changed();
}

void BestSoFarChart::fitAxes() {
  double end = 0;
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  const auto include = [&](double time_us) {
    low = std::min(low, time_us);
    high = std::max(high, time_us);
  };
  for (const Curve& curve : curves_) {
    end = std::max(end, curve.end_x);
    for (const QPointF& point : curve.better) include(point.y());
  }
  for (const Line& line : lines_) include(line.time_us);
  x_axis_ = fittedAxis(x_title_, 0, end > 0 ? end : 1, false, 0);
  y_axis_ = fittedAxis(y_title_, low, high, low > 0 && high / low > 20, kBestMargin);
}

void BestSoFarChart::layOut(double legend_height) {
  area_.x = zoomedX(x_axis_);
  area_.y = zoomedY(y_axis_);
  area_.rect = insideAxes(QRectF(rect()).adjusted(kBestPadding, kBestPadding + legend_height,
                                                  -kBestPadding, -kBestPadding),
                          area_.y);
}

void BestSoFarChart::paintPlot(QPainter& painter) {
  layOut(paintLegend(painter, false));
  paintLegend(painter, true);
  paintAxes(painter, area_);
  painter.save();
  painter.setClipRect(area_.rect.adjusted(-4, -4, 4, 4));
  for (size_t i = curves_.size(); i-- > 0;) paintCurve(painter, curves_[i]);
  painter.restore();
  paintLines(painter);
  paintFound(painter);
}

double BestSoFarChart::paintLegend(QPainter& painter, bool draw) const {
  constexpr double kGap = 18;
  painter.setFont(smallFont());
  double x = kBestPadding;
  double y = kBestPadding + kLegendRow / 2;
  for (const Curve& curve : curves_) {
    const QString name =
        painter.fontMetrics().elidedText(curve.name, Qt::ElideMiddle, std::max(120, width() - 60));
    const double entry = 31 + painter.fontMetrics().horizontalAdvance(name);
    if (x > kBestPadding && x + entry > width() - kBestPadding) {
      x = kBestPadding;
      y += kLegendRow;
    }
    if (draw) paintCurveEntry(painter, curve.style, QPointF(x, y), name);
    x += entry + kGap;
  }
  return curves_.empty() ? 0 : y - kBestPadding + kLegendRow / 2;
}

void BestSoFarChart::paintCurve(QPainter& painter, const Curve& curve) const {
  if (curve.better.empty()) return;
  QPolygonF steps;
  double before = curve.better.front().y();
  for (const QPointF& point : curve.better) {
    steps << area_.at(point.x(), before) << area_.at(point.x(), point.y());
    before = point.y();
  }
  steps << area_.at(std::max(curve.end_x, curve.better.back().x()), before);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(curvePen(curve.style, 2));
  painter.drawPolyline(steps);
  if (curve.tried.size() <= kMostTried) {
    for (const QPointF& point : curve.tried) {
      const QPointF at = area_.at(point.x(), point.y());
      if (area_.rect.adjusted(-1, -1, 1, 1).contains(at)) {
        paintCurveMarker(painter, curve.style, at, curve.tried.size() > 60 ? 4 : 7);
      }
    }
  }
  if (curve.better.size() > 60) return;
  for (const QPointF& point : curve.better) {
    paintCurveMarker(painter, curve.style, area_.at(point.x(), point.y()), 8);
  }
}

void BestSoFarChart::paintLines(QPainter& painter) const {
  painter.save();
  painter.setFont(smallFont());
  double last_y = -HUGE_VAL;
  for (const Line& line : lines_) {
    const double y = area_.at(area_.x.low, line.time_us).y();
    if (y < area_.rect.top() - 1 || y > area_.rect.bottom() + 1) continue;
    painter.setPen(QPen(theme().role(line.role), 1.2, Qt::DotLine));
    painter.drawLine(QPointF(area_.rect.left(), y), QPointF(area_.rect.right(), y));
    painter.setPen(theme().role(line.role));
    const bool above = y - area_.rect.top() > 16 && std::abs(y - 16 - last_y) > 14;
    const double text_y = above ? y - 16 : y + 1;
    last_y = text_y;
    painter.drawText(QRectF(area_.rect.left(), text_y, area_.rect.width() - 4, 15),
                     Qt::AlignRight | Qt::AlignVCenter, line.text);
  }
  painter.restore();
}

void BestSoFarChart::paintFound(QPainter& painter) const {
  if (curves_.empty() || curves_.front().better.empty()) return;
  const Curve& curve = curves_.front();
  const QPointF best = curve.better.back();
  const QPointF at = area_.at(best.x(), best.y());
  if (!area_.rect.adjusted(-1, -1, 1, 1).contains(at)) return;
  painter.save();
  painter.setFont(boldFont());
  painter.setPen(curveColor(curve.style));
  const QString text = timeText(curve, best.y());
  const double width = painter.fontMetrics().horizontalAdvance(text);
  const double x = std::clamp(at.x() + 8, area_.rect.left(), area_.rect.right() - width - 4);
  const bool below = at.y() + 22 < area_.rect.bottom();
  painter.drawText(QPointF(x, below ? at.y() + 17 : at.y() - 8), text);
  painter.restore();
}

QString BestSoFarChart::toolTipAt(const QPointF& position) const {
  const Curve* nearest = nullptr;
  QPointF found;
  double least = kBestReach * kBestReach;
  for (const Curve& curve : curves_) {
    for (const std::vector<QPointF>* points : {&curve.better, &curve.tried}) {
      for (const QPointF& point : *points) {
        const QPointF d = area_.at(point.x(), point.y()) - position;
        const double distance = d.x() * d.x() + d.y() * d.y();
        if (distance >= least) continue;
        least = distance;
        nearest = &curve;
        found = point;
      }
    }
  }
  if (nearest == nullptr) return {};
  return QStringLiteral("%1\n%2: %3\n%4")
      .arg(nearest->name, x_title_, formatNumber(found.x(), found.x() < 100 ? 1 : 0),
           timeText(*nearest, found.y()));
}

QString BestSoFarChart::csv() const {
  QString text = QStringLiteral("session,%1,best_us\n").arg(QString(x_title_).replace(',', ' '));
  for (const Curve& curve : curves_) {
    for (const QPointF& point : curve.better) {
      text += QStringLiteral("\"%1\",%2,%3\n")
                  .arg(QString(curve.name).replace('"', '\''))
                  .arg(point.x())
                  .arg(point.y(), 0, 'g', 10);
    }
  }
  return text;
}

}  // namespace hloscope::ui
