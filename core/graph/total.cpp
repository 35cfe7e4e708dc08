#include <algorithm>
#include <unordered_map>

#include "core/graph/kernels.h"

namespace hloscope::graph {

using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

double total(const hlo::Program& program, const KernelList& kernels,
             std::span<const double> kernel_value, BranchRule branches) {
  IndexedVector<ComputationId, double> value(program.computation_count(), 0.0);
  for (uint32_t i = 0; i < kernels.kernels.size(); ++i) {
    value[kernels.kernels[KernelId(i)].computation] += kernel_value[i];
  }
  std::unordered_map<InstructionId, int64_t> trips;
  for (const Loop& loop : kernels.loops) trips[loop.instruction] = loop.trip_count;

  const auto value_of = [&](InstructionId id) {
    double sum = 0;
    double largest = 0;
    const auto called = program.called(id);
    for (ComputationId callee : called) {
      sum += value[callee];
      largest = std::max(largest, value[callee]);
    }
    switch (program[id].opcode) {
      case Opcode::kWhile:
        return static_cast<double>(trips[id]) * sum;
      case Opcode::kConditional:
        return branches == BranchRule::kMaximum ? largest
                                                : sum / static_cast<double>(called.size());
      default:
        return sum;
    }
  };
  for (ComputationId computation : kernels.scheduled) {
    for (InstructionId id : program[computation].instructions) {
      if (is_control_flow(program[id].opcode)) value[computation] += value_of(id);
    }
  }
  return value[program.entry()];
}

}  // namespace hloscope::graph
