#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/program_timeline.h"
#include "ui/charts/time_axis.h"

namespace hloscope::ui {

/// What the units do within a window of time: a lane for each, bars where they work. What is
/// narrower than a pixel is drawn as the share of the pixel that the unit is busy, as height, so
/// that a frame costs the same however many events there are.
///
/// Ctrl+wheel zooms at the pointer, the wheel and a drag move, Shift+drag measures a span, a click
/// selects a kernel, a double click activates it. W and S zoom, A and D move, F shows the selected
/// kernel, M measures it (again: takes the measure away), Left and Right go to the kernel before
/// and after, Space shows all.
class LaneTimeline : public QWidget {
  Q_OBJECT
 public:
  explicit LaneTimeline(QWidget* parent = nullptr);

  /// Null: empty.
  void setTimeline(std::shared_ptr<const analysis::ProgramTimeline> timeline);
  void setWindow(double from_ns, double to_ns);
  void setSelected(graph::KernelId kernel);
  /// Shown in the middle while there is no timeline.
  void setEmptyText(const QString& text);
  [[nodiscard]] double windowFrom() const { return axis_.from_ns; }
  [[nodiscard]] double windowTo() const { return axis_.to_ns; }
  [[nodiscard]] const std::vector<sim::Unit>& lanes() const { return lanes_; }
  /// The measured span, if there is one.
  [[nodiscard]] std::optional<std::pair<double, double>> measured() const { return measured_; }
  /// What stands at a place; empty: nothing.
  [[nodiscard]] QString toolTipAt(const QPointF& position) const;
  /// Where a time stands in a lane.
  [[nodiscard]] QPointF positionOf(sim::Unit unit, double time_ns) const;
  /// The selected kernel, or all.
  void zoomToSelection();
  void fit();
  void zoomBy(double factor);
  void measureSelection();
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void windowChanged(double from_ns, double to_ns);
  void kernelClicked(hloscope::graph::KernelId kernel);
  void kernelActivated(hloscope::graph::KernelId kernel);
  void measureChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  [[nodiscard]] QRectF laneRect(size_t lane) const;
  [[nodiscard]] const analysis::KernelSpan* spanAt(double x) const;
  void requestWindow(double from_ns, double to_ns);
  void zoomAt(double x, double factor);
  void step(int way);
  void paintKernels(QPainter& painter) const;
  void paintLane(QPainter& painter, size_t lane) const;
  void paintShares(QPainter& painter, size_t lane) const;
  void paintBusy(QPainter& painter) const;
  void paintMeasure(QPainter& painter) const;

  std::shared_ptr<const analysis::ProgramTimeline> timeline_;
  std::vector<sim::Unit> lanes_;
  QString empty_text_;
  graph::KernelId selected_;
  TimeAxis axis_;
  std::optional<std::pair<double, double>> measured_;
  enum class Drag { kNone, kMove, kMeasure };
  Drag drag_ = Drag::kNone;
  bool dragged_ = false;
  QPointF press_;
  double press_from_ns_ = 0;
  double press_to_ns_ = 0;
};

}  // namespace hloscope::ui
