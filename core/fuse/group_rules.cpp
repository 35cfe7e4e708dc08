#include "core/fuse/group_rules.h"

#include <algorithm>

#include "core/fuse/product_sums.h"
#include "core/fuse/traffic.h"
#include "core/graph/kernels.h"

namespace hloscope::fuse {

using hlo::InstructionId;

std::string_view text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kValid:
      return "valid";
    case Verdict::kCycle:
      return "a result is needed outside before the fusion has ended";
    case Verdict::kProducts:
      return "more than one dot or convolution";
    case Verdict::kOperands:
      return "too many operands";
    case Verdict::kSize:
      return "too many instructions";
    case Verdict::kResults:
      return "its results have no loops in common";
    case Verdict::kOrder:
      return "the result of a reduction or product is needed before it is complete";
    case Verdict::kVmem:
      return "not even the smallest tile fits in VMEM";
  }
  return {};
}

GroupRules::GroupRules(const FusionSpace& space)
    : space_(space),
      program_(space.program()),
      array_bytes_(array_bytes(space.program().shapes())),
      values_(space.program().instruction_count()) {}

void GroupRules::start(std::span<const InstructionId> members) {
  stamp_ += 2;
  twins_.clear();
  for (InstructionId id : members) values_[id] = {.stamp = stamp_, .loops = id, .same = id};
}

bool GroupRules::reads_the_same(InstructionId a, InstructionId b) const {
  const auto x = program_.operands(a);
  const auto y = program_.operands(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [this](InstructionId i, InstructionId k) {
                      if (i == k) return true;
                      // Constants are copied in, wherever they stand.
                      if (space_.role(i) == Role::kConstant)
                        return space_.twin(i).valid() && space_.twin(i) == space_.twin(k);
                      return is_member(i) && is_member(k) && values_[i].same == values_[k].same;
                    });
}

// The earlier member that gives the same value from the same operands, or `id` itself.
InstructionId GroupRules::find_same(InstructionId id) {
  const InstructionId twin = space_.twin(id);
  if (!twin.valid()) return id;
  for (InstructionId other : twins_) {
    if (space_.twin(other) == twin && reads_the_same(other, id)) return other;
  }
  twins_.push_back(id);
  return id;
}

GroupFacts GroupRules::examine(std::span<const InstructionId> members) {
  GroupFacts facts;
  if (members.size() == 1 && space_.role(members[0]) == Role::kNever) {
    // Nobody asks for more of what cannot be fused.
    facts.bytes_read = kernel_bytes(program_, array_bytes_, members[0]);
    facts.core_size = 1;
    facts.is_plain = true;
    return facts;
  }
  start(members);
  for (InstructionId id : members) {
    count(id, facts);
    values_[id].same = find_same(id);
    if (values_[id].same == id) read_operands(id, facts);
    add_result(id, facts);
  }
  const auto real = std::count_if(members.begin(), members.end(), [this](InstructionId id) {
    return space_.role(id) != Role::kConstant;
  });
  facts.is_plain = real <= 1;
  if (facts.is_plain && graph::is_free(program_[members.back()].opcode)) return facts;
  for (Operand& operand : facts.operands) {
    operand.bytes_read = std::min(operand.bytes_read, space_.bytes(operand.value));
    facts.bytes_read += operand.bytes_read;
  }
  for (InstructionId result : facts.results) {
    facts.bytes_written += bytes_stored(program_, array_bytes_, result);
  }
  if (facts.core_size > 1) facts.verdict = judge(members, facts);
  return facts;
}

void GroupRules::count(InstructionId id, GroupFacts& facts) const {
  if (!space_.host(id).valid()) ++facts.core_size;
  switch (space_.role(id)) {
    case Role::kConstant:
    case Role::kIota:
    case Role::kElementwise:
    case Role::kBroadcast:
    case Role::kReduce:
      break;
    default:
      facts.moves_elements = true;
  }
}

void GroupRules::read_operands(InstructionId id, GroupFacts& facts) {
  const auto operands = program_.operands(id);
  for (size_t i = 0; i < operands.size(); ++i) {
    const InstructionId operand = operands[i];
    if (is_member(operand) || space_.role(operand) == Role::kConstant) continue;
    Value& value = values_[operand];
    if (value.stamp != stamp_ - 1) {
      value.stamp = stamp_ - 1;
      value.operand = static_cast<uint32_t>(facts.operands.size());
      facts.operands.push_back({operand});
    }
    facts.operands[value.operand].bytes_read += bytes_through(program_, array_bytes_, id, i);
  }
}

void GroupRules::add_result(InstructionId id, GroupFacts& facts) const {
  const auto users = program_.users(id);
  const bool is_result = program_[program_[id].computation].root == id ||
                         std::any_of(users.begin(), users.end(), [this](InstructionId user) {
                           return values_[user].stamp != stamp_;
                         });
  if (is_result) facts.results.push_back(id);
}

Verdict GroupRules::judge(std::span<const InstructionId> members, const GroupFacts& facts) {
  const FusionLimits& limits = space_.limits();
  const bool several = facts.results.size() > 1;
  if (facts.operands.size() > (several ? limits.multi_output_operands : limits.operands)) {
    return Verdict::kOperands;
  }
  size_t products = 0;
  for (InstructionId id : members) {
    if (space_.role(id) != Role::kMatrix) continue;
    ++products;
    product_ = id;
  }
  if (products > 1) return Verdict::kProducts;
  for (InstructionId id : members) {
    if (!set_stage(id)) return Verdict::kOrder;
  }
  return results_fit(facts) ? Verdict::kValid : Verdict::kResults;
}

bool GroupRules::set_stage(InstructionId id) {
  Value& value = values_[id];
  return join_operands(id, value) && set_stage_by_role(id, value);
}

// Takes over the stage of the operands behind a product or reduction; false when they do not go
// together.
bool GroupRules::join_operands(InstructionId id, Value& value) const {
  for (InstructionId operand : program_.operands(id)) {
    if (!is_member(operand)) continue;
    const Value& other = values_[operand];
    if (other.stage == Stage::kBefore) continue;
    if (other.stage == Stage::kUpdated) return false;
    if (value.stage != Stage::kBefore &&
        (value.behind_product != other.behind_product ||
         program_.shape(value.loops).dimensions != program_.shape(other.loops).dimensions)) {
      return false;
    }
    value.stage = std::max(value.stage, other.stage);
    value.behind_product = other.behind_product;
    value.loops = other.loops;
  }
  return true;
}

bool GroupRules::set_stage_by_role(InstructionId id, Value& value) const {
  const Stage before = value.stage;
  switch (space_.role(id)) {
    case Role::kElementwise:
      return true;
    case Role::kReorder:
      if (before != Stage::kReduced) value.loops = id;
      return true;
    case Role::kReduce:
      if (before == Stage::kBefore) value.loops = program_.operands(id)[0];
      value.stage = Stage::kReduced;
      return before != Stage::kReduced && (before == Stage::kBefore || sums_go(id, value));
    case Role::kWindow:
      value.stage = Stage::kReduced;
      return before == Stage::kBefore;
    case Role::kMatrix:
      value.stage = Stage::kProduct;
      value.behind_product = true;
      return before == Stage::kBefore;
    case Role::kUpdate:
      return set_stage_of_update(id, value);
    default:
      return before == Stage::kBefore;
  }
}

bool GroupRules::sums_go(InstructionId reduction, const Value& value) const {
  const double vmem_bytes = space_.limits().vmem_bytes;
  if (right_operand_fits(program_, product_, vmem_bytes)) return true;
  // Behind a reshape or transpose it is not known which dimensions are the features.
  return value.loops == product_ && !sums_features(program_, product_, reduction);
}

bool GroupRules::set_stage_of_update(InstructionId id, Value& value) const {
  const auto operands = program_.operands(id);
  if (is_member(operands[0])) return false;
  for (InstructionId index : operands.subspan(2)) {
    if (is_member(index) && values_[index].stage != Stage::kBefore) return false;
  }
  if (value.stage == Stage::kBefore) value.loops = operands[1];
  value.stage = Stage::kUpdated;
  return true;
}

bool GroupRules::results_fit(const GroupFacts& facts) const {
  const auto has_product = [this](InstructionId id) { return values_[id].behind_product; };
  const bool any = std::any_of(facts.results.begin(), facts.results.end(), has_product);
  const hlo::Shape* loops = nullptr;
  for (InstructionId result : facts.results) {
    const Value& value = values_[result];
    if (any && !value.behind_product) return false;
    if (facts.results.size() > 1 && program_.shape(result).is_tuple()) return false;
    const hlo::Shape& shape = program_.shape(value.loops);
    if (loops != nullptr && loops->dimensions != shape.dimensions) return false;
    loops = &shape;
  }
  return true;
}

}  // namespace hloscope::fuse
