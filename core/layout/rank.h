#pragma once

#include <optional>
#include <vector>

#include "core/layout/placement.h"

namespace hloscope::layout {

/// Layers of an acyclic graph: every edge leads to a higher layer. Longest path from the nodes
/// without operands; then, going upwards, each node for which that lengthens no edges in sum is
/// pulled down to just above its first user (which may leave layers empty). Nothing for a graph
/// with a cycle.
[[nodiscard]] std::optional<IndexedVector<NodeId, uint32_t>> rank(
    const Graph& graph, const Csr<NodeId, NodeId>& operands);

}  // namespace hloscope::layout
