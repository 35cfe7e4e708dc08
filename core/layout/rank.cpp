#include "core/layout/rank.h"

#include <algorithm>

namespace hloscope::layout {
namespace {

using Layers = IndexedVector<NodeId, uint32_t>;

/// Kahn's algorithm with a queue; ties keep the order of the numbers. Shorter than the graph when
/// there is a cycle.
std::vector<NodeId> topological_order(const Graph& graph, const Csr<NodeId, NodeId>& operands) {
  const size_t n = graph.sizes.size();
  std::vector<NodeId> order;
  order.reserve(n);
  IndexedVector<NodeId, uint32_t> waiting(n);
  for (const NodeId node : IdRange<NodeId>(0, static_cast<uint32_t>(n))) {
    waiting[node] = static_cast<uint32_t>(operands[node].size());
    if (waiting[node] == 0) order.push_back(node);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    for (const NodeId user : graph.edges[order[i]]) {
      if (--waiting[user] == 0) order.push_back(user);
    }
  }
  return order;
}

/// Whether moving `node` down does not lengthen the edges in sum. Operands that only this node uses
/// follow it later, and others get a picture of their own beside it, so they do not count.
bool gains_by_moving_down(const Graph& graph, const Csr<NodeId, NodeId>& operands, NodeId node) {
  size_t held = 0;
  for (const NodeId operand : operands[node]) {
    const bool follows = graph.edges[operand].size() == 1 ||
                         (!graph.cloneable.empty() && graph.cloneable[operand.value]);
    held += !follows;
  }
  return held <= graph.edges[node].size();
}

void pull_down(const Graph& graph, const Csr<NodeId, NodeId>& operands,
               const std::vector<NodeId>& order, Layers& layers) {
  for (size_t i = order.size(); i-- > 0;) {
    const NodeId node = order[i];
    if (graph.edges[node].empty() || !gains_by_moving_down(graph, operands, node)) continue;
    uint32_t first_user = UINT32_MAX;
    for (const NodeId user : graph.edges[node]) first_user = std::min(first_user, layers[user]);
    layers[node] = first_user - 1;
  }
}

}  // namespace

std::optional<Layers> rank(const Graph& graph, const Csr<NodeId, NodeId>& operands) {
  const std::vector<NodeId> order = topological_order(graph, operands);
  if (order.size() != graph.sizes.size()) return std::nullopt;
  Layers layers(graph.sizes.size(), 0);
  for (const NodeId node : order) {
    for (const NodeId user : graph.edges[node]) {
      layers[user] = std::max(layers[user], layers[node] + 1);
    }
  }
  pull_down(graph, operands, order, layers);
  return layers;
}

}  // namespace hloscope::layout
