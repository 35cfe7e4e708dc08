#pragma once

#include "core/layout/layered_graph.h"
#include "core/layout/placement.h"

namespace hloscope::layout {

struct LayeredOptions {
  ExpandOptions expand;
  float node_gap = 18;  ///< Between boxes of a layer.
  int order_sweeps = 8;
};

/// Layered drawing of an acyclic graph, operands above users (Sugiyama, Tagawa and Toda 1981):
/// layers (rank.h), clones, ports and bends (layered_graph.h), order (order.h), x (coordinates.h),
/// y and lines (route.h). Time and memory are O((nodes + edges) log width): hubs are cloned and
/// long edges cut, else the number of bends would grow with the square of the depth.
class LayeredLayout : public Strategy {
 public:
  explicit LayeredLayout(LayeredOptions options = {}) : options_(options) {}
  [[nodiscard]] Result<Placement> place(const Graph& graph,
                                        const Progress& progress) const override;

 private:
  LayeredOptions options_;
};

}  // namespace hloscope::layout
