#pragma once

#include <QPainter>
#include <optional>

#include "ui/graph/frame_renderer.h"

namespace hloscope::ui {

/// What the legend in the top right corner shows: op classes with the number of nodes in view, or
/// the scale when nodes are coloured by a number.
class Legend {
 public:
  void setColouring(GraphColouringPtr colouring) { colouring_ = std::move(colouring); }
  /// Empty in views that are too small for it.
  [[nodiscard]] QRect rect(QSize view) const;
  void paint(QPainter& painter, QSize view, const FrameReport& report,
             std::optional<hlo::OpClass> only_class) const;
  /// The class whose row is at a position in the view.
  [[nodiscard]] std::optional<hlo::OpClass> classAt(QPoint position, QSize view) const;

 private:
  void paintClasses(QPainter& painter, const QRect& place, const FrameReport& report,
                    std::optional<hlo::OpClass> only_class) const;
  void paintScale(QPainter& painter, const QRect& place) const;

  GraphColouringPtr colouring_;
};

}  // namespace hloscope::ui
