#include "core/tune/fusion_evaluator.h"

#include <map>
#include <unordered_map>

#include "core/tune/group_keys.h"
#include "core/tune/sum_tree.h"

namespace hloscope::tune {

namespace {

using fuse::Group;
using fuse::GroupId;
using hlo::InstructionId;

class FusionEvaluator final : public Evaluator {
 public:
  FusionEvaluator(std::shared_ptr<FusionCursor> cursor, std::unique_ptr<GroupTimer> timer,
                  HardwareCost cost)
      : cursor_(std::move(cursor)),
        kernels_(graph::kernels(cursor_->space().program())),
        keys_(cursor_->space()),
        timer_(std::move(timer)),
        cost_(cost),
        sum_(cursor_->space().program().instruction_count()) {}

  Result<std::vector<Evaluation>> evaluate(std::span<const Config> configs,
                                           const Progress& progress) override {
    std::vector<Evaluation> out;
    out.reserve(configs.size());
    for (const Config& config : configs) {
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      cursor_->move_to(config);
      update(cursor_->changes_since(seen_));
      out.push_back(evaluation());
    }
    return out;
  }
  bool is_hardware() const override { return cost_.is_hardware; }
  std::string source() const override { return timer_->source(); }

 private:
  // The place of a group in the sum: its first member, which no other group has.
  static uint32_t place(const Group& group) { return group.members.front().value; }

  void update(FusionCursor::Change change) {
    const size_t limit = cursor_->state().group_limit();
    if (change.all) {
      sum_.clear();
      errors_.clear();
      places_.assign(limit, kNowhere);
      for (uint32_t g = 0; g < limit; ++g) change.touched.emplace_back(g);
    }
    if (places_.size() < limit) places_.resize(limit, kNowhere);
    for (GroupId id : change.touched) take_out(id);
    for (GroupId id : change.touched) put_in(id);
  }

  void take_out(GroupId id) {
    const uint32_t place = std::exchange(places_[id.value], kNowhere);
    if (place == kNowhere) return;
    sum_.set(place, 0);
    errors_.erase(place);
  }

  void put_in(GroupId id) {
    const Group& group = cursor_->state().group(id);
    if (group.members.empty() || places_[id.value] != kNowhere || !is_kernel(group)) return;
    places_[id.value] = place(group);
    const Result<double>& time_ns = time_of(group);
    if (time_ns) {
      sum_.set(place(group), *time_ns * group.executions);
    } else {
      errors_[place(group)] = time_ns.error().message;
    }
  }

  // Parameters, tuples, loops and the ends of asynchronous pairs are groups, but no kernels.
  bool is_kernel(const Group& group) const {
    if (group.executions <= 0) return false;
    if (!group.facts.is_plain) return true;
    const InstructionId id = group.members.back();
    const graph::KernelId kernel = kernels_.kernel_of[id];
    return kernel.valid() && kernels_.kernels[kernel].instruction == id;
  }

  const Result<double>& time_of(const Group& group) {
    const auto [at, is_new] = known_.try_emplace(keys_.of(group));
    if (is_new) at->second = timer_->time_ns(group);
    return at->second;
  }

  Evaluation evaluation() const {
    if (!errors_.empty()) return {.time_ns = {}, .error = errors_.begin()->second};
    const double time_ns = sum_.sum();
    return {.time_ns = time_ns, .error = {}, .hardware_ns = cost_.of(time_ns)};
  }

  static constexpr uint32_t kNowhere = ~0U;

  std::shared_ptr<FusionCursor> cursor_;
  FusionCursor::Mark seen_;
  graph::KernelList kernels_;  ///< Without any fusion.
  GroupKeys keys_;
  std::unique_ptr<GroupTimer> timer_;
  HardwareCost cost_;
  SumTree sum_;
  std::vector<uint32_t> places_;            ///< By group.
  std::map<uint32_t, std::string> errors_;  ///< By place: why a kernel has no time.
  std::unordered_map<Hash128, Result<double>> known_;
};

}  // namespace

std::unique_ptr<Evaluator> make_fusion_evaluator(std::shared_ptr<FusionCursor> cursor,
                                                 std::unique_ptr<GroupTimer> timer,
                                                 HardwareCost cost) {
  return std::make_unique<FusionEvaluator>(std::move(cursor), std::move(timer), cost);
}

}  // namespace hloscope::tune
