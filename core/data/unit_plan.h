#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/program_list.h"

namespace hloscope::data {

/// A piece of the work: one fusion configuration of one program.
struct PlannedUnit {
  uint32_t program = 0;
  int64_t configuration = 0;  ///< 0: the default fusion.
  bool operator==(const PlannedUnit&) const = default;
};

/// The units of a data set, in the order of their numbers. Families take turns, and within a family
/// its programs do, so that every family gets `per_family` configurations whether it has one
/// program or fifty, and any beginning of the list is balanced too. Every program has at least its
/// default fusion (a family then gets more). The order of the families changes from turn to turn,
/// as otherwise a number of shards that shares a factor with theirs would part them. A compiled
/// program has nothing but its own kernels, so a family of compiled programs gets one unit for
/// each.
[[nodiscard]] std::vector<PlannedUnit> plan_units(std::span<const ListedProgram> programs,
                                                  int64_t per_family);

}  // namespace hloscope::data
