#include "core/fuse/clean_up.h"
#include "core/fuse/opcode_rules.h"

namespace hloscope::fuse {

using hlo::InstructionId;
using hlo::Opcode;

namespace {

class Duplicator {
 public:
  explicit Duplicator(Draft& draft)
      : draft_(draft), has_control_(controlled(draft)), users_(draft.nodes.size()) {}

  void run() {
    for (DraftComputation& computation : draft_.computations) {
      find_users(computation);
      // Users first: their copies are users of what they read.
      for (auto it = computation.order.rbegin(); it != computation.order.rend(); ++it) {
        if (*it != computation.root) duplicate(*it);
      }
      place(computation);
    }
  }

 private:
  void find_users(const DraftComputation& computation) {
    for (DraftId id : computation.order) {
      for (DraftId operand : draft_.nodes[id].operands) {
        std::vector<DraftId>& users = users_[operand];
        if (users.empty() || users.back() != id) users.push_back(id);
      }
    }
  }

  Role role(DraftId id) const {
    if (has_control_.contains(id) && has_control_[id] != 0) return Role::kNever;
    return role_of(draft_.source, draft_.nodes[id].origin);
  }

  int64_t bytes(DraftId id) const {
    return draft_.source.shapes().byte_size(draft_.origin(id).shape);
  }

  // Broadcasts and single operations without transcendental functions.
  bool is_light(DraftId id) const {
    if (draft_.nodes[id].operands.size() != 1) return false;
    switch (role(id)) {
      case Role::kBroadcast:
      case Role::kMove:
        return true;
      case Role::kElementwise:
        return hlo::info(draft_.opcode(id)).flop_rule != hlo::FlopRule::kTranscendental;
      case Role::kReorder:
        return draft_.opcode(id) != Opcode::kTranspose;
      default:
        return false;
    }
  }

  bool is_cheap(DraftId id) const {
    if (role(id) == Role::kNever) return false;
    if (is_trivial(draft_.source, draft_.nodes[id].origin)) return true;
    if (!is_light(id)) return false;
    const DraftId operand = draft_.nodes[id].operands[0];
    // Of a slice only what it takes is read.
    const int64_t read = draft_.opcode(id) == Opcode::kSlice ? bytes(id) : bytes(operand);
    return read < bytes(id) || (read == bytes(id) && role(operand) == Role::kNever);
  }

  void duplicate(DraftId id) {
    const std::vector<DraftId> users = users_[id];
    if (users.size() < 2 || !is_cheap(id)) return;
    // The original stays with the users that cannot be fused, else with the first one.
    bool original_is_taken = false;
    for (DraftId user : users) original_is_taken |= role(user) == Role::kNever;
    for (DraftId user : users) {
      if (role(user) == Role::kNever) continue;
      if (!original_is_taken) {
        original_is_taken = true;
        continue;
      }
      copy_for(id, user);
    }
  }

  void copy_for(DraftId id, DraftId user) {
    const DraftNode original = draft_.nodes[id];
    const DraftId copy = draft_.nodes.push_back({original.origin, original.operands, {}});
    for (DraftId& operand : draft_.nodes[user].operands) {
      if (operand == id) operand = copy;
    }
    std::erase(users_[id], user);
    users_.push_back({user});
    for (DraftId operand : original.operands) {
      if (users_[operand].back() != copy) users_[operand].push_back(copy);
    }
    before_.resize(draft_.nodes.size());
    before_[user].push_back(copy);
  }

  // Copies stand right before their users.
  void place(DraftComputation& computation) {
    before_.resize(draft_.nodes.size());
    std::vector<DraftId> open(computation.order.rbegin(), computation.order.rend());
    std::vector<DraftId> order;
    while (!open.empty()) {
      const DraftId id = open.back();
      std::vector<DraftId> copies = std::move(before_[id]);
      before_[id].clear();
      if (copies.empty()) {
        order.push_back(id);
        open.pop_back();
      } else {
        open.insert(open.end(), copies.rbegin(), copies.rend());
      }
    }
    computation.order = std::move(order);
  }

  Draft& draft_;
  IndexedVector<DraftId, uint8_t> has_control_;
  IndexedVector<DraftId, std::vector<DraftId>> users_;   // Each once.
  IndexedVector<DraftId, std::vector<DraftId>> before_;  // Copies made for a user.
};

}  // namespace

void duplicate_cheap(Draft& draft) {
  Duplicator(draft).run();
}

}  // namespace hloscope::fuse
