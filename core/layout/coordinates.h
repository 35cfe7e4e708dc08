#pragma once

#include "core/layout/layered_graph.h"

namespace hloscope::layout {

/// Centre x of every vertex. From packed layers, alternating sweeps move each layer to the weighted
/// means of its neighbours, as near as order and separation allow: isotonic regression by pooling
/// adjacent violators (Ayer et al. 1955). Unlike compaction of aligned blocks (Brandes and Koepf)
/// this does not drift sideways on deep graphs. Errors: kCancelled.
[[nodiscard]] Result<IndexedVector<VertexId, float>> horizontal(const LayeredGraph& graph,
                                                                float gap,
                                                                const Progress& progress);

/// Values closest to `wanted` (least squares with weights) that never fall. In place.
void isotonic_regression(std::vector<float>& wanted, const std::vector<float>& weights);

}  // namespace hloscope::layout
