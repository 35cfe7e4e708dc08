#include "core/graph/schedule.h"
#include <algorithm>

#include "core/graph/trip_count.h"

namespace hloscope::graph {

using hlo::ComputationId;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

// Counts of calls that double on every level end here: sums over kernels stay finite.
constexpr double kMaxExecutions = 1e18;

/// Walks the computations from the entry in the order of execution, without recursion.
class Walker {
 public:
  Walker(const hlo::Program& program, const KernelOptions& options)
      : program_(program), options_(options) {
    result_.uses.resize(program.computation_count());
    result_.instructions.reserve(program.instruction_count());
  }

  Schedule run() {
    push(program_.entry());
    while (!stack_.empty()) advance();
    count_executions();
    return std::move(result_);
  }

 private:
  struct Frame {
    ComputationId computation;
    uint32_t position = 0;               // Of the next instruction.
    std::vector<ComputationId> waiting;  // Callees of the last one, still to be walked; last first.
  };
  struct Call {
    ComputationId caller;
    ComputationId callee;
    double weight;
    bool known;
  };

  void push(ComputationId computation) {
    if (result_.uses[computation].is_scheduled) return;
    result_.uses[computation].is_scheduled = true;
    stack_.push_back({computation, 0, {}});
  }

  /// Goes on in the innermost computation, up to its next callee.
  void advance() {
    Frame& frame = stack_.back();
    const auto& instructions = program_[frame.computation].instructions;
    while (frame.waiting.empty() && frame.position < instructions.size()) {
      const InstructionId id = instructions[frame.position++];
      const Opcode opcode = program_[id].opcode;
      if (is_control_flow(opcode)) {
        frame.waiting = callees(id);
      } else if (!is_free(opcode)) {
        result_.instructions.push_back(id);
      }
    }
    if (frame.waiting.empty()) {
      result_.computations.push_back(frame.computation);
      stack_.pop_back();
      return;
    }
    const ComputationId next = frame.waiting.back();
    frame.waiting.pop_back();
    push(next);
  }

  std::vector<ComputationId> callees(InstructionId id) {
    const auto called = program_.called(id);
    const auto [weight, known] = weight_of(id);
    for (ComputationId callee : called) {
      calls_.push_back({program_[id].computation, callee, weight, known});
    }
    if (program_[id].opcode == Opcode::kWhile) {
      return {program_.computation(id, hlo::AttrKey::kBody),
              program_.computation(id, hlo::AttrKey::kCondition)};
    }
    return {called.rbegin(), called.rend()};
  }

  std::pair<double, bool> weight_of(InstructionId id) {
    switch (program_[id].opcode) {
      case Opcode::kWhile: {
        const auto trips = trip_count(program_, id);
        const int64_t count = trips.value_or(options_.unknown_trip_count);
        const int64_t at_most = trips ? 0 : trip_limit(program_, id).value_or(0);
        result_.loops.push_back({id, count, trips.has_value(), at_most});
        return {static_cast<double>(count), trips.has_value()};
      }
      case Opcode::kConditional:
        if (options_.branches == BranchRule::kMaximum) return {1.0, true};
        return {1.0 / static_cast<double>(program_.called(id).size()), true};
      default:
        return {1.0, true};
    }
  }

  /// Callers first, so that the counts of all callers are complete when a computation's are used.
  void count_executions() {
    result_.uses[program_.entry()].executions = 1;
    std::vector<std::pair<ComputationId, uint32_t>> pairs;
    for (uint32_t i = 0; i < calls_.size(); ++i) pairs.emplace_back(calls_[i].caller, i);
    const auto calls_of =
        Csr<ComputationId, uint32_t>::from_pairs(program_.computation_count(), pairs);
    for (auto it = result_.computations.rbegin(); it != result_.computations.rend(); ++it) {
      const ComputationUse caller = result_.uses[*it];
      for (uint32_t i : calls_of[*it]) {
        ComputationUse& callee = result_.uses[calls_[i].callee];
        callee.executions =
            std::min(callee.executions + caller.executions * calls_[i].weight, kMaxExecutions);
        callee.known = callee.known && calls_[i].known && caller.known;
      }
    }
  }

  const hlo::Program& program_;
  const KernelOptions& options_;
  std::vector<Frame> stack_;
  std::vector<Call> calls_;
  Schedule result_;
};

}  // namespace

Schedule schedule(const hlo::Program& program, const KernelOptions& options) {
  return Walker(program, options).run();
}

}  // namespace hloscope::graph
