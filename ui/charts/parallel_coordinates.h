#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QList>
#include <QPen>
#include <QTimer>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ui/charts/plot_widget.h"

namespace hloscope::ui {

/// Many rows as lines over parallel axes. A drag on an axis brushes it: only lines within all
/// brushes are bright. Lines are counted between bins of neighbouring axes and each pair is drawn
/// once, so that the number of rows does not matter; what takes long is drawn over several rounds
/// of the event loop, with the picture before on the screen.
///
/// Keys: Left and Right choose an axis, Up and Down move the upper end of its brush, with Shift the
/// lower one, Backspace clears the brush and Esc all of them.
class ParallelCoordinates : public PlotWidget {
  Q_OBJECT
 public:
  struct Axis {
    QString title;
    std::vector<float> values;  ///< By row; NaN: the row has no line at this axis.
    bool is_log = false;
    bool few_values = false;  ///< Sizes of a tile: each value has the same place.
  };
  using Range = std::pair<double, double>;

  explicit ParallelCoordinates(QWidget* parent = nullptr);

  /// Brushes stay where the titles are the same.
  void setAxes(std::vector<Axis> axes);
  [[nodiscard]] size_t axisCount() const { return axes_.size(); }
  [[nodiscard]] const Axis& axis(size_t index) const { return axes_[index].axis; }
  /// Of values, both ends included; empty: no brush.
  void setBrush(size_t axis, std::optional<Range> range);
  [[nodiscard]] std::optional<Range> brush(size_t axis) const { return axes_[axis].brush; }
  void clearBrushes();
  [[nodiscard]] bool hasBrush() const;
  /// 1 for each row within all brushes; empty without any.
  [[nodiscard]] const std::vector<uint8_t>& brushed() const { return brushed_; }
  /// All lines of the last picture are there.
  [[nodiscard]] bool isDrawn() const { return strokes_.empty(); }
  [[nodiscard]] QString csv() const override;

 signals:
  void brushChanged();

 protected:
  void paintPlot(QPainter& painter) override;
  void invalidatePicture() override { stale_ = true; }
  [[nodiscard]] bool canZoom() const override { return false; }
  [[nodiscard]] QString toolTipAt(const QPointF& position) const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Scaled {
    Axis axis;
    std::vector<double> distinct;  ///< Of few_values, in order.
    double low = 0;
    double high = 1;
    std::vector<uint8_t> bins;  ///< By row; kNoBin: no value.
    std::optional<Range> brush;
  };
  void scale(Scaled& scaled) const;
  [[nodiscard]] double partOf(const Scaled& scaled, double value) const;
  [[nodiscard]] double valueAtPart(const Scaled& scaled, double part) const;
  void applyBrushes();
  /// Lines of one pen, still to be drawn.
  struct Strokes {
    QList<QLineF> lines;
    QPen pen;
    bool smooth = false;
  };
  void startPicture();
  void addStrokes(size_t left, bool bright);
  void drawSome();
  void paintAxis(QPainter& painter, size_t index) const;
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] double axisX(size_t index) const;
  [[nodiscard]] double axisY(double part) const;
  [[nodiscard]] std::optional<size_t> axisAt(double x) const;
  [[nodiscard]] double partAt(double y) const;
  void moveBrush(bool upper, int steps);

  std::vector<Scaled> axes_;
  std::vector<uint8_t> brushed_;
  QImage picture_;  ///< The last one that was finished.
  bool stale_ = true;
  QImage next_picture_;  ///< Of which strokes_ are not drawn yet.
  std::vector<Strokes> strokes_;
  size_t next_stroke_ = 0;
  QTimer drawing_;
  size_t focus_axis_ = 0;
  std::optional<size_t> drag_axis_;
  double drag_from_ = 0;
  double drag_to_ = 0;
};

}  // namespace hloscope::ui
