#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>
#include <vector>

namespace hloscope::ui {

/// One axis of a chart that paints itself: a range of values on 0..1.
struct PlotAxis {
  QString title;
  double low = 0;
  double high = 1;
  bool is_log = false;

  [[nodiscard]] double part(double value) const;
  [[nodiscard]] double value(double part) const;
  /// About `most` round values within the range: 1, 2, 5 times powers of ten.
  [[nodiscard]] std::vector<double> ticks(int most) const;
  /// With as many decimals as tell ticks(most) apart.
  [[nodiscard]] QString label(double tick, int most) const;
};

/// An axis over all of low..high and a little beyond. Equal or wrong ends give a range around them.
[[nodiscard]] PlotAxis fittedAxis(const QString& title, double low, double high, bool is_log,
                                  double margin);

/// Two axes and where they lie.
struct PlotArea {
  QRectF rect;
  PlotAxis x;
  PlotAxis y;
  [[nodiscard]] QPointF at(double x_value, double y_value) const {
    return {rect.left() + rect.width() * x.part(x_value),
            rect.bottom() - rect.height() * y.part(y_value)};
  }
  [[nodiscard]] QPointF valueAt(const QPointF& position) const {
    return {x.value((position.x() - rect.left()) / rect.width()),
            y.value((rect.bottom() - position.y()) / rect.height())};
  }
};

/// The part of `bounds` inside of labels and titles.
[[nodiscard]] QRectF insideAxes(const QRectF& bounds, const PlotAxis& y, bool has_x_labels = true);
/// Grid, labels and titles, around area.rect.
void paintAxes(QPainter& painter, const PlotArea& area, bool has_x_labels = true);

}  // namespace hloscope::ui
