#include "core/tune/layout_evaluator.h"

#include <algorithm>
#include <map>

#include "core/sim/tile_space.h"
#include "core/tune/layout_writer.h"

namespace hloscope::tune {

namespace {

using hlo::InstructionId;

/// A kernel that can meet several orders.
struct OrderedKernel {
  InstructionId instruction;
  double executions = 1;
  std::vector<LayoutGroupId> groups;              ///< Of its operands and results, each once.
  std::unordered_map<uint64_t, double> known_ns;  ///< By config_hash() of their orders.
};

class LayoutEvaluator final : public Evaluator {
 public:
  LayoutEvaluator(const LayoutSpace& space, std::unique_ptr<KernelTimer> timer, HardwareCost cost)
      : space_(space), groups_(space.groups()), timer_(std::move(timer)), cost_(cost) {
    for (const graph::Kernel& kernel : groups_.kernels().kernels) sort_in(kernel);
  }

  Result<std::vector<Evaluation>> evaluate(std::span<const Config> configs,
                                           const Progress& progress) override {
    std::vector<Evaluation> out;
    out.reserve(configs.size());
    for (const Config& config : configs) {
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      const Result<double> time_ns = program_ns(space_.orders(config));
      if (time_ns) {
        out.push_back({.time_ns = *time_ns, .error = {}, .hardware_ns = cost_.of(*time_ns)});
      } else {
        out.push_back({.time_ns = {}, .error = time_ns.error().message});
      }
    }
    return out;
  }
  bool is_hardware() const override { return cost_.is_hardware; }
  std::string source() const override { return timer_->source(); }

 private:
  // Kernels whose orders no configuration changes are timed once.
  void sort_in(const graph::Kernel& kernel) {
    OrderedKernel out{kernel.instruction, kernel.executions, groups_of(kernel.instruction), {}};
    const bool is_fixed =
        std::all_of(out.groups.begin(), out.groups.end(),
                    [this](LayoutGroupId group) { return groups_[group].is_fixed; });
    (is_fixed ? fixed_ : ordered_).push_back(std::move(out));
  }

  std::vector<LayoutGroupId> groups_of(InstructionId kernel) const {
    const hlo::Program& program = groups_.program();
    std::vector<LayoutGroupId> out;
    const auto add = [&out](LayoutGroupId group) {
      if (!group.valid() || std::find(out.begin(), out.end(), group) != out.end()) return;
      out.push_back(group);
    };
    for (size_t i = 0; i < program.operands(kernel).size(); ++i) add(groups_.operand(kernel, i));
    add(groups_.result(kernel));
    for (InstructionId user : program.users(kernel)) {
      if (program[user].opcode == hlo::Opcode::kGetTupleElement) add(groups_.result(user));
    }
    return out;
  }

  Result<double> program_ns(const LayoutOrders& orders) {
    if (!fixed_ns_) fixed_ns_ = time_fixed();
    if (!*fixed_ns_) return *fixed_ns_;
    double sum_ns = **fixed_ns_;
    for (OrderedKernel& kernel : ordered_) {
      HLOSCOPE_ASSIGN(const double time_ns, kernel_ns(kernel, orders));
      sum_ns += time_ns * kernel.executions;
    }
    for (const LayoutCopy& copy : copies(groups_, orders)) {
      HLOSCOPE_ASSIGN(const double time_ns, copy_ns(copy));
      const auto computation = groups_.program()[copy.value].computation;
      sum_ns += time_ns * groups_.kernels().computations[computation].executions;
    }
    return sum_ns;
  }

  Result<double> time_fixed() {
    double sum_ns = 0;
    for (const OrderedKernel& kernel : fixed_) {
      HLOSCOPE_ASSIGN(const double time_ns, time_ns_of(groups_.program(), kernel.instruction));
      sum_ns += time_ns * kernel.executions;
    }
    return sum_ns;
  }

  Result<double> kernel_ns(OrderedKernel& kernel, const LayoutOrders& orders) {
    key_.clear();
    for (LayoutGroupId group : kernel.groups) key_.push_back(orders[group].value);
    const uint64_t key = config_hash(key_);
    if (const auto at = kernel.known_ns.find(key); at != kernel.known_ns.end()) return at->second;
    HLOSCOPE_ASSIGN(const hlo::ProgramPtr alone, write_kernel(groups_, orders, kernel.instruction));
    HLOSCOPE_ASSIGN(const double time_ns, time_ns_of(*alone, (*alone)[alone->entry()].root));
    kernel.known_ns.emplace(key, time_ns);
    return time_ns;
  }

  Result<double> copy_ns(const LayoutCopy& copy) {
    const auto key = std::tuple(groups_.program()[copy.value].shape, copy.from, copy.to);
    if (const auto at = copies_ns_.find(key); at != copies_ns_.end()) return at->second;
    HLOSCOPE_ASSIGN(const hlo::ProgramPtr alone, write_copy(groups_, copy));
    HLOSCOPE_ASSIGN(const double time_ns, time_ns_of(*alone, (*alone)[alone->entry()].root));
    copies_ns_.emplace(key, time_ns);
    return time_ns;
  }

  Result<double> time_ns_of(const hlo::Program& program, InstructionId kernel) {
    const Hash128 hash = graph::canonical_hash(program, kernel);
    if (const auto at = distinct_ns_.find(hash); at != distinct_ns_.end()) return at->second;
    const sim::KernelModel model = sim::kernel_model(program, kernel);
    const std::vector<int64_t> bounds = sim::default_bounds(model, timer_->rates());
    HLOSCOPE_ASSIGN(const double time_ns, timer_->time_ns({program, kernel, model}, bounds));
    distinct_ns_.emplace(hash, time_ns);
    return time_ns;
  }

  const LayoutSpace& space_;
  const LayoutGroups& groups_;
  std::unique_ptr<KernelTimer> timer_;
  HardwareCost cost_;
  std::vector<OrderedKernel> fixed_;
  std::vector<OrderedKernel> ordered_;
  std::optional<Result<double>> fixed_ns_;
  std::map<std::tuple<hlo::ShapeId, LayoutOrderId, LayoutOrderId>, double> copies_ns_;
  std::unordered_map<Hash128, double> distinct_ns_;  ///< By canonical_hash().
  Config key_;
};

}  // namespace

std::unique_ptr<Evaluator> make_layout_evaluator(const LayoutSpace& space,
                                                 std::unique_ptr<KernelTimer> timer,
                                                 HardwareCost cost) {
  return std::make_unique<LayoutEvaluator>(space, std::move(timer), cost);
}

}  // namespace hloscope::tune
