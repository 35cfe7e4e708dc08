#include "core/fuse/twins.h"

#include <algorithm>
#include <unordered_map>

namespace hloscope::fuse {

using hlo::Attribute;
using hlo::AttrKey;
using hlo::AttrKind;
using hlo::InstructionId;

namespace {

bool same_attribute(const hlo::Program& program, const Attribute& a, const Attribute& b) {
  if (a.key() != b.key() || a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case AttrKind::kBool:
    case AttrKind::kInt:
    case AttrKind::kDouble:
    case AttrKind::kLiteral:
      return a.integer() == b.integer();
    case AttrKind::kText:
    case AttrKind::kRaw:
      return a.text() == b.text();
    default:
      break;
  }
  const auto x = program.ints(a);
  const auto y = program.ints(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

std::vector<Attribute> attributes_without_metadata(const hlo::Program& program, InstructionId id) {
  std::vector<Attribute> out;
  for (const Attribute& attribute : program.attributes(id)) {
    if (attribute.key() != AttrKey::kMetadata) out.push_back(attribute);
  }
  return out;
}

}  // namespace

bool same_operation(const hlo::Program& program, InstructionId a, InstructionId b) {
  if (program[a].opcode != program[b].opcode || program[a].shape != program[b].shape ||
      program[a].literal != program[b].literal || program[a].number != program[b].number) {
    return false;
  }
  const std::vector<Attribute> x = attributes_without_metadata(program, a);
  const std::vector<Attribute> y = attributes_without_metadata(program, b);
  return std::equal(
      x.begin(), x.end(), y.begin(), y.end(),
      [&program](const Attribute& i, const Attribute& k) { return same_attribute(program, i, k); });
}

IndexedVector<InstructionId, InstructionId> find_twins(
    const hlo::Program& program, const IndexedVector<InstructionId, Role>& roles) {
  IndexedVector<InstructionId, InstructionId> first(program.instruction_count());
  IndexedVector<InstructionId, uint8_t> has_twin(program.instruction_count(), 0);
  std::unordered_multimap<uint64_t, InstructionId> by_hash;
  const auto equal = [&](InstructionId a, InstructionId b) {
    const auto x = program.operands(a);
    const auto y = program.operands(b);
    return program[a].computation == program[b].computation && same_operation(program, a, b) &&
           std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [&first](InstructionId i, InstructionId k) { return first[i] == first[k]; });
  };
  for (InstructionId id : program.instructions()) {
    first[id] = id;
    if (roles[id] == Role::kNever) continue;
    uint64_t hash =
        uint64_t{program[id].computation.value} * 131 + static_cast<uint64_t>(program[id].opcode);
    for (InstructionId operand : program.operands(id)) {
      hash = hash * 1099511628211ULL + first[operand].value;
    }
    hash = hash * 1099511628211ULL + program[id].literal;
    for (auto [it, end] = by_hash.equal_range(hash); it != end; ++it) {
      if (!equal(it->second, id)) continue;
      first[id] = it->second;
      has_twin[it->second] = 1;
      break;
    }
    if (first[id] == id) by_hash.emplace(hash, id);
  }
  for (InstructionId id : program.instructions()) {
    if (has_twin[first[id]] == 0) first[id] = InstructionId();
  }
  return first;
}

}  // namespace hloscope::fuse
