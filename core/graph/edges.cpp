#include "core/graph/edges.h"

#include <algorithm>

#include "core/graph/async_pairs.h"
#include "core/graph/value_source.h"

namespace hloscope::graph {

using hlo::InstructionId;
using hlo::Opcode;

namespace {

/// Finds producers; keeps its marks between calls so that each costs only what it looks at.
class ProducerSearch {
 public:
  explicit ProducerSearch(const hlo::Program& program)
      : program_(program), marks_(program.instruction_count(), 0) {}

  /// Adds the producers of what `id` reads to `found`, which starts a new search.
  void start(InstructionId id, std::vector<InstructionId>& found) {
    ++search_;
    found.clear();
    mark(id);
    add_operands_of(id, found);
  }
  /// The same for another instruction of the same kernel.
  void add_operands_of(InstructionId id, std::vector<InstructionId>& found) {
    push_operands(id);
    while (!pending_.empty()) {
      const InstructionId next = pending_.back();
      pending_.pop_back();
      visit(next, found);
    }
  }

 private:
  bool mark(InstructionId id) {
    if (marks_[id] == search_) return false;
    marks_[id] = search_;
    return true;
  }

  void push_operands(InstructionId id) {
    const auto operands = program_.operands(id);
    pending_.insert(pending_.end(), operands.rbegin(), operands.rend());
  }

  void visit(InstructionId operand, std::vector<InstructionId>& found) {
    ValueSource source{operand, {}};
    do {
      // The order that an add-dependency waits for is data flow as well.
      if (program_[source.instruction].opcode == Opcode::kAddDependency) {
        pending_.push_back(program_.operands(source.instruction)[1]);
      }
    } while (step_to_source(program_, source));
    InstructionId id = source.instruction;
    const Opcode opcode = program_[id].opcode;
    if (is_async_end(opcode)) {
      const InstructionId start = async_start_of(program_, id);
      if (start.valid()) id = start;
    }
    if (!mark(id)) return;
    if (is_free(opcode)) {
      push_operands(id);
    } else {
      found.push_back(id);
    }
  }

  const hlo::Program& program_;
  IndexedVector<InstructionId, uint32_t> marks_;  // The last search that met the instruction.
  uint32_t search_ = 0;
  std::vector<InstructionId> pending_;  // Next one last.
};

}  // namespace

Csr<InstructionId, InstructionId> producers(const hlo::Program& program) {
  ProducerSearch search(program);
  Csr<InstructionId, InstructionId> result;
  std::vector<InstructionId> found;
  for (InstructionId id : program.instructions()) {
    const bool is_root = program[program[id].computation].root == id;
    if (is_root || !is_free(program[id].opcode)) {
      search.start(id, found);
      for (InstructionId producer : found) result.add(producer);
    }
    result.end_row();
  }
  return result;
}

void connect(const hlo::Program& program, KernelList& list) {
  ProducerSearch search(program);
  std::vector<InstructionId> found;
  for (const Kernel& kernel : list.kernels) {
    search.start(kernel.instruction, found);
    if (kernel.async_done.valid()) search.add_operands_of(kernel.async_done, found);
    for (InstructionId id : found) {
      const KernelId producer = list.kernel_of[id];
      if (producer.valid()) list.operands.add(producer);
    }
    list.operands.end_row();
  }
  list.users = list.operands.transposed(list.kernels.size());
}

}  // namespace hloscope::graph
