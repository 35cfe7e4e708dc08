#pragma once

#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/predict/encode.h"

namespace hloscope::predict {

/// Layout examples keep the configurable nodes and what lies so many edges around them, as the
/// best entry of the Kaggle contest on TpuGraphs did: of a program of tens of thousands of nodes
/// the rest does not tell its configurations apart.
inline constexpr size_t kLayoutHops = 1;

/// Nodes that lie at most `hops` edges, in any direction, from one of `from`; ascending.
[[nodiscard]] std::vector<uint32_t> nodes_around(const Example& graph,
                                                 std::span<const uint32_t> from, size_t hops);
/// The given nodes, ascending, and the edges between them. Of the layouts nothing is kept.
[[nodiscard]] Example with_nodes(const Example& graph, std::span<const uint32_t> nodes,
                                 const NodeColumns& columns);

/// Fills nodes, edges and layouts of `out` from a graph of a data set of task layout: a whole
/// program. Errors: kInvalidInput for contents and configurations that cannot be read.
[[nodiscard]] Status encode_layouts(const GraphSamples& graph, const NodeColumns& columns,
                                    Example& out);

}  // namespace hloscope::predict
