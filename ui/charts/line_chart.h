#pragma once

#include <optional>
#include <vector>

#include "ui/charts/plot_widget.h"

namespace hloscope::ui {

/// Some curves over one x axis, told apart by dash and marker, with one point ringed.
class LineChart : public PlotWidget {
  Q_OBJECT
 public:
  struct Line {
    QString name;
    int style = 0;  ///< See curve_style.h.
    std::vector<QPointF> points;
  };
  struct Mark {
    QPointF at;
    QString text;
  };

  explicit LineChart(const QString& name, QWidget* parent = nullptr);

  /// `log_y`: where all values are positive. `digits` after the point in tool tips.
  void setAxes(const QString& x, const QString& y, bool log_y, int digits);
  /// Keeps the zoom. `end_x`: how far the x axis goes at least.
  void setLines(std::vector<Line> lines, std::optional<Mark> mark, double end_x);
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  [[nodiscard]] const std::optional<Mark>& mark() const { return mark_; }
  [[nodiscard]] QString csv() const override;

 protected:
  void paintPlot(QPainter& painter) override;
  [[nodiscard]] QString toolTipAt(const QPointF& position) const override;
  [[nodiscard]] QRectF zoomRect() const override { return area_.rect; }

 private:
  void fitAxes(double end_x);
  void paintLegend(QPainter& painter) const;
  void paintMark(QPainter& painter) const;

  QString x_title_;
  QString y_title_;
  bool log_y_ = false;
  int digits_ = 3;
  std::vector<Line> lines_;
  std::optional<Mark> mark_;
  PlotAxis x_axis_;
  PlotAxis y_axis_;
  PlotArea area_;
};

}  // namespace hloscope::ui
