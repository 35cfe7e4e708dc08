#pragma once

#include <memory>

#include "ui/graph/graph_model.h"

namespace hloscope::testing {

/// Nodes "node.0", "node.1", ... with texts like those of kernels; cloneable ones are pills.
inline ui::GraphModelPtr model_of(layout::Graph graph) {
  auto model = std::make_shared<ui::GraphModel>();
  const size_t n = graph.sizes.size();
  for (size_t i = 0; i < n; ++i) {
    ui::GraphNode node;
    node.title = QStringLiteral("node.%1").arg(i);
    node.op_class = static_cast<hlo::OpClass>(i % 6);
    if (!graph.cloneable.empty() && graph.cloneable[i]) {
      node.look = ui::GraphNode::Look::kPill;
      node.op_class = hlo::OpClass::kParameterConstant;
      graph.sizes[layout::NodeId(i)] = {110, 26};
    } else {
      node.subtitle = QStringLiteral("dot + add [%1]").arg(i % 1000);
      node.right = QStringLiteral("%1 µs").arg(static_cast<double>(i % 977) / 10, 0, 'f', 1);
      node.expandable = i % 3 == 0;
    }
    model->nodes.push_back(node);
  }
  model->graph = std::move(graph);
  model->tool_tip = [](layout::NodeId node) { return QStringLiteral("tip %1").arg(node.value); };
  return model;
}

}  // namespace hloscope::testing
