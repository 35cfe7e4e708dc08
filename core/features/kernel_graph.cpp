#include <algorithm>

#include "core/features/graph.h"
#include "core/graph/kernels.h"

namespace hloscope::features {

namespace {

using hlo::InstructionId;
using hlo::Opcode;

// Fusions that lie deeper, or stand behind this many instructions, are kept as one node: only
// hostile programs come near.
constexpr int kMaxDepth = 200;
constexpr size_t kMaxVisits = size_t{1} << 20;

class Opener {
 public:
  explicit Opener(const hlo::Program& program) : program_(program) {}

  Graph take() {
    const auto end = static_cast<uint32_t>(graph_.nodes.size());
    graph_.splits = {0, end};
    return std::move(graph_);
  }

  /// Adds the instructions of a computation whose parameters are the nodes `arguments` (empty: they
  /// become nodes of their own). The node of its root.
  uint32_t open(hlo::ComputationId computation, const std::vector<uint32_t>& arguments, int depth) {
    const IdRange<InstructionId> range = program_[computation].instructions;
    std::vector<uint32_t> node_of(range.size());
    for (const InstructionId id : range) {
      ++visits_;
      node_of[id.value - range.front().value] = add(id, node_of, arguments, depth);
    }
    return node_of[program_[computation].root.value - range.front().value];
  }

  void mark_root(uint32_t node) { graph_.nodes[node].is_root = true; }

 private:
  uint32_t add(InstructionId id, const std::vector<uint32_t>& node_of,
               const std::vector<uint32_t>& arguments, int depth) {
    const hlo::Instruction& instruction = program_[id];
    if (instruction.opcode == Opcode::kParameter &&
        static_cast<size_t>(instruction.number) < arguments.size()) {
      return arguments[static_cast<size_t>(instruction.number)];
    }
    const uint32_t first = program_[instruction.computation].instructions.front().value;
    std::vector<uint32_t> producers;
    for (const InstructionId operand : program_.operands(id)) {
      producers.push_back(node_of[operand.value - first]);
    }
    const hlo::ComputationId body = program_.computation(id, hlo::AttrKey::kCalls);
    const bool opens = instruction.opcode == Opcode::kFusion && body.valid() && depth < kMaxDepth &&
                       visits_ < kMaxVisits;
    return opens ? open(body, producers, depth + 1) : add_node(id, std::move(producers));
  }

  uint32_t add_node(InstructionId id, std::vector<uint32_t> producers) {
    const auto node = static_cast<uint32_t>(graph_.nodes.size());
    graph_.nodes.push_back({id, false});
    std::sort(producers.begin(), producers.end());
    producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
    for (const uint32_t producer : producers) graph_.edges.push_back({node, producer});
    return node;
  }

  const hlo::Program& program_;
  Graph graph_;
  size_t visits_ = 0;
};

}  // namespace

Result<Graph> kernel_graph(const hlo::Program& program, InstructionId kernel) {
  HLOSCOPE_ASSIGN(hlo::ProgramPtr alone, graph::extract(program, kernel));
  const hlo::Computation& entry = (*alone)[alone->entry()];
  hlo::ComputationId body;
  if ((*alone)[entry.root].opcode == Opcode::kFusion) {
    body = alone->computation(entry.root, hlo::AttrKey::kCalls);
  }
  Opener opener(*alone);
  opener.mark_root(opener.open(body.valid() ? body : alone->entry(), {}, 0));
  Graph out = opener.take();
  out.program = std::move(alone);
  return out;
}

}  // namespace hloscope::features
