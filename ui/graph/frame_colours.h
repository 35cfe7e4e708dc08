#pragma once

#include <QRgb>
#include <array>

#include "ui/graph/graph_model.h"
#include "ui/theme/theme.h"

namespace hloscope::ui {

/// The theme's colours as plain numbers, for the rasteriser.
struct FrameColours {
  struct Class {
    QRgb strong = 0;
    QRgb fill = 0;
    QRgb outline = 0;
    QRgb ink = 0;  ///< Letter on `strong`.
    QChar letter;
  };
  /// Of one node.
  struct Node {
    QRgb fill = 0;
    QRgb outline = 0;
    QRgb text = 0;
    QRgb muted = 0;
    QRgb cell = 0;  ///< Where it is but a few pixels.
    bool has_value = true;
  };

  explicit FrameColours(const Theme& theme);

  [[nodiscard]] const Class& of(hlo::OpClass op_class) const {
    return classes[static_cast<size_t>(op_class)];
  }
  [[nodiscard]] Node node(const GraphNode& node, const GraphColouring* colouring,
                          size_t index) const;

  QRgb canvas, base, text, muted, faint, edge, edge_faint, accent, border;
  std::array<Class, hlo::kOpClassCount> classes;
  std::array<QRgb, 256> heat;
  std::array<QRgb, 256> heat_outline;
  std::array<bool, 256> heat_takes_text;  ///< Text is readable on it in the usual colour.
  std::array<QRgb, 256> diverging;        ///< -30 % to +30 %.
};

}  // namespace hloscope::ui
