#pragma once

#include "core/layout/layered_graph.h"

namespace hloscope::layout {

/// Orders the vertices of each layer from left to right so that few lines cross: depth first order
/// to start from, then sweeps up and down by the mean position of the neighbours (Sugiyama, Tagawa
/// and Toda 1981), keeping the best order seen. Returns the number of crossings.
/// Errors: kCancelled.
[[nodiscard]] Result<uint64_t> order(LayeredGraph& graph, int most_sweeps,
                                     const Progress& progress);

/// Pairs of edges between neighbouring layers that cross, in O(edges x log width).
[[nodiscard]] uint64_t count_crossings(const LayeredGraph& graph);

}  // namespace hloscope::layout
