#pragma once

#include "core/data/tpugraphs.h"
#include "core/features/graph.h"
#include "core/predict/example.h"

namespace hloscope::predict {

/// Fills opcodes, node features and operands of an example.
void take_graph(const features::Graph& graph, const NodeColumns& columns, Example& out);
/// The same of features alone: group kExtra has what follows from them.
void take_graph(const data::TpuGraph& graph, const NodeColumns& columns, Example& out);

}  // namespace hloscope::predict
