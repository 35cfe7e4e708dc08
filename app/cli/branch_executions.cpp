#include "app/cli/branch_executions.h"

#include <algorithm>
#include <unordered_map>

namespace hloscope::cli {

namespace {

using graph::KernelId;
using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

// Sums of the computations, callees first, then how often each one runs, callers first.
class LargestBranches {
 public:
  LargestBranches(const hlo::Program& program, const graph::KernelList& kernels)
      : program_(program),
        kernels_(kernels),
        sum_ns_(program.computation_count(), 0.0),
        executions_(program.computation_count(), 0.0) {
    for (const graph::Loop& loop : kernels.loops) {
      trips_[loop.instruction] = static_cast<double>(loop.trip_count);
    }
  }

  std::vector<double> run(std::span<const double> kernel_ns) {
    for (uint32_t k = 0; k < kernel_ns.size(); ++k) {
      sum_ns_[kernels_.kernels[KernelId(k)].computation] += kernel_ns[k];
    }
    for (ComputationId computation : kernels_.scheduled) {
      each_call(computation, [&](ComputationId callee, double times) {
        sum_ns_[computation] += times * sum_ns_[callee];
      });
    }
    executions_[program_.entry()] = 1;
    for (size_t i = kernels_.scheduled.size(); i-- > 0;) {
      const ComputationId computation = kernels_.scheduled[i];
      each_call(computation, [&](ComputationId callee, double times) {
        executions_[callee] += times * executions_[computation];
      });
    }
    std::vector<double> out;
    for (const graph::Kernel& kernel : kernels_.kernels) {
      out.push_back(executions_[kernel.computation]);
    }
    return out;
  }

 private:
  template <typename Callback>
  void each_call(ComputationId computation, Callback callback) {
    for (InstructionId id : program_[computation].instructions) {
      const Opcode opcode = program_[id].opcode;
      if (!graph::is_control_flow(opcode)) continue;
      const auto called = program_.called(id);
      if (opcode == Opcode::kConditional) {
        const auto largest = std::max_element(
            called.begin(), called.end(),
            [this](ComputationId a, ComputationId b) { return sum_ns_[a] < sum_ns_[b]; });
        if (largest != called.end()) callback(*largest, 1.0);
        continue;
      }
      const double times = opcode == Opcode::kWhile ? trips_[id] : 1.0;
      for (ComputationId callee : called) callback(callee, times);
    }
  }

  const hlo::Program& program_;
  const graph::KernelList& kernels_;
  std::unordered_map<InstructionId, double> trips_;
  IndexedVector<ComputationId, double> sum_ns_;
  IndexedVector<ComputationId, double> executions_;
};

}  // namespace

std::vector<double> branch_executions(const hlo::Program& program, const graph::KernelList& kernels,
                                      std::span<const double> kernel_ns,
                                      graph::BranchRule branches) {
  if (branches == graph::BranchRule::kMaximum) {
    return LargestBranches(program, kernels).run(kernel_ns);
  }
  std::vector<double> out;
  for (const graph::Kernel& kernel : kernels.kernels) out.push_back(kernel.executions);
  return out;
}

}  // namespace hloscope::cli
