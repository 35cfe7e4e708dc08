#pragma once

#include "core/analysis/compare_pairs.h"
#include "ui/charts/plot_widget.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

/// How many estimates are how many times too long: bars over a logarithmic axis of the ratio, with
/// its middle at 1. What lies beyond the axis is counted at its ends.
class ResidualChart : public PlotWidget {
  Q_OBJECT
 public:
  explicit ResidualChart(QWidget* parent = nullptr);

  /// `title`: of the axis, e.g. "simulated / measured". `band`: the shaded part around 1.
  void setHistogram(const analysis::ResidualHistogram& histogram, const QString& title,
                    Series series, double band);
  [[nodiscard]] const analysis::ResidualHistogram& histogram() const { return histogram_; }
  /// Of a bar, by its place on the chart.
  [[nodiscard]] QString toolTipAt(const QPointF& position) const override;
  [[nodiscard]] QString csv() const override;
  [[nodiscard]] QSize sizeHint() const override { return {400, 150}; }

 protected:
  void paintPlot(QPainter& painter) override;
  [[nodiscard]] bool canZoom() const override { return false; }

 private:
  [[nodiscard]] double lowerEdge(size_t bin) const;  ///< A ratio.
  void paintEnds(QPainter& painter) const;

  analysis::ResidualHistogram histogram_;
  Series series_ = Series::kSimulator;
  double band_ = 0;
  PlotArea area_;
};

}  // namespace hloscope::ui
