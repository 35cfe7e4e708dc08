#pragma once

#include <QImage>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/charts/plot_widget.h"

namespace hloscope::ui {

/// The best time of every pair of sizes in two dimensions of a tile: heat colour, time and number
/// of trials in each cell.
class TileHeatMap : public PlotWidget {
  Q_OBJECT
 public:
  struct Cell {
    double best_ns = 0;
    uint32_t best_trial = 0;
    uint32_t trials = 0;  ///< With a time.
    bool is_estimate = false;
  };

  explicit TileHeatMap(QWidget* parent = nullptr);

  /// Sizes and times by trial; NaN times are left out.
  void setTrials(const QString& x_title, const std::vector<float>& x, const QString& y_title,
                 const std::vector<float>& y, const std::vector<double>& time_ns,
                 const std::vector<uint8_t>& is_estimate);
  [[nodiscard]] const std::vector<float>& columns() const { return x_values_; }
  [[nodiscard]] const std::vector<float>& rows() const { return y_values_; }
  /// Null: no trial has these sizes.
  [[nodiscard]] const Cell* cell(size_t column, size_t row) const;
  [[nodiscard]] QString csv() const override;

 signals:
  void trialClicked(int trial);
  void trialActivated(int trial);

 protected:
  void paintPlot(QPainter& painter) override;
  [[nodiscard]] QString toolTipAt(const QPointF& position) const override;
  void clickAt(const QPointF& position) override;
  void activateAt(const QPointF& position) override;
  void activateCurrent() override;
  void walk(int step) override;
  [[nodiscard]] bool canZoom() const override { return false; }

 private:
  /// `index`: row by row. Most sizes of many are in no trial together: those have no cell.
  struct Placed {
    size_t index = 0;
    Cell cell;
  };

  void mergeCells();  ///< One of each index, with the best time.
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] const Cell* find(size_t index) const;
  [[nodiscard]] QRectF cellRect(size_t index) const;
  [[nodiscard]] std::optional<size_t> cellAt(const QPointF& position) const;
  void paintGrid(QPainter& painter) const;
  void paintCell(QPainter& painter, const Placed& placed) const;
  void paintLabels(QPainter& painter) const;
  void paintScale(QPainter& painter) const;
  [[nodiscard]] double heatOf(double time_ns) const;

  QString x_title_;
  QString y_title_;
  std::vector<float> x_values_;
  std::vector<float> y_values_;
  std::vector<Placed> cells_;  ///< By ascending index.
  double low_ns_ = 0;
  double high_ns_ = 0;
  std::optional<size_t> focus_;
};

}  // namespace hloscope::ui
