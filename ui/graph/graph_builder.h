#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/analysis/report.h"
#include "core/graph/value_source.h"
#include "ui/graph/kernel_graph.h"

namespace hloscope::ui {

/// Collects nodes and edges of a KernelGraph.
class GraphBuilder {
 public:
  explicit GraphBuilder(ReportPtr report);

  /// Adds the node of an instruction and makes it findable as the source of edges.
  layout::NodeId add(hlo::InstructionId instruction, GraphNode node);
  /// Adds edges from everything that `user` reads; pills of parameters and constants are made when
  /// first read. `reader`: the instruction whose operands are read.
  void connect(layout::NodeId user, hlo::InstructionId reader);
  /// Operands are shown as pills even where they are other instructions: for a kernel alone.
  void setAlone() { alone_ = true; }
  [[nodiscard]] KernelGraph finish();

 private:
  struct Edge {
    uint32_t from;
    uint32_t to;
    float width;
  };

  void visit(hlo::InstructionId operand, layout::NodeId user,
             std::vector<hlo::InstructionId>& pending);
  layout::NodeId nodeOf(const graph::ValueSource& source);
  layout::NodeId pill(const graph::ValueSource& source);
  [[nodiscard]] hlo::ShapeId shapeOf(const graph::ValueSource& source) const;
  [[nodiscard]] layout::Size sizeOf(const GraphNode& node) const;
  void collectEdges(GraphModel& model);

  ReportPtr report_;
  const hlo::Program& program_;
  bool alone_ = false;
  std::shared_ptr<GraphModel> model_ = std::make_shared<GraphModel>();
  KernelGraph result_;
  IndexedVector<hlo::InstructionId, layout::NodeId> node_of_;
  std::map<std::pair<hlo::InstructionId, std::vector<int64_t>>, layout::NodeId> element_nodes_;
  std::vector<Edge> edges_;
};

/// Text of a shape without layouts; tuples shortened.
[[nodiscard]] QString shapeText(const hlo::Program& program, hlo::ShapeId shape);
[[nodiscard]] QString toQString(std::string_view text);

}  // namespace hloscope::ui
