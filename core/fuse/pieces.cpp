#include "core/fuse/pieces.h"

#include <unordered_map>

namespace hloscope::fuse {

using hlo::InstructionId;

std::optional<std::vector<size_t>> order_of(const hlo::Program& program,
                                            const std::vector<const Members*>& sets) {
  std::unordered_map<InstructionId, size_t> set_of;
  for (size_t i = 0; i < sets.size(); ++i) {
    for (InstructionId id : *sets[i]) set_of[id] = i;
  }
  std::vector<size_t> waiting(sets.size(), 0);          // Uses of other sets.
  std::vector<std::vector<size_t>> users(sets.size());  // One entry per use.
  for (size_t i = 0; i < sets.size(); ++i) {
    for (InstructionId id : *sets[i]) {
      for (InstructionId operand : program.operands(id)) {
        const auto found = set_of.find(operand);
        if (found == set_of.end() || found->second == i) continue;
        ++waiting[i];
        users[found->second].push_back(i);
      }
    }
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < sets.size(); ++i) {
    if (waiting[i] == 0) order.push_back(i);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t user : users[order[i]]) {
      if (--waiting[user] == 0) order.push_back(user);
    }
  }
  if (order.size() < sets.size()) return std::nullopt;
  return order;
}

}  // namespace hloscope::fuse
