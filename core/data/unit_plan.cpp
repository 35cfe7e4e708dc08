#include "core/data/unit_plan.h"

#include <algorithm>

#include "core/base/rng.h"

namespace hloscope::data {

UnitPlan::UnitPlan(std::span<const ListedProgram> programs, int64_t per_family) {
  for (size_t first = 0; first < programs.size();) {
    size_t end = first;
    while (end < programs.size() && programs[end].source.family == programs[first].source.family) {
      ++end;
    }
    families_.push_back(
        family_of(programs.subspan(first, end - first), static_cast<uint32_t>(first), per_family));
    first = end;
  }
  find_stretches();
}

UnitPlan::Family UnitPlan::family_of(std::span<const ListedProgram> programs, uint32_t first,
                                     int64_t per_family) {
  Family out;
  out.first = first;
  out.programs = std::ssize(programs);
  for (uint32_t i = 0; i < programs.size(); ++i) {
    if (!programs[i].is_compiled) out.open.push_back(first + i);
  }
  out.units = out.open.empty() ? out.programs : std::max(out.programs, per_family);
  return out;
}

// Default fusions of all programs first, then further configurations in turn.
PlannedUnit UnitPlan::unit_of(const Family& family, int64_t turn) {
  if (turn < family.programs) return {family.first + static_cast<uint32_t>(turn), 0};
  const int64_t further = turn - family.programs;
  const int64_t open = std::ssize(family.open);
  return {family.open[static_cast<size_t>(further % open)], 1 + further / open};
}

void UnitPlan::find_stretches() {
  std::vector<int64_t> ends;
  for (const Family& family : families_) ends.push_back(family.units);
  std::sort(ends.begin(), ends.end());
  int64_t turn = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    const int64_t families = std::ssize(ends) - static_cast<int64_t>(i);
    if (ends[i] == turn) continue;
    stretches_.push_back({turn, size_, families});
    size_ += (ends[i] - turn) * families;
    turn = ends[i];
  }
}

void UnitPlan::begin_turn(int64_t turn) {
  turn_ = turn;
  units_.clear();
  for (const Family& family : families_) {
    if (turn < family.units) units_.push_back(unit_of(family, turn));
  }
  Rng rng(static_cast<uint64_t>(turn));
  shuffle(std::span(units_), rng);
}

PlannedUnit UnitPlan::unit(int64_t number) {
  const auto after =
      std::upper_bound(stretches_.begin(), stretches_.end(), number,
                       [](int64_t n, const Stretch& stretch) { return n < stretch.number; });
  const Stretch& stretch = *std::prev(after);
  const int64_t offset = number - stretch.number;
  const int64_t turn = stretch.turn + offset / stretch.families;
  if (turn != turn_) begin_turn(turn);
  return units_[static_cast<size_t>(offset % stretch.families)];
}

}  // namespace hloscope::data
