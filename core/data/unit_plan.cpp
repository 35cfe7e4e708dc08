#include "core/data/unit_plan.h"

#include <algorithm>

#include "core/base/rng.h"

namespace hloscope::data {

namespace {

using Units = std::vector<PlannedUnit>;

// Default fusions of all programs first, then further configurations in turn.
Units plan_family(std::span<const ListedProgram> programs, uint32_t first, int64_t count) {
  Units units;
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < programs.size(); ++i) {
    units.push_back({first + i, 0});
    if (!programs[i].is_compiled) open.push_back(first + i);
  }
  for (int64_t configuration = 1; !open.empty(); ++configuration) {
    for (uint32_t program : open) {
      if (static_cast<int64_t>(units.size()) >= count) return units;
      units.push_back({program, configuration});
    }
  }
  return units;
}

void shuffle(std::span<PlannedUnit> units, uint64_t seed) {
  Rng rng(seed);
  for (size_t i = units.size(); i > 1; --i) std::swap(units[i - 1], units[rng.below(i)]);
}

}  // namespace

std::vector<PlannedUnit> plan_units(std::span<const ListedProgram> programs, int64_t per_family) {
  std::vector<Units> families;
  for (size_t first = 0; first < programs.size();) {
    size_t end = first;
    while (end < programs.size() && programs[end].source.family == programs[first].source.family) {
      ++end;
    }
    families.push_back(plan_family(programs.subspan(first, end - first),
                                   static_cast<uint32_t>(first), per_family));
    first = end;
  }
  Units units;
  for (uint64_t turn = 0; true; ++turn) {
    const size_t before = units.size();
    for (const Units& family : families) {
      if (turn < family.size()) units.push_back(family[turn]);
    }
    if (units.size() == before) return units;
    shuffle(std::span(units).subspan(before), turn);
  }
}

}  // namespace hloscope::data
