#include "core/analysis/cost.h"

#include <algorithm>

#include "core/analysis/fusion_traffic.h"
#include "core/analysis/instruction_traffic.h"
#include "core/analysis/instruction_work.h"
#include "core/graph/callee_order.h"

namespace hloscope::analysis {

namespace {

using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

void add(Cost& sum, const Cost& cost, double factor = 1) {
  sum.flops += factor * cost.flops;
  sum.transcendentals += factor * cost.transcendentals;
  sum.bytes_accessed += factor * cost.bytes_accessed;
  sum.bytes_read += factor * cost.bytes_read;
  sum.bytes_written += factor * cost.bytes_written;
  sum.padded_bytes += factor * cost.padded_bytes;
}

// Each figure by itself, as XLA does; a branch without work leaves an unknown (-1) as it is.
void keep_largest(Cost& largest, const Cost& other) {
  const auto keep = [](double& a, double b) {
    if (b != 0) a = std::max(a, b);
  };
  keep(largest.flops, other.flops);
  keep(largest.transcendentals, other.transcendentals);
  keep(largest.bytes_accessed, other.bytes_accessed);
  keep(largest.bytes_read, other.bytes_read);
  keep(largest.bytes_written, other.bytes_written);
  keep(largest.padded_bytes, other.padded_bytes);
}

// Unknown counts as nothing.
Cost known_part(Cost cost) {
  cost.flops = std::max(cost.flops, 0.0);
  cost.bytes_accessed = std::max(cost.bytes_accessed, 0.0);
  return cost;
}

Cost make_cost(const Work& work, const Traffic& traffic) {
  return {.flops = work.flops,
          .transcendentals = work.transcendentals,
          .bytes_accessed = traffic.read.plain + traffic.written.plain,
          .bytes_read = traffic.read.plain,
          .bytes_written = traffic.written.plain,
          .padded_bytes = traffic.read.padded + traffic.written.padded};
}

class CostAnalysis {
 public:
  explicit CostAnalysis(const hlo::Program& program)
      : program_(program),
        sizes_(shape_sizes(program.shapes())),
        fusions_(program, sizes_),
        sums_(program.computation_count()) {}

  ProgramCost run() {
    ProgramCost result;
    result.instructions.resize(program_.instruction_count());
    graph::CalleeOrder order(program_, graph::Follow::kAll);
    for (ComputationId root : program_.computations()) {
      for (ComputationId computation : order.visit(root)) add_up(computation, result);
    }
    result.total = sums_[program_.entry()];
    return result;
  }

  Cost of_kernel(const graph::Kernel& kernel, const ProgramCost& cost) const;

 private:
  void add_up(ComputationId computation, ProgramCost& result) {
    Cost& sum = sums_[computation];
    for (InstructionId id : program_[computation].instructions) {
      result.instructions[id] = of_instruction(id);
      add(sum, result.instructions[id]);
    }
  }

  Cost of_instruction(InstructionId id);
  Cost of_fusion(InstructionId id);
  Cost of_conditional(InstructionId id) const;
  Cost of_custom_call(InstructionId id) const;
  [[nodiscard]] Cost called_sum(InstructionId id) const;
  [[nodiscard]] Work applied_work(InstructionId id) const;

  const hlo::Program& program_;
  IndexedVector<hlo::ShapeId, ShapeSize> sizes_;
  FusionTraffic fusions_;
  IndexedVector<ComputationId, Cost> sums_;
};

Cost CostAnalysis::of_instruction(InstructionId id) {
  switch (program_[id].opcode) {
    case Opcode::kFusion:
      return of_fusion(id);
    // The body and the condition of a loop count once each.
    case Opcode::kCall:
    case Opcode::kAsyncStart:
    case Opcode::kWhile:
      return called_sum(id);
    case Opcode::kConditional:
      return of_conditional(id);
    case Opcode::kCustomCall:
      return of_custom_call(id);
    case Opcode::kMap:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kScatter:
    case Opcode::kScan:
    case Opcode::kSelectAndScatter:
      return make_cost(applied_work(id), own_traffic(program_, sizes_, id));
    default:
      return make_cost(own_work(program_, sizes_, id), own_traffic(program_, sizes_, id));
  }
}

Cost CostAnalysis::of_fusion(InstructionId id) {
  const Traffic traffic = fusions_.of(id);
  if (const InstructionId core = custom_core(program_, id); core.valid()) {
    return make_cost(applied_work(core), traffic);
  }
  const Cost inside = called_sum(id);
  return make_cost({.flops = inside.flops, .transcendentals = inside.transcendentals}, traffic);
}

Cost CostAnalysis::of_conditional(InstructionId id) const {
  Cost largest;
  bool is_first = true;
  for (ComputationId branch : program_.called(id)) {
    if (is_first) {
      largest = sums_[branch];
    } else {
      keep_largest(largest, sums_[branch]);
    }
    is_first = false;
  }
  return largest;
}

// XLA counts -1; what the call can read and write at all is kept in the other figures.
Cost CostAnalysis::of_custom_call(InstructionId id) const {
  Cost cost = make_cost(own_work(program_, sizes_, id), own_traffic(program_, sizes_, id));
  cost.bytes_accessed = -1;
  return cost;
}

Cost CostAnalysis::called_sum(InstructionId id) const {
  Cost sum;
  for (ComputationId called : program_.called(id)) add(sum, sums_[called]);
  return sum;
}

Work CostAnalysis::applied_work(InstructionId id) const {
  Work work;
  const auto apply = [&](ComputationId computation, double times) {
    if (!computation.valid()) return;
    work.flops += times * sums_[computation].flops;
    work.transcendentals += times * sums_[computation].transcendentals;
  };
  const double times = applications(program_, sizes_, id);
  if (program_[id].opcode == Opcode::kSelectAndScatter) {
    apply(program_.computation(id, hlo::AttrKey::kSelect),
          select_applications(program_, sizes_, id));
    apply(program_.computation(id, hlo::AttrKey::kScatter), times);
  } else if (const auto called = program_.called(id); !called.empty()) {
    apply(called.front(), times);
  }
  return work;
}

// An async pair moves its operands and the result of its done; the buffers that the start only
// passes on are no traffic.
Cost CostAnalysis::of_kernel(const graph::Kernel& kernel, const ProgramCost& cost) const {
  const Cost& start = cost.instructions[kernel.instruction];
  if (!kernel.async_done.valid() || program_[kernel.instruction].opcode == Opcode::kAsyncStart) {
    return start;
  }
  Traffic traffic = own_traffic(program_, sizes_, kernel.instruction);
  traffic.written = sizes_[program_[kernel.async_done].shape].leaves;
  return make_cost({.flops = start.flops, .transcendentals = start.transcendentals}, traffic);
}

}  // namespace

ProgramCost cost(const hlo::Program& program) {
  return CostAnalysis(program).run();
}

ProgramCost cost(const hlo::Program& program, const graph::KernelList& kernels) {
  CostAnalysis analysis(program);
  ProgramCost result = analysis.run();
  result.kernels.reserve(kernels.kernels.size());
  for (const graph::Kernel& kernel : kernels.kernels) {
    result.kernels.push_back(analysis.of_kernel(kernel, result));
    add(result.weighted, known_part(result.kernels.back()), kernel.executions);
  }
  return result;
}

}  // namespace hloscope::analysis
