#include "core/tune/group_keys.h"

#include <unordered_map>

#include "core/fuse/twins.h"
#include "core/graph/kernel_hasher.h"

namespace hloscope::tune {

using hlo::InstructionId;

GroupKeys::GroupKeys(const fuse::FusionSpace& space)
    : space_(space),
      signature_(space.program().instruction_count()),
      operation_(space.program().instruction_count()),
      place_(space.program().instruction_count()) {
  find_signatures();
  find_operations();
}

void GroupKeys::find_signatures() {
  graph::KernelHasher hasher(space_.program());
  std::unordered_map<Hash128, uint32_t> numbers;
  for (InstructionId id : space_.program().instructions()) {
    signature_[id] =
        numbers.try_emplace(hasher.of(id), static_cast<uint32_t>(numbers.size())).first->second;
  }
}

void GroupKeys::find_operations() {
  // Equal operations have equal opcodes and shapes.
  std::unordered_multimap<uint64_t, InstructionId> by_kind;
  uint32_t count = 0;
  const hlo::Program& program = space_.program();
  for (InstructionId id : program.instructions()) {
    const uint64_t kind = uint64_t{program[id].shape.value} << 32 |
                          uint64_t{program[id].literal} << 8 |
                          static_cast<uint64_t>(program[id].opcode);
    InstructionId same;
    for (auto [at, end] = by_kind.equal_range(kind); at != end && !same.valid(); ++at) {
      if (fuse::same_operation(program, at->second, id)) same = at->second;
    }
    operation_[id] = same.valid() ? operation_[same] : count++;
    if (!same.valid()) by_kind.emplace(kind, id);
  }
  first_.resize(count);
}

Hash128 GroupKeys::of(const fuse::Group& group) {
  ++stamp_;
  next_place_ = 0;
  words_.clear();
  for (InstructionId id : group.members) add_member(id);
  for (InstructionId id : group.facts.results) words_.add(uint64_t{place_[id].place});
  words_.add(uint64_t{group.members.size()} << 1 | (group.facts.is_plain ? 1 : 0));
  return words_.digest();
}

void GroupKeys::add_member(InstructionId id) {
  words_.add(uint64_t{signature_[id]} << 32 | first_of_operation(id));
  for (InstructionId operand : space_.program().operands(id)) words_.add(place_of(operand));
  place_[id] = {stamp_, next_place_++};
}

// Members and operands are numbered as they come; what is met first with an own number is read from
// outside. Constants outside are copied, and equal ones become one.
uint64_t GroupKeys::place_of(InstructionId operand) {
  Mark& mark = place_[operand];
  if (mark.stamp == stamp_) return mark.place;
  mark = {stamp_, next_place_++};
  const bool is_constant = space_.role(operand) == fuse::Role::kConstant;
  if (is_constant) words_.add(first_of_operation(operand));
  return uint64_t{mark.place} | (is_constant ? uint64_t{2} : uint64_t{1}) << 32;
}

uint64_t GroupKeys::first_of_operation(InstructionId id) {
  Mark& mark = first_[operation_[id]];
  if (mark.stamp != stamp_) mark = {stamp_, next_place_};
  return mark.place;
}

}  // namespace hloscope::tune
