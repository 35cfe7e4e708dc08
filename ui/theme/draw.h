#pragma once

#include <QColor>
#include <QPainter>
#include <QPolygonF>
#include <QStyle>
#include <QStyleOption>

namespace hloscope::ui {

/// Saves the painter's state for one scope.
class PainterSaver {
 public:
  explicit PainterSaver(QPainter& painter) : painter_(painter) { painter_.save(); }
  ~PainterSaver() { painter_.restore(); }
  PainterSaver(const PainterSaver&) = delete;
  PainterSaver& operator=(const PainterSaver&) = delete;

 private:
  QPainter& painter_;
};

/// The box of buttons, edits and combos.
struct ControlFrame {
  QColor fill;
  QColor border;
  double radius = 3;
  bool focus_ring = false;  ///< A second line in the accent, inside of the border.
};
void drawControlFrame(QPainter& painter, const QRect& rect, const ControlFrame& frame);

/// A polyline given in the unit square, drawn in `box` with round ends.
void drawScaledLine(QPainter& painter, const QRectF& box, const QPolygonF& unit_line, QPen pen);
[[nodiscard]] QRectF centredSquare(const QRect& rect, double side);

/// The 1 px line in the middle of a handle. `horizontal`: the parts lie side by side.
void drawSplitter(QPainter& painter, const QRect& rect, bool horizontal);

/// Parts of a scroll bar without arrow buttons.
[[nodiscard]] QRect scrollBarPart(const QStyleOptionSlider& option, QStyle::SubControl part,
                                  int shortest_handle);

}  // namespace hloscope::ui
