#include <algorithm>

#include "core/features/graph.h"

namespace hloscope::features {

namespace {

bool ends_piece(std::string_view computation) {
  for (const std::string_view word : {"cluster", "while", "cond"}) {
    if (computation.find(word) != std::string_view::npos) return true;
  }
  return false;
}

void add_edges(const hlo::Program& program, hlo::InstructionId id, std::vector<Edge>& edges) {
  std::vector<uint32_t> producers;
  for (const hlo::InstructionId operand : program.operands(id)) producers.push_back(operand.value);
  for (const hlo::ComputationId called : program.called(id)) {
    producers.push_back(program[called].root.value);
  }
  std::sort(producers.begin(), producers.end());
  producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
  for (const uint32_t producer : producers) edges.push_back({id.value, producer});
}

}  // namespace

Graph module_graph(hlo::ProgramPtr shared) {
  const hlo::Program& program = *shared;
  Graph graph;
  graph.nodes.reserve(program.instruction_count());
  graph.splits = {0};
  for (const hlo::ComputationId computation : program.computations()) {
    for (const hlo::InstructionId id : program[computation].instructions) {
      graph.nodes.push_back({id, id == program[computation].root});
      add_edges(program, id, graph.edges);
    }
    if (ends_piece(program[computation].name)) {
      graph.splits.push_back(static_cast<uint32_t>(graph.nodes.size()));
    }
  }
  const auto end = static_cast<uint32_t>(graph.nodes.size());
  if (graph.splits.back() != end) graph.splits.push_back(end);
  graph.program = std::move(shared);
  return graph;
}

}  // namespace hloscope::features
