#include "core/fuse/group_order.h"

#include <algorithm>

namespace hloscope::fuse {

void GroupOrder::put(GroupId group, uint32_t place) {
  if (place_.size() <= group.value) place_.resize(group.value + 1, 0);
  place_[group.value] = place;
  at_[place] = group;
}

void GroupOrder::push_back(GroupId group) {
  at_.emplace_back();
  put(group, static_cast<uint32_t>(at_.size() - 1));
}

void GroupOrder::mark(GroupId group, uint32_t stamp) {
  if (marks_.size() <= group.value) marks_.resize(group.value + 1, 0);
  marks_[group.value] = stamp;
}

std::vector<GroupId> GroupOrder::reach(std::span<const GroupId> groups, bool forward,
                                       uint32_t limit) {
  stamp_ += 2;
  hit_ = false;
  std::vector<GroupId> open(groups.begin(), groups.end());
  for (GroupId group : groups) mark(group, stamp_);
  std::vector<GroupId> found;
  bool from_outside = false;
  const Visit visit = [&](GroupId next) {
    const uint32_t known = mark_of(next);
    if (known >= stamp_) {
      // Back in `groups` by way of another one: those have no place in `found`.
      hit_ = hit_ || (from_outside && known == stamp_);
      return;
    }
    const uint32_t place = place_[next.value];
    if (forward ? place > limit : place < limit) return;
    mark(next, stamp_ + 1);
    found.push_back(next);
    open.push_back(next);
  };
  const size_t starts = open.size();
  for (size_t i = 0; i < open.size(); ++i) {
    from_outside = i >= starts;
    const GroupId group = open[i];
    neighbours_(group, forward, visit);
    if (hit_) break;
  }
  return found;
}

void GroupOrder::sort_by_place(std::vector<GroupId>& groups) const {
  std::sort(groups.begin(), groups.end(),
            [this](GroupId a, GroupId b) { return place_[a.value] < place_[b.value]; });
}

bool GroupOrder::makes_cycle(std::span<const GroupId> groups) {
  uint32_t last = 0;
  for (GroupId group : groups) last = std::max(last, place_[group.value]);
  (void)reach(groups, true, last);
  return hit_;
}

void GroupOrder::merge(std::span<const GroupId> groups, GroupId merged) {
  uint32_t first = ~0U;
  uint32_t last = 0;
  for (GroupId group : groups) {
    first = std::min(first, place_[group.value]);
    last = std::max(last, place_[group.value]);
  }
  std::vector<GroupId> after = reach(groups, true, last);
  std::vector<GroupId> before = reach(groups, false, first);
  sort_by_place(after);
  sort_by_place(before);
  std::vector<uint32_t> places;
  for (const auto& list : {before, after}) {
    for (GroupId group : list) places.push_back(place_[group.value]);
  }
  for (GroupId group : groups) places.push_back(place_[group.value]);
  std::sort(places.begin(), places.end());
  for (uint32_t place : places) at_[place] = GroupId();
  // Fewer groups than places: what comes before takes the first ones, what comes after the last.
  for (size_t i = 0; i < before.size(); ++i) put(before[i], places[i]);
  put(merged, places[before.size()]);
  const size_t offset = places.size() - after.size();
  for (size_t i = 0; i < after.size(); ++i) put(after[i], places[offset + i]);
}

void GroupOrder::make_room(uint32_t place, size_t count) {
  std::vector<GroupId> moved;
  size_t end = place;
  for (size_t holes = 0; holes < count; ++end) {
    if (end == at_.size()) at_.emplace_back();
    if (at_[end].valid()) {
      moved.push_back(at_[end]);
      at_[end] = GroupId();
    } else {
      ++holes;
    }
  }
  size_t to = end - moved.size();
  for (GroupId group : moved) put(group, static_cast<uint32_t>(to++));
}

void GroupOrder::split(GroupId group, std::span<const GroupId> pieces) {
  const uint32_t place = place_[group.value];
  at_[place] = GroupId();
  make_room(place, pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i) put(pieces[i], place + static_cast<uint32_t>(i));
}

}  // namespace hloscope::fuse
