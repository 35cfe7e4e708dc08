#pragma once

#include <vector>

#include "core/layout/placement.h"

namespace hloscope::layout {

/// A vertex of the layered graph: first the boxes, with their numbers, then the bends of edges
/// that pass through layers.
struct VertexTag;
using VertexId = Index<VertexTag>;

/// One line of the drawing: an edge of the graph, or the link to a port.
struct Link {
  VertexId from;
  VertexId to;
  uint32_t edge = Route::kNoEdge;
};

/// A graph in which every edge leads from a layer to the next one. Edges of one vertex that pass
/// through a layer share one chain of bends there.
struct LayeredGraph {
  IndexedVector<BoxId, Box> boxes;  ///< Placed later.
  std::vector<Link> links;
  IndexedVector<VertexId, uint32_t> layer;
  IndexedVector<VertexId, float> width;
  IndexedVector<VertexId, VertexId> first_bend;  ///< Of a box: its chain, downwards, contiguous.
  Csr<VertexId, VertexId> down;                  ///< Rows of both are sorted by number.
  Csr<VertexId, VertexId> up;
  std::vector<std::vector<VertexId>> layers;  ///< Vertices from left to right.

  [[nodiscard]] bool is_bend(VertexId v) const { return v.value >= first_bend.size(); }
  /// The vertex in the layer just above the end of a link.
  [[nodiscard]] VertexId last_before_end(const Link& link) const {
    const uint32_t span = layer[link.to] - layer[link.from];
    return span == 1 ? link.from : VertexId(first_bend[link.from].value + span - 2);
  }
};

/// How far lines may go and how wide a layer may get.
struct ExpandOptions {
  uint32_t hub_users = 4;   ///< A cloneable node with more users is drawn beside each of them.
  uint32_t clone_span = 2;  ///< Users of one picture of a cloneable node lie so many layers apart.
  uint32_t max_span = 12;   ///< Longer edges are cut.
  uint32_t max_ports = 4;   ///< A node with more cut operands gets one port for all of them.
};

/// Clones, ports and bends for a graph with layers.
[[nodiscard]] LayeredGraph expand(const Graph& graph, const Csr<NodeId, NodeId>& operands,
                                  const IndexedVector<NodeId, uint32_t>& layers,
                                  const ExpandOptions& options);

}  // namespace hloscope::layout
