#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/fuse/group_order.h"
#include "core/fuse/group_rules.h"
#include "core/fuse/pieces.h"

namespace hloscope::fuse {

class GroupBodies;

/// Instructions that are one kernel, or one instruction that is none.
struct Group {
  std::vector<hlo::InstructionId> members;  ///< In program order.
  GroupFacts facts;
  double executions = 0;
  /// Of one run of the program.
  [[nodiscard]] double bytes() const {
    return executions * (facts.bytes_read + facts.bytes_written);
  }
};

/// What a flip did. Ids of groups that are gone may be given to groups that come later.
struct FlipResult {
  Verdict verdict = Verdict::kValid;  ///< Otherwise nothing has changed.
  std::vector<GroupId> removed;
  std::vector<GroupId> added;
};

/// A configuration and the kernels that come of it. Every state is valid: the kernels can run one
/// after the other, and each obeys GroupRules. Two instructions are in one kernel when set edges
/// lead from one to the other.
class FusionState {
 public:
  /// Nothing fused. The space is kept.
  explicit FusionState(const FusionSpace& space);
  FusionState(const FusionState&) = delete;
  FusionState& operator=(const FusionState&) = delete;
  ~FusionState();

  [[nodiscard]] const FusionSpace& space() const { return space_; }
  [[nodiscard]] const FusionConfig& config() const { return config_; }
  [[nodiscard]] double bytes() const { return bytes_; }  ///< Of all kernels, of one run.

  /// Sets an edge that is not set, or clears one that is. Not valid: what would not be a valid
  /// state; taking an edge out of a fusion may be that as well.
  FlipResult flip(EdgeId edge);
  /// What flip() would say, and how many bytes more there would be afterwards.
  struct Outlook {
    Verdict verdict = Verdict::kValid;
    double bytes_change = 0;
  };
  [[nodiscard]] Outlook look(EdgeId edge);
  /// Takes the last flip back that was valid and is not undone yet. False without one.
  bool undo();
  /// Makes all flips so far final: there is nothing to undo.
  void commit() { history_.clear(); }

  /// Sets the edges of `wanted` on top of what is set: first sets of connected edges as a whole,
  /// in order of their first edge; of those that are not valid single edges in order, again and
  /// again until none can be set. A configuration that a state has is taken as it is. Final.
  void take(const FusionConfig& wanted);

  [[nodiscard]] GroupId group_of(hlo::InstructionId id) const { return group_of_[id]; }
  [[nodiscard]] const Group& group(GroupId id) const { return groups_[id]; }
  /// Ids go from 0; those of groups that are gone have no members.
  [[nodiscard]] size_t group_limit() const { return groups_.size(); }

 private:
  struct Step {
    EdgeId edge;
    std::vector<GroupId> removed, added;
    std::vector<Group> old_groups;  // Those removed.
    double old_bytes = 0;
  };

  Verdict plan(EdgeId edge, std::vector<GroupId>& removed, std::vector<Group>& added);
  Verdict plan_merge(const std::vector<GroupId>& groups, std::vector<Group>& added);
  Verdict plan_split(EdgeId edge, std::vector<Group>& added);
  [[nodiscard]] Group make_group(Members members);
  [[nodiscard]] bool fits_vmem(const Group& group);
  [[nodiscard]] std::vector<Members> pieces_without(GroupId group, EdgeId edge);
  void commit_plan(Step step, std::vector<Group> added);
  void install(GroupId id, Group group);
  GroupId new_id();
  void take_component(const std::vector<EdgeId>& edges);
  void visit_neighbours(GroupId group, bool forward, const GroupOrder::Visit& visit) const;

  const FusionSpace& space_;
  const hlo::Program& program_;
  GroupRules rules_;
  GroupOrder order_;
  IndexedVector<GroupId, Group> groups_;
  std::vector<GroupId> free_ids_;
  IndexedVector<hlo::InstructionId, GroupId> group_of_;
  FusionConfig config_;
  double bytes_ = 0;
  std::vector<Step> history_;
  std::unordered_map<uint64_t, bool> fits_;  ///< By hash of the members.
  std::unique_ptr<GroupBodies> bodies_;
};

}  // namespace hloscope::fuse
