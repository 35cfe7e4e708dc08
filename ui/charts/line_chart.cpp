#include "ui/charts/line_chart.h"

#include <algorithm>
#include <cmath>

#include "ui/charts/curve_style.h"
#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kLinePadding = 8;
constexpr double kLegendHeight = 20;
constexpr double kLineMargin = 0.06;
constexpr double kLineReach = 9;  ///< Pixels.
constexpr size_t kMostMarkers = 40;

}  // namespace

LineChart::LineChart(const QString& name, QWidget* parent) : PlotWidget(parent) {
  setAccessibleName(name);
}

void LineChart::setAxes(const QString& x, const QString& y, bool log_y, int digits) {
  x_title_ = x;
  y_title_ = y;
  log_y_ = log_y;
  digits_ = digits;
}

void LineChart::setLines(std::vector<Line> lines, std::optional<Mark> mark, double end_x) {
  lines_ = std::move(lines);
  mark_ = std::move(mark);
  fitAxes(end_x);
  changed();
}

void LineChart::fitAxes(double end_x) {
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const Line& line : lines_) {
    for (const QPointF& point : line.points) {
      end_x = std::max(end_x, point.x());
      if (!std::isfinite(point.y())) continue;
      low = std::min(low, point.y());
      high = std::max(high, point.y());
    }
  }
  x_axis_ = fittedAxis(x_title_, 0, end_x > 0 ? end_x : 1, false, 0);
  y_axis_ = fittedAxis(y_title_, low, high, log_y_ && low > 0, kLineMargin);
}

void LineChart::paintPlot(QPainter& painter) {
  area_.x = zoomedX(x_axis_);
  area_.y = zoomedY(y_axis_);
  area_.rect = insideAxes(QRectF(rect()).adjusted(kLinePadding, kLinePadding + kLegendHeight,
                                                  -kLinePadding, -kLinePadding),
                          area_.y);
  paintLegend(painter);
  paintAxes(painter, area_);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(area_.rect.adjusted(-4, -4, 4, 4));
  for (size_t i = lines_.size(); i-- > 0;) {
    QPolygonF polyline;
    for (const QPointF& point : lines_[i].points) {
      if (std::isfinite(point.y())) polyline << area_.at(point.x(), point.y());
    }
    painter.setPen(curvePen(lines_[i].style, 1.6));
    painter.drawPolyline(polyline);
    if (static_cast<size_t>(polyline.size()) > kMostMarkers) continue;
    for (const QPointF& at : polyline) paintCurveMarker(painter, lines_[i].style, at, 6);
  }
  painter.restore();
  paintMark(painter);
}

void LineChart::paintLegend(QPainter& painter) const {
  constexpr double kGap = 18;
  painter.save();
  painter.setFont(smallFont());
  double x = kLinePadding;
  for (const Line& line : lines_) {
    x += paintCurveEntry(painter, line.style, QPointF(x, kLinePadding + kLegendHeight / 2),
                         line.name);
    x += kGap;
  }
  painter.restore();
}

void LineChart::paintMark(QPainter& painter) const {
  if (!mark_) return;
  const QPointF at = area_.at(mark_->at.x(), mark_->at.y());
  if (!area_.rect.adjusted(-1, -1, 1, 1).contains(at)) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().role(Role::kGood), 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(at, 6, 6);
  painter.setFont(smallFont());
  // In the corner where the point is not, so that it hides no curve.
  const bool is_high = at.y() < area_.rect.center().y();
  const QRectF box = area_.rect.adjusted(4, 2, -4, -2);
  painter.drawText(box, Qt::AlignRight | (is_high ? Qt::AlignBottom : Qt::AlignTop),
                   QStringLiteral("○ ") + mark_->text);
  painter.restore();
}

QString LineChart::toolTipAt(const QPointF& position) const {
  const Line* nearest = nullptr;
  QPointF found;
  double least = kLineReach * kLineReach;
  for (const Line& line : lines_) {
    for (const QPointF& point : line.points) {
      const QPointF d = area_.at(point.x(), point.y()) - position;
      const double distance = d.x() * d.x() + d.y() * d.y();
      if (!(distance < least)) continue;
      least = distance;
      nearest = &line;
      found = point;
    }
  }
  if (nearest == nullptr) return {};
  return QStringLiteral("%1\n%2 %3\n%4 %5")
      .arg(nearest->name, x_title_, formatNumber(found.x(), 0), y_title_,
           formatNumber(found.y(), digits_));
}

QString LineChart::csv() const {
  QString text = QStringLiteral("line,%1,%2\n")
                     .arg(QString(x_title_).replace(',', ' '), QString(y_title_).replace(',', ' '));
  for (const Line& line : lines_) {
    for (const QPointF& point : line.points) {
      text += QStringLiteral("\"%1\",%2,%3\n")
                  .arg(QString(line.name).replace('"', '\''))
                  .arg(point.x())
                  .arg(point.y(), 0, 'g', 10);
    }
  }
  return text;
}

}  // namespace hloscope::ui
