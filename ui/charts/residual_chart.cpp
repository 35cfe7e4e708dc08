#include "ui/charts/residual_chart.h"

#include <algorithm>
#include <cmath>

#include "ui/theme/fonts.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {
namespace {

constexpr double kResidualPadding = 6;
constexpr double kResidualHeadroom = 1.08;  ///< Of the axis over the highest bar.

QString count(size_t n) {
  return formatCount(static_cast<int64_t>(n));
}

}  // namespace

ResidualChart::ResidualChart(QWidget* parent) : PlotWidget(parent) {
  setMinimumSize(200, 96);
  setAccessibleName(tr("Histogram of residuals"));
}

void ResidualChart::setHistogram(const analysis::ResidualHistogram& histogram, const QString& title,
                                 Series series, double band) {
  histogram_ = histogram;
  series_ = series;
  band_ = band;
  const auto most =
      static_cast<double>(*std::max_element(histogram.counts.begin(), histogram.counts.end()));
  area_.x = {title, std::exp2(-histogram.limit), std::exp2(histogram.limit), true};
  area_.y = {tr("points"), 0, std::max(1.0, most) * kResidualHeadroom, false};
  changed();
}

double ResidualChart::lowerEdge(size_t bin) const {
  return std::exp2(-histogram_.limit + static_cast<double>(bin) * histogram_.bin_width());
}

void ResidualChart::paintPlot(QPainter& painter) {
  area_.rect = insideAxes(QRectF(rect()).adjusted(kResidualPadding, kResidualPadding,
                                                  -kResidualPadding, -kResidualPadding),
                          area_.y);
  const double left = area_.at(std::max(area_.x.low, 1 - band_), 0).x();
  const double right = area_.at(std::min(area_.x.high, 1 + band_), 0).x();
  painter.fillRect(QRectF(left, area_.rect.top(), right - left, area_.rect.height()),
                   theme().role(Role::kAccentSoft));
  paintAxes(painter, area_);
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (size_t bin = 0; bin < histogram_.counts.size(); ++bin) {
    if (histogram_.counts[bin] == 0) continue;
    const QPointF top = area_.at(lowerEdge(bin), static_cast<double>(histogram_.counts[bin]));
    const double end = area_.at(lowerEdge(bin + 1), 0).x();
    painter.fillRect(QRectF(top, QPointF(std::max(end - 1, top.x() + 1), area_.rect.bottom())),
                     theme().series(series_));
  }
  const double equal = area_.at(1, 0).x();
  painter.setPen(QPen(theme().role(Role::kText), 1));
  painter.drawLine(QPointF(equal, area_.rect.top()), QPointF(equal, area_.rect.bottom()));
  painter.setRenderHint(QPainter::Antialiasing);
  paintEnds(painter);
}

void ResidualChart::paintEnds(QPainter& painter) const {
  painter.setFont(smallFont());
  painter.setPen(theme().role(Role::kTextMuted));
  const QRectF inside = area_.rect.adjusted(4, 2, -4, -2);
  if (histogram_.below > 0) {
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignTop,
                     tr("← %1 below").arg(count(histogram_.below)));
  }
  if (histogram_.above > 0) {
    painter.drawText(inside, Qt::AlignRight | Qt::AlignTop,
                     tr("%1 above →").arg(count(histogram_.above)));
  }
}

QString ResidualChart::toolTipAt(const QPointF& position) const {
  if (!area_.rect.contains(position)) return {};
  const double log2 = std::log2(area_.valueAt(position).x());
  const auto bin =
      static_cast<size_t>(std::max(0.0, (log2 + histogram_.limit) / histogram_.bin_width()));
  if (bin >= histogram_.counts.size()) return {};
  return tr("%1: %2 to %3\n%4 of %5 points")
      .arg(area_.x.title, formatNumber(lowerEdge(bin), 3), formatNumber(lowerEdge(bin + 1), 3),
           count(histogram_.counts[bin]), count(histogram_.n));
}

QString ResidualChart::csv() const {
  QString out = QStringLiteral("ratio_from,ratio_to,points\n");
  const auto line = [&out](const QString& from, const QString& to, size_t points) {
    out += QStringLiteral("%1,%2,%3\n").arg(from, to).arg(points);
  };
  line(QStringLiteral("0"), QString::number(lowerEdge(0)), histogram_.below);
  for (size_t bin = 0; bin < histogram_.counts.size(); ++bin) {
    line(QString::number(lowerEdge(bin)), QString::number(lowerEdge(bin + 1)),
         histogram_.counts[bin]);
  }
  line(QString::number(lowerEdge(histogram_.counts.size())), QStringLiteral("inf"),
       histogram_.above);
  return out;
}

}  // namespace hloscope::ui
