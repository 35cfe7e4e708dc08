#pragma once

#include <memory>
#include <vector>

#include "core/sim/tile_pipeline.h"
#include "ui/charts/plot_widget.h"

namespace hloscope::ui {

/// How a kernel runs with one tile: a lane for each operand that is read, one for the core, one for
/// each result; bars where something moves or is computed, dashed boxes where a block is kept.
class TilePipelineChart : public PlotWidget {
  Q_OBJECT
 public:
  struct Lane {
    QString name;
    std::vector<uint32_t> streams;  ///< Positions in KernelModel::streams; none: the core.
    bool is_output = false;
  };

  explicit TilePipelineChart(QWidget* parent = nullptr);

  /// Null: nothing. `measured_ns`: 0 where the tile was not measured.
  void setPipeline(std::shared_ptr<const sim::TilePipeline> pipeline, const sim::KernelModel& model,
                   double measured_ns);
  [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }
  [[nodiscard]] QString csv() const override;

 protected:
  void paintPlot(QPainter& painter) override;
  [[nodiscard]] QString toolTipAt(const QPointF& place) const override;
  [[nodiscard]] QRectF zoomRect() const override { return area_.rect; }

 private:
  /// False: it lies beyond what is here.
  [[nodiscard]] bool showsMeasured() const;
  void makeLanes(const sim::KernelModel& model);
  void layOut();
  [[nodiscard]] QRectF laneRect(size_t lane) const;
  [[nodiscard]] double x(double time_ns) const;
  void paintLaneNames(QPainter& painter) const;
  void paintTransfers(QPainter& painter) const;
  void paintCompute(QPainter& painter) const;
  void paintKept(QPainter& painter, const QRectF& lane, double left, double room) const;
  void paintBar(QPainter& painter, const QRectF& bar, const QColor& color, const QString& text,
                double room) const;
  void paintTotals(QPainter& painter) const;

  std::shared_ptr<const sim::TilePipeline> pipeline_;
  std::vector<Lane> lanes_;
  std::vector<size_t> lane_of_;  ///< By stream.
  size_t compute_lane_ = 0;
  double measured_ns_ = 0;
  double names_width_ = 0;
  PlotArea area_;
};

}  // namespace hloscope::ui
