#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>

#include "core/analysis/program_timeline.h"
#include "ui/charts/time_axis.h"

namespace hloscope::ui {

/// The kernels of a program in order, as wide as their time, with a frame over a window of time.
/// The frame is moved and its edges are dragged; a drag beside it makes a new one. Left and Right
/// move it, Plus and Minus change its width, Home and End go to the ends, Space takes all.
class ProgramStrip : public QWidget {
  Q_OBJECT
 public:
  explicit ProgramStrip(QWidget* parent = nullptr);

  /// Null: empty.
  void setTimeline(std::shared_ptr<const analysis::ProgramTimeline> timeline);
  void setWindow(double from_ns, double to_ns);
  void setSelected(graph::KernelId kernel);
  [[nodiscard]] double windowFrom() const { return from_ns_; }
  [[nodiscard]] double windowTo() const { return to_ns_; }
  /// The frame in widget coordinates.
  [[nodiscard]] QRectF frameRect() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void windowChanged(double from_ns, double to_ns);
  void kernelClicked(hloscope::graph::KernelId kernel);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum class Grip { kNone, kMove, kLeft, kRight, kNew };

  [[nodiscard]] TimeAxis axis() const;
  [[nodiscard]] Grip gripAt(double x) const;
  void requestWindow(double from_ns, double to_ns);
  void paintKernels();
  void paintSpan(QPainter& painter, const analysis::KernelSpan& span, const TimeAxis& axis) const;
  void paintFrame(QPainter& painter) const;

  std::shared_ptr<const analysis::ProgramTimeline> timeline_;
  QPixmap kernels_;  ///< Null: must be painted again.
  graph::KernelId selected_;
  double from_ns_ = 0;
  double to_ns_ = 1;
  Grip grip_ = Grip::kNone;
  bool dragged_ = false;
  double press_x_ = 0;
  double press_from_ = 0;
  double press_to_ = 0;
};

}  // namespace hloscope::ui
