#pragma once

#include <vector>

#include "core/base/hash.h"
#include "core/fuse/fusion_state.h"
#include "core/graph/word_buffer.h"

namespace hloscope::tune {

/// Keys of the kernels that groups become, without writing them: equal keys of groups of one space
/// mean equal kernels up to names, metadata and values of constants. Unlike graph::canonical_hash()
/// the order of independent instructions counts, so that even the last bits of a time are the same.
class GroupKeys {
 public:
  explicit GroupKeys(const fuse::FusionSpace& space);

  [[nodiscard]] Hash128 of(const fuse::Group& group);

 private:
  void find_signatures();
  void find_operations();
  void add_member(hlo::InstructionId id);
  [[nodiscard]] uint64_t place_of(hlo::InstructionId operand);
  [[nodiscard]] uint64_t first_of_operation(hlo::InstructionId id);

  struct Mark {
    uint32_t stamp = 0;
    uint32_t place = 0;
  };

  const fuse::FusionSpace& space_;
  /// Equal for instructions with equal work on operands of equal shapes.
  IndexedVector<hlo::InstructionId, uint32_t> signature_;
  /// Equal for fuse::same_operation(): equal members of a fusion become one.
  IndexedVector<hlo::InstructionId, uint32_t> operation_;
  IndexedVector<hlo::InstructionId, Mark> place_;  ///< In the group at hand.
  std::vector<Mark> first_;                        ///< By operation: in the group at hand.
  uint32_t stamp_ = 0;
  uint32_t next_place_ = 0;
  graph::WordBuffer words_;
};

}  // namespace hloscope::tune
