#pragma once

#include <optional>
#include <vector>

#include "ui/charts/plot_widget.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

/// The best time that sessions had found, over what they had spent.
class BestSoFarChart : public PlotWidget {
  Q_OBJECT
 public:
  struct Curve {
    QString name;
    int style = 0;                ///< See curve_style.h.
    std::vector<QPointF> better;  ///< x and µs of every new best one.
    std::vector<QPointF> tried;   ///< Everything measured; drawn up to kMostTried.
    double end_x = 0;             ///< The last best time holds until here.
    bool is_estimate = false;     ///< Nothing was measured: marked with ≈.
  };
  struct Line {
    double time_us = 0;
    QString text;
    Role role = Role::kTextMuted;
  };
  static constexpr size_t kMostTried = 1000;

  explicit BestSoFarChart(QWidget* parent = nullptr);

  void setAxisTitles(const QString& x, const QString& y);
  /// The first one is that of the selected session. Keeps the zoom.
  void setCurves(std::vector<Curve> curves, std::vector<Line> lines);
  [[nodiscard]] const std::vector<Curve>& curves() const { return curves_; }
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  [[nodiscard]] QString csv() const override;

 protected:
  void paintPlot(QPainter& painter) override;
  [[nodiscard]] QString toolTipAt(const QPointF& position) const override;
  [[nodiscard]] QRectF zoomRect() const override { return area_.rect; }

 private:
  void fitAxes();
  void layOut(double legend_height);
  double paintLegend(QPainter& painter, bool draw) const;
  void paintLines(QPainter& painter) const;
  void paintCurve(QPainter& painter, const Curve& curve) const;
  void paintFound(QPainter& painter) const;

  QString x_title_;
  QString y_title_;
  std::vector<Curve> curves_;
  std::vector<Line> lines_;
  PlotAxis x_axis_;
  PlotAxis y_axis_;
  PlotArea area_;
};

}  // namespace hloscope::ui
