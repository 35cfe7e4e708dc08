#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/base/index.h"

namespace hloscope::fuse {

struct GroupTag;
using GroupId = Index<GroupTag>;

/// An order of groups in which every group comes after those that it needs, kept up to date as
/// groups are merged and split. A cycle can only lie between the places of the groups that are
/// merged, so only those are searched (D. Pearce and P. Kelly, "A dynamic topological sort
/// algorithm for directed acyclic graphs", 2007).
class GroupOrder {
 public:
  /// Calls back with every group that `group` reads (forward = false) or that reads it (true);
  /// itself and repeats allowed.
  using Visit = std::function<void(GroupId)>;
  using Neighbours = std::function<void(GroupId group, bool forward, const Visit& visit)>;

  explicit GroupOrder(Neighbours neighbours) : neighbours_(std::move(neighbours)) {}

  void push_back(GroupId group);
  /// Whether one group in the place of all of `groups` would need itself.
  [[nodiscard]] bool makes_cycle(std::span<const GroupId> groups);
  /// `merged` takes the place of `groups`. Before the neighbours know of it, and only when
  /// makes_cycle() is false.
  void merge(std::span<const GroupId> groups, GroupId merged);
  /// `pieces`, in an order that is right among themselves, take the place of `group`.
  void split(GroupId group, std::span<const GroupId> pieces);

 private:
  /// Groups outside of `groups` that can be reached from them, up to place `limit`.
  [[nodiscard]] std::vector<GroupId> reach(std::span<const GroupId> groups, bool forward,
                                           uint32_t limit);
  void sort_by_place(std::vector<GroupId>& groups) const;
  void mark(GroupId group, uint32_t stamp);
  [[nodiscard]] uint32_t mark_of(GroupId group) const {
    return group.value < marks_.size() ? marks_[group.value] : 0;
  }
  void put(GroupId group, uint32_t place);
  void make_room(uint32_t place, size_t count);

  Neighbours neighbours_;
  std::vector<GroupId> at_;      ///< By place; invalid: a hole.
  std::vector<uint32_t> place_;  ///< By GroupId.
  std::vector<uint32_t> marks_;  ///< By GroupId.
  uint32_t stamp_ = 0;  ///< Of where the last reach() started; stamp_ + 1: of what it found.
  bool hit_ = false;    ///< The last reach() came back to its start.
};

}  // namespace hloscope::fuse
