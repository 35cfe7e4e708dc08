#pragma once

#include <QChartView>
#include <QImage>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "ui/theme/theme.h"

class QLogValueAxis;
class QScatterSeries;

namespace hloscope::ui {

/// Points of a ScatterChart, made ready for many: on a worker, if there are a million.
struct ScatterCloud {
  std::vector<QPointF> values;
  std::vector<QPointF> logs;  ///< log10 of them.
  double low = HUGE_VAL;      ///< Of all coordinates.
  double high = 0;

  ScatterCloud() = default;
  explicit ScatterCloud(std::vector<QPointF> points);
};

/// Log-log scatter of positive values against each other, with y = x, a band around it and a
/// vertical line. Up to 1,000 points are a QScatterSeries; above that they are painted into a
/// picture of the plot area, above 50,000 as density. Axes are Qt Charts' in all cases.
/// A second series can stand behind them as outlines.
///
/// Click selects, double click activates, drag selects a range of x, Ctrl+drag zooms, the wheel
/// zooms at the pointer, Space fits, Left and Right walk the points by x.
class ScatterChart : public QChartView {
  Q_OBJECT
 public:
  static constexpr size_t kMostSeriesPoints = 1000;
  static constexpr size_t kFirstDensityPoints = 50'000;

  explicit ScatterChart(QWidget* parent = nullptr);

  void setAxisTitles(const QString& x, const QString& y);
  /// The band y = x (1 ± fraction), and a dotted line at x with a text.
  void setReference(double band, double line_x, const QString& line_text);
  /// Keeps the zoom when `keep_view`.
  void setPoints(ScatterCloud points, Series series, bool keep_view);
  [[nodiscard]] const std::vector<QPointF>& points() const { return points_.values; }
  /// Points of another series as outlines behind the others: they are seen but can't be hit. To be
  /// called before setPoints(), which fits both into the view.
  void setBaseline(ScatterCloud points, Series series);
  [[nodiscard]] const std::vector<QPointF>& baseline() const { return baseline_.values; }
  /// A point marked by a ring; -1: none.
  void setSelectedPoint(int point);
  [[nodiscard]] int selectedPoint() const { return selected_; }
  /// Shades a range of x; low >= high: none.
  void setMarkedRange(double low, double high);
  void setToolTips(std::function<QString(int point)> text) { tool_tip_ = std::move(text); }
  /// Shown in the middle instead of points.
  void setEmptyText(const QString& text);
  [[nodiscard]] const QString& emptyText() const { return empty_text_; }

  void fit();
  /// Selects the next point along x (step 1) or the one before it (-1).
  void walk(int step);
  void zoomBy(double factor);
  /// Nearest point within reach of a position of the viewport; -1: none.
  [[nodiscard]] int pointAt(const QPoint& position) const;
  /// In viewport coordinates.
  [[nodiscard]] QPointF positionOf(int point) const;

 signals:
  void pointClicked(int point);  ///< -1: beside all points.
  void pointActivated(int point);
  void rangeSelected(double low, double high);  ///< Of x.

 protected:
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  bool viewportEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum class Drag { kNone, kPending, kRange, kZoom };

  void applyTheme();
  void updateSeries();
  void setRange(double low_x, double high_x, double low_y, double high_y);
  void zoomAt(const QPointF& position, double factor);
  void finishDrag(const QPoint& end);
  void paintReference(QPainter& painter) const;
  /// Labels where the range holds no two powers of ten.
  void paintFewTicks(QPainter& painter) const;
  void paintLabels(QPainter& painter) const;
  void paintBaseline(QPainter& painter);
  void paintCloud(QPainter& painter);
  void paintSelection(QPainter& painter) const;
  void paintDrag(QPainter& painter) const;
  enum class Ink { kFilled, kOutline };
  [[nodiscard]] QImage cloudImage(const ScatterCloud& cloud, Series series, Ink ink) const;
  [[nodiscard]] QImage densityImage(const ScatterCloud& cloud, Series series) const;
  /// From log10 of a value to pixels, for loops over many.
  struct LogScale {
    QPointF origin;
    QPointF factor;
    [[nodiscard]] QPointF at(const QPointF& log) const {
      return {origin.x() + factor.x() * log.x(), origin.y() + factor.y() * log.y()};
    }
  };
  [[nodiscard]] LogScale logScale() const;
  /// The point after or before the selected one in order of x; -1: none.
  [[nodiscard]] int neighbour(int step) const;
  [[nodiscard]] QRectF plotArea() const;
  [[nodiscard]] QPointF toPixel(double x, double y) const;
  [[nodiscard]] QPointF toValue(const QPointF& pixel) const;
  [[nodiscard]] bool isPainted() const { return points_.values.size() > kMostSeriesPoints; }

  QLogValueAxis* x_axis_;
  QLogValueAxis* y_axis_;
  QScatterSeries* series_points_;
  ScatterCloud points_;
  Series series_ = Series::kAnalytical;
  std::function<QString(int)> tool_tip_;
  QString empty_text_;
  double band_ = 0;
  double line_x_ = 0;
  QString line_text_;
  int selected_ = -1;
  double marked_low_ = 0;
  double marked_high_ = 0;
  Drag drag_ = Drag::kNone;
  QPoint drag_start_;
  QPoint drag_end_;
  ScatterCloud baseline_;
  Series baseline_series_ = Series::kAnalytical;
  QImage cloud_;
  QRectF cloud_area_;  ///< Empty: the cloud must be painted again.
  QImage baseline_cloud_;
  QRectF baseline_area_;  ///< As cloud_area_.
};

}  // namespace hloscope::ui
