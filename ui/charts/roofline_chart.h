#pragma once

#include <QPixmap>
#include <memory>
#include <vector>

#include "core/analysis/roofline.h"
#include "ui/charts/plot_widget.h"

namespace hloscope::ui {

/// Kernels under the roof of a machine, log-log: what they reach against how much they compute per
/// byte. The area of a point is its share of the program's time, its colour and letter the class of
/// the kernel. Outlines: where the pinned baseline has it. Left and Right walk the points by share.
class RooflineChart : public PlotWidget {
  Q_OBJECT
 public:
  explicit RooflineChart(QWidget* parent = nullptr);

  /// Null: empty.
  void setRoofline(std::shared_ptr<const analysis::ModuleReport> report,
                   analysis::Roofline roofline);
  void setSelected(graph::KernelId kernel);
  [[nodiscard]] const analysis::Roofline& roofline() const { return roofline_; }
  /// Where a point stands; null for a kernel without one.
  [[nodiscard]] QPointF positionOf(graph::KernelId kernel) const;
  [[nodiscard]] QString csv() const override;
  [[nodiscard]] QString toolTipText(graph::KernelId kernel) const;

 signals:
  void kernelClicked(hloscope::graph::KernelId kernel);
  void kernelActivated(hloscope::graph::KernelId kernel);

 protected:
  void paintPlot(QPainter& painter) override;
  void invalidatePicture() override { points_picture_ = {}; }
  [[nodiscard]] QString toolTipAt(const QPointF& position) const override;
  void clickAt(const QPointF& position) override;
  void activateAt(const QPointF& position) override;
  void activateCurrent() override;
  void walk(int step) override;
  [[nodiscard]] QRectF zoomRect() const override { return area_.rect; }

 private:
  void fitAxes();
  void layOut();
  [[nodiscard]] double radius(const analysis::RoofPoint& point) const;
  [[nodiscard]] QPointF at(const analysis::RoofPoint& point) const;
  /// Position in roofline_.points; -1: none near.
  [[nodiscard]] int pointAt(const QPointF& position) const;
  [[nodiscard]] const analysis::RoofPoint* selectedPoint() const;
  [[nodiscard]] QString nameOf(graph::KernelId kernel) const;
  void paintRoof(QPainter& painter) const;
  void paintLine(QPainter& painter, double flops_per_s, Qt::PenStyle style, bool with_slope) const;
  void paintRoofTexts(QPainter& painter) const;
  void paintSlopeText(QPainter& painter) const;
  void paintClasses(QPainter& painter) const;
  void paintPoints(QPainter& painter);
  void paintPoint(QPainter& painter, const analysis::RoofPoint& point) const;
  /// Of the baseline: an outline.
  void paintPinned(QPainter& painter, const analysis::RoofPoint& point) const;
  [[nodiscard]] bool looksLike(const analysis::RoofPoint& a, const analysis::RoofPoint& b) const;
  void paintSelection(QPainter& painter) const;

  std::shared_ptr<const analysis::ModuleReport> report_;
  analysis::Roofline roofline_;
  analysis::Roof roof_;
  std::vector<uint32_t> by_share_;  ///< Positions of points, largest share first.
  graph::KernelId selected_;
  PlotAxis x_axis_;
  PlotAxis y_axis_;
  PlotArea area_;
  QPixmap points_picture_;
};

}  // namespace hloscope::ui
