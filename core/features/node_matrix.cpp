#include <algorithm>

#include "core/features/graph.h"
#include "core/features/node_table.h"

namespace hloscope::features {

namespace {

// Rows of the table with the position of their first value.
struct Column {
  const NodeFeature* row;
  size_t offset;
};

void encode_node(const NodeView& view, std::span<const Column> columns, Integers& scratch,
                 float* out) {
  for (const Column& column : columns) {
    if (column.row->real != nullptr) {
      out[column.offset] = static_cast<float>(column.row->real(view));
      continue;
    }
    scratch.clear();
    column.row->integers(view, scratch);
    encode(column.row->feature, scratch, out + column.offset);
  }
}

}  // namespace

NodeMatrix node_features(const Graph& graph, std::span<const Group> groups) {
  NodeMatrix out;
  std::vector<Column> columns;
  for (const Group group : groups) {
    for (const NodeFeature& row : node_table()) {
      if (row.feature.group != group) continue;
      columns.push_back({&row, out.width});
      out.width += width(row.feature);
    }
  }
  const hlo::Program& program = *graph.program;
  const bool with_costs = std::find(groups.begin(), groups.end(), Group::kStatic) != groups.end();
  const analysis::ProgramCost costs =
      with_costs ? analysis::cost(program) : analysis::ProgramCost();
  out.values.resize(graph.nodes.size() * out.width);
  Integers scratch;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const hlo::InstructionId id = graph.nodes[i].instruction;
    const NodeView view{program,
                        id,
                        program[id],
                        program.shape(id),
                        graph.nodes[i].is_root,
                        with_costs ? costs.instructions[id] : analysis::Cost()};
    encode_node(view, columns, scratch, out.values.data() + i * out.width);
  }
  return out;
}

std::vector<std::string> names(std::span<const Group> groups) {
  std::vector<std::string> out;
  for (const Group group : groups) {
    for (std::string& one : names(group)) out.push_back(std::move(one));
  }
  return out;
}

std::vector<uint8_t> opcodes(const Graph& graph) {
  std::vector<uint8_t> out;
  out.reserve(graph.nodes.size());
  for (const Graph::Node& node : graph.nodes) {
    const hlo::Opcode opcode = (*graph.program)[node.instruction].opcode;
    out.push_back(static_cast<uint8_t>(hlo::info(opcode).tpugraphs_id));
  }
  return out;
}

std::vector<float> kernel_static_features(const hlo::Program& program, hlo::InstructionId kernel) {
  const analysis::ProgramCost costs = analysis::cost(program);
  const NodeView view{
      program, kernel, program[kernel], program.shape(kernel), true, costs.instructions[kernel]};
  std::vector<float> out;
  for (const NodeFeature& row : node_table()) {
    if (row.feature.group == Group::kStatic) out.push_back(static_cast<float>(row.real(view)));
  }
  return out;
}

}  // namespace hloscope::features
