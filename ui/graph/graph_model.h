#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "core/hlo/opcode.h"
#include "core/layout/placement.h"

namespace hloscope::ui {

/// What a node of a graph shows.
struct GraphNode {
  enum class Look {
    kKernel,  ///< Letter icon, demi-bold title, a second line.
    kOp,      ///< One line: title, and `right` in the fixed font.
    kPill,    ///< Parameters and constants: the same with round ends and letter icon.
  };
  QString title;
  QString subtitle;  ///< Second line; may be empty.
  QString right;     ///< At the right of the first line: a time, or a shape.
  hlo::OpClass op_class = hlo::OpClass::kElementwise;
  Look look = Look::kKernel;
  bool expandable = false;  ///< Shows the shadow and the plus box.

  [[nodiscard]] bool isPill() const { return look == Look::kPill; }
};

/// A graph as GraphView shows it. Immutable once made; shared between threads.
struct GraphModel {
  std::vector<GraphNode> nodes;   ///< By layout::NodeId.
  layout::Graph graph;            ///< Sizes, edges and so on of the same nodes.
  std::vector<float> edge_width;  ///< Pixels, by edge number; empty: 1.3 for all.
  /// Rich or plain text of a node's tool tip; called on the GUI thread. May be empty.
  std::function<QString(layout::NodeId)> tool_tip;
};
using GraphModelPtr = std::shared_ptr<const GraphModel>;
using PlacementPtr = std::shared_ptr<const layout::Placement>;

/// Colours of nodes by a number instead of by op class.
struct GraphColouring {
  enum class Scale {
    kHeat,       ///< value = position 0..1 on the heat scale.
    kDiverging,  ///< value = signed relative error, 0.1 = +10 %.
  };
  Scale scale = Scale::kHeat;
  QString title;             ///< Of the legend: "Analytical time".
  QString unit;              ///< "µs, log".
  std::vector<float> value;  ///< By node; NaN: no value.
  QString low;               ///< Labels below the ends and the middle of the scale.
  QString middle;
  QString high;
};
using GraphColouringPtr = std::shared_ptr<const GraphColouring>;

}  // namespace hloscope::ui
