#pragma once

#include "core/layout/layered_graph.h"

namespace hloscope::layout {

/// Heights of layers and gaps, then a line for every link: between neighbouring layers an S curve
/// with vertical ends; longer ones run vertically and change x by a horizontal piece with round
/// corners, on tracks that keep such pieces apart.
[[nodiscard]] Placement route(LayeredGraph graph, const IndexedVector<VertexId, float>& x);

}  // namespace hloscope::layout
