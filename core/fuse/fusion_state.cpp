#include "core/fuse/fusion_state.h"

#include <algorithm>

#include "core/fuse/footprint.h"

namespace hloscope::fuse {

using hlo::InstructionId;

FusionState::FusionState(const FusionSpace& space)
    : space_(space),
      program_(space.program()),
      rules_(space),
      order_([this](GroupId group, bool forward, const GroupOrder::Visit& visit) {
        visit_neighbours(group, forward, visit);
      }),
      group_of_(space.program().instruction_count()),
      config_(space.none()),
      bodies_(std::make_unique<GroupBodies>(space)) {
  // Guests stand before their hosts, so the host's group is made when all of it is known.
  IndexedVector<InstructionId, Members> members(program_.instruction_count());
  for (InstructionId id : program_.instructions()) {
    members[id].push_back(id);
    std::sort(members[id].begin(), members[id].end());
    const InstructionId host = space.host(id);
    if (host.valid()) {
      members[host].insert(members[host].end(), members[id].begin(), members[id].end());
      continue;
    }
    const GroupId group = new_id();
    install(group, make_group(members[id]));
    order_.push_back(group);
  }
}

FusionState::~FusionState() = default;

void FusionState::visit_neighbours(GroupId group, bool forward,
                                   const GroupOrder::Visit& visit) const {
  for (InstructionId id : groups_[group].members) {
    for (InstructionId next : forward ? program_.users(id) : program_.operands(id)) {
      visit(group_of_[next]);
    }
    for (InstructionId next : forward ? space_.successors(id) : space_.predecessors(id)) {
      visit(group_of_[next]);
    }
  }
}

Group FusionState::make_group(Members members) {
  std::sort(members.begin(), members.end());
  Group group;
  group.executions = space_.executions(members.front());
  group.facts = rules_.examine(members);
  group.members = std::move(members);
  return group;
}

bool FusionState::fits_vmem(const Group& group) {
  if (surely_fits(space_, group)) return true;
  uint64_t hash = 1469598103934665603ULL;  // FNV-1a
  for (InstructionId id : group.members) hash = (hash ^ id.value) * 1099511628211ULL;
  const auto [known, is_new] = fits_.try_emplace(hash, true);
  if (is_new)
    known->second = least_footprint(space_, group, *bodies_) <= space_.limits().vmem_bytes;
  return known->second;
}

Verdict FusionState::plan_merge(const std::vector<GroupId>& groups, std::vector<Group>& added) {
  Members members;
  for (GroupId id : groups) {
    members.insert(members.end(), groups_[id].members.begin(), groups_[id].members.end());
  }
  if (members.size() > space_.limits().instructions) return Verdict::kSize;
  added.push_back(make_group(std::move(members)));
  const Group& merged = added.back();
  if (merged.facts.verdict != Verdict::kValid) return merged.facts.verdict;
  if (order_.makes_cycle(groups)) return Verdict::kCycle;
  return fits_vmem(merged) ? Verdict::kValid : Verdict::kVmem;
}

// The parts of the group that set edges other than `edge` hold together.
std::vector<Members> FusionState::pieces_without(GroupId group, EdgeId edge) {
  const Members& members = groups_[group].members;
  std::unordered_map<InstructionId, bool> seen;
  std::vector<Members> pieces;
  for (InstructionId start : members) {
    if (seen[start]) continue;
    seen[start] = true;
    Members piece = {start};
    const auto add = [&](InstructionId id) {
      if (id.valid() && !std::exchange(seen[id], true)) piece.push_back(id);
    };
    for (size_t i = 0; i < piece.size(); ++i) {
      const InstructionId id = piece[i];
      add(space_.host(id));
      for (InstructionId guest : space_.guests(id)) add(guest);
      for (EdgeId other : space_.edges_of(id)) {
        if (other == edge || config_[other.value] == 0) continue;
        add(space_[other].first);
        add(space_[other].second);
      }
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

Verdict FusionState::plan_split(EdgeId edge, std::vector<Group>& added) {
  std::vector<Members> pieces = pieces_without(group_of_[space_[edge].first], edge);
  if (pieces.size() == 1) return Verdict::kValid;
  std::vector<const Members*> sets;
  for (Members& piece : pieces) {
    added.push_back(make_group(std::move(piece)));
    if (added.back().facts.verdict != Verdict::kValid) return added.back().facts.verdict;
    if (!fits_vmem(added.back())) return Verdict::kVmem;
  }
  sets.reserve(added.size());
  for (const Group& group : added) sets.push_back(&group.members);
  const auto order = order_of(program_, sets);
  if (!order) return Verdict::kCycle;
  std::vector<Group> sorted;
  sorted.reserve(added.size());
  for (size_t i : *order) sorted.push_back(std::move(added[i]));
  added = std::move(sorted);
  return Verdict::kValid;
}

Verdict FusionState::plan(EdgeId edge, std::vector<GroupId>& removed, std::vector<Group>& added) {
  const GroupId a = group_of_[space_[edge].first];
  const GroupId b = group_of_[space_[edge].second];
  Verdict verdict = Verdict::kValid;
  if (config_[edge.value] != 0) {
    verdict = plan_split(edge, added);
    if (!added.empty()) removed = {a};
  } else if (a != b) {
    removed = {a, b};
    verdict = plan_merge(removed, added);
  }
  return verdict;
}

FusionState::Outlook FusionState::look(EdgeId edge) {
  std::vector<GroupId> removed;
  std::vector<Group> added;
  Outlook outlook{plan(edge, removed, added)};
  for (GroupId id : removed) outlook.bytes_change -= groups_[id].bytes();
  for (const Group& group : added) outlook.bytes_change += group.bytes();
  return outlook;
}

FlipResult FusionState::flip(EdgeId edge) {
  Step step{edge, {}, {}, {}};
  std::vector<Group> added;
  const Verdict verdict = plan(edge, step.removed, added);
  if (verdict != Verdict::kValid) return {verdict, {}, {}};
  config_[edge.value] ^= 1;
  commit_plan(std::move(step), std::move(added));
  return {verdict, history_.back().removed, history_.back().added};
}

GroupId FusionState::new_id() {
  if (free_ids_.empty()) return groups_.push_back({});
  const GroupId id = free_ids_.back();
  free_ids_.pop_back();
  return id;
}

void FusionState::install(GroupId id, Group group) {
  for (InstructionId member : group.members) group_of_[member] = id;
  bytes_ += group.bytes();
  groups_[id] = std::move(group);
}

void FusionState::commit_plan(Step step, std::vector<Group> added) {
  step.old_bytes = bytes_;
  for (size_t i = 0; i < added.size(); ++i) step.added.push_back(new_id());
  if (step.removed.size() > 1) {
    order_.merge(step.removed, step.added[0]);
  } else if (!step.removed.empty()) {
    order_.split(step.removed[0], step.added);
  }
  for (GroupId id : step.removed) {
    bytes_ -= groups_[id].bytes();
    step.old_groups.push_back(std::exchange(groups_[id], {}));
    free_ids_.push_back(id);
  }
  for (size_t i = 0; i < added.size(); ++i) install(step.added[i], std::move(added[i]));
  history_.push_back(std::move(step));
}

bool FusionState::undo() {
  if (history_.empty()) return false;
  Step step = std::move(history_.back());
  history_.pop_back();
  config_[step.edge.value] ^= 1;
  free_ids_.resize(free_ids_.size() - step.removed.size());  // They were freed last.
  if (step.added.size() > 1) {
    order_.merge(step.added, step.removed[0]);
  } else if (!step.added.empty()) {
    std::vector<const Members*> sets;
    sets.reserve(step.old_groups.size());
    for (const Group& group : step.old_groups) sets.push_back(&group.members);
    const std::vector<size_t> order = order_of(program_, sets).value();
    std::vector<GroupId> pieces;
    pieces.reserve(order.size());
    for (size_t i : order) pieces.push_back(step.removed[i]);
    order_.split(step.added[0], pieces);
  }
  for (auto it = step.added.rbegin(); it != step.added.rend(); ++it) {
    groups_[*it] = {};
    free_ids_.push_back(*it);
  }
  for (size_t i = 0; i < step.removed.size(); ++i) {
    install(step.removed[i], std::move(step.old_groups[i]));
  }
  bytes_ = step.old_bytes;
  return true;
}

namespace {

// Sets of instructions that edges connect.
class Components {
 public:
  explicit Components(size_t count) : parent_(count) {
    for (size_t i = 0; i < count; ++i) parent_[i] = static_cast<uint32_t>(i);
  }
  uint32_t find(InstructionId id) {
    uint32_t i = id.value;
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(InstructionId a, InstructionId b) { parent_[find(a)] = find(b); }

 private:
  std::vector<uint32_t> parent_;
};

}  // namespace

void FusionState::take_component(const std::vector<EdgeId>& edges) {
  std::vector<GroupId> groups;
  for (EdgeId edge : edges) {
    groups.push_back(group_of_[space_[edge].first]);
    groups.push_back(group_of_[space_[edge].second]);
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  std::vector<Group> added;
  if (groups.size() > 1) {
    if (plan_merge(groups, added) != Verdict::kValid) return;
    commit_plan({edges[0], groups, {}, {}}, std::move(added));
  }
  for (EdgeId edge : edges) config_[edge.value] = 1;
}

void FusionState::take(const FusionConfig& wanted) {
  Components components(program_.instruction_count());
  for (InstructionId id : program_.instructions()) {
    if (space_.host(id).valid()) components.join(id, space_.host(id));
  }
  for (EdgeId edge : space_.edges()) {
    if (wanted[edge.value] != 0) components.join(space_[edge].first, space_[edge].second);
  }
  std::unordered_map<uint32_t, size_t> positions;
  std::vector<std::vector<EdgeId>> by_component;
  for (EdgeId edge : space_.edges()) {
    if (wanted[edge.value] == 0 || config_[edge.value] != 0) continue;
    const auto [at, is_new] =
        positions.try_emplace(components.find(space_[edge].first), by_component.size());
    if (is_new) by_component.emplace_back();
    by_component[at->second].push_back(edge);
  }
  for (const std::vector<EdgeId>& edges : by_component) take_component(edges);
  for (bool changed = true; changed;) {
    changed = false;
    for (EdgeId edge : space_.edges()) {
      if (wanted[edge.value] == 0 || config_[edge.value] != 0) continue;
      changed = flip(edge).verdict == Verdict::kValid || changed;
      commit();
    }
  }
  commit();
}

}  // namespace hloscope::fuse
