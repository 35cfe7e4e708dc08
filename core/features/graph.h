#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/features/feature.h"
#include "core/hlo/program.h"

namespace hloscope::features {

/// An edge as TpuGraphs has it: `consumer` uses `producer`.
struct Edge {
  uint32_t consumer = 0;
  uint32_t producer = 0;
  bool operator==(const Edge&) const = default;
};

/// Instructions as nodes; producers come before consumers.
struct Graph {
  struct Node {
    hlo::InstructionId instruction;
    bool is_root = false;
  };
  hlo::ProgramPtr program;
  std::vector<Node> nodes;
  /// By consumer, then producer; each pair once.
  std::vector<Edge> edges;
  /// First nodes of the pieces that TpuGraphs cuts a module in, and the number of nodes at the end:
  /// a piece ends behind each computation whose name has "cluster", "while" or "cond" in it.
  std::vector<uint32_t> splits;
};

/// All instructions of a module, computation by computation, as in the layout collections of
/// TpuGraphs. Edges lead to operands and to the roots of called computations.
[[nodiscard]] Graph module_graph(hlo::ProgramPtr program);

/// One kernel: the instructions of its fused computation (or the instruction alone) and its
/// parameters. Fusions inside are opened: their instructions stand in the place of the fusion, and
/// use the values that are passed to them. Computations that are applied per element (reducers) are
/// left out. `program` of the result is the kernel alone. Errors: those of graph::extract().
[[nodiscard]] Result<Graph> kernel_graph(const hlo::Program& program, hlo::InstructionId kernel);

/// Feature rows of all nodes. `groups`: any of kNode, kStatic, kExtra, in the order wanted.
struct NodeMatrix {
  size_t width = 0;           ///< Sum of the widths of the groups.
  std::vector<float> values;  ///< Row-major: node, feature.
};
[[nodiscard]] NodeMatrix node_features(const Graph& graph, std::span<const Group> groups);
[[nodiscard]] std::vector<std::string> names(std::span<const Group> groups);

/// OpcodeInfo::tpugraphs_id of each node; 0: TpuGraphs has no such opcode.
[[nodiscard]] std::vector<uint8_t> opcodes(const Graph& graph);

/// Static performance features of a whole kernel, in the order of group kStatic.
[[nodiscard]] std::vector<float> kernel_static_features(const hlo::Program& program,
                                                        hlo::InstructionId kernel);

}  // namespace hloscope::features
