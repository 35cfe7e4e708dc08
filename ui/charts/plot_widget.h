#pragma once

#include <QWidget>

#include "ui/charts/plot_axes.h"

namespace hloscope::ui {

/// A chart that paints itself, for many points: tool tips, zoom by the wheel at the pointer, a drag
/// moves what is zoomed, Space fits, Left and Right walk, the context menu copies picture and CSV.
class PlotWidget : public QWidget {
  Q_OBJECT
 public:
  explicit PlotWidget(QWidget* parent = nullptr);

  /// Shown in the middle instead of the chart; empty: the chart.
  void setEmptyText(const QString& text);
  [[nodiscard]] const QString& emptyText() const { return empty_text_; }
  void fit();
  /// As copied from the context menu, with a header line.
  [[nodiscard]] virtual QString csv() const = 0;

 protected:
  virtual void paintPlot(QPainter& painter) = 0;
  /// Something that is kept as a picture must be painted again: size, zoom, theme or data changed.
  virtual void invalidatePicture() {}
  [[nodiscard]] virtual QString toolTipAt(const QPointF& position) const;
  virtual void clickAt(const QPointF& position);
  virtual void activateAt(const QPointF& position);
  virtual void activateCurrent() {}
  virtual void walk(int step);
  /// False: the wheel does not zoom.
  [[nodiscard]] virtual bool canZoom() const { return true; }
  /// Where the wheel's position lies on 0..1 of both axes; of charts that zoom.
  [[nodiscard]] virtual QRectF zoomRect() const { return rect(); }

  /// A fitted axis with the zoom in force.
  [[nodiscard]] PlotAxis zoomedX(const PlotAxis& axis) const;
  [[nodiscard]] PlotAxis zoomedY(const PlotAxis& axis) const;
  void changed();  ///< Paints again, with a new picture.

  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void zoomAt(const QPointF& position, double factor);

  QString empty_text_;
  QRectF zoom_{0, 0, 1, 1};  ///< Shown part of the fitted axes; y grows upward.
  QPointF press_;
  QRectF press_zoom_;
  bool pressed_ = false;
  bool dragged_ = false;
};

/// The text in the muted colour, centred and wrapped.
void paintEmptyText(QPainter& painter, const QRectF& rect, const QString& text);

}  // namespace hloscope::ui
