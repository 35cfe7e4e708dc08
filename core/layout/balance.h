#pragma once

#include "core/layout/layered_graph.h"

namespace hloscope::layout {

/// Evens out the width of layers, so that a drawing does not get one very wide layer: parts that no
/// link connects with the largest part move to layers with room (they may stand anywhere), layers
/// that are still much wider than usual become several, empty ones go. Links keep leading
/// downwards. Returns the number of layers.
uint32_t balance_layers(IndexedVector<BoxId, Box>& boxes, const std::vector<Link>& links);

}  // namespace hloscope::layout
