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
/// each. Units are worked out when they are asked for: the memory does not grow with their number.
class UnitPlan {
 public:
  /// `programs` are sorted by family.
  UnitPlan(std::span<const ListedProgram> programs, int64_t per_family);

  [[nodiscard]] int64_t size() const { return size_; }
  /// Of `number` in [0, size()). Fast where numbers follow each other.
  [[nodiscard]] PlannedUnit unit(int64_t number);

 private:
  struct Family {
    uint32_t first = 0;
    int64_t programs = 0;
    std::vector<uint32_t> open;  ///< Programs with more than their default fusion.
    int64_t units = 0;
  };
  /// Turns from `turn` on have `families` units each, up to the next stretch.
  struct Stretch {
    int64_t turn = 0;
    int64_t number = 0;  ///< Of its first unit.
    int64_t families = 0;
  };

  [[nodiscard]] static Family family_of(std::span<const ListedProgram> programs, uint32_t first,
                                        int64_t per_family);
  [[nodiscard]] static PlannedUnit unit_of(const Family& family, int64_t turn);
  void find_stretches();
  void begin_turn(int64_t turn);

  std::vector<Family> families_;
  std::vector<Stretch> stretches_;
  int64_t size_ = 0;
  int64_t turn_ = -1;  ///< That `units_` belong to.
  std::vector<PlannedUnit> units_;
};

}  // namespace hloscope::data
