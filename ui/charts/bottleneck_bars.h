#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <vector>

#include "core/analysis/program_timeline.h"

namespace hloscope::ui {

/// Where the time of a program and of each kernel goes, as stacked bars; kernels by time, longest
/// first. A click or Up and Down select a kernel, a double click or Enter activate it.
class BottleneckBars : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit BottleneckBars(QWidget* parent = nullptr);

  /// Null: empty.
  void setTimeline(std::shared_ptr<const analysis::ProgramTimeline> timeline);
  void setSelected(graph::KernelId kernel);
  void setEmptyText(const QString& text);
  /// Kernels in the order shown.
  [[nodiscard]] const std::vector<uint32_t>& rows() const { return rows_; }
  /// Middle of a kernel's row in the viewport.
  [[nodiscard]] QPoint rowPosition(size_t row) const;
  /// Times of the parts of one kernel, all executions; of the program for an invalid id.
  [[nodiscard]] QString toolTipText(graph::KernelId kernel) const;
  [[nodiscard]] QString csv() const;

 signals:
  void kernelClicked(hloscope::graph::KernelId kernel);
  void kernelActivated(hloscope::graph::KernelId kernel);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  [[nodiscard]] const analysis::KernelSpan& spanOf(size_t row) const;
  [[nodiscard]] QRectF plotArea() const;
  [[nodiscard]] double headHeight() const { return legend_height_ + 28; }
  [[nodiscard]] int rowAt(const QPoint& position) const;
  [[nodiscard]] int selectedRow() const;
  void updateScrollBar();
  void select(int row);
  double paintLegend(QPainter& painter, bool draw) const;
  void paintProgram(QPainter& painter, const QRectF& plot) const;
  void paintRow(QPainter& painter, size_t row, double top, const QRectF& plot) const;
  void paintParts(QPainter& painter, const QRectF& bar, const sim::TimeParts& parts) const;
  void paintAxis(QPainter& painter, const QRectF& plot) const;

  std::shared_ptr<const analysis::ProgramTimeline> timeline_;
  std::vector<uint32_t> rows_;  ///< Positions in spans(), longest first.
  QString empty_text_;
  graph::KernelId selected_;
  double legend_height_ = 24;
};

}  // namespace hloscope::ui
