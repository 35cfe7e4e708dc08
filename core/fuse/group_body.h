#pragma once

#include <utility>
#include <vector>

#include "core/fuse/fusion_state.h"
#include "core/sim/flat_body.h"

namespace hloscope::fuse {

/// Bodies of the fusions that groups become, without writing them: the same as sim::flatten() of
/// the kernel in kernel_program(), but that its instructions are those of the space's program.
class GroupBodies {
 public:
  /// The space is kept.
  explicit GroupBodies(const FusionSpace& space);

  /// Of a group that is not plain.
  [[nodiscard]] sim::FlatBody of(const Group& group);

 private:
  struct Known {
    uint32_t stamp = 0;
    sim::FlatId node = {};
  };
  struct Written {
    uint64_t hash = 0;
    hlo::InstructionId instruction;
    sim::FlatId node;
  };

  void add_constants(const Group& group, sim::FlatBody& body);
  void write(hlo::InstructionId id, sim::FlatBody& body);
  [[nodiscard]] hlo::ShapeId first_array(hlo::ShapeId id) const;

  const FusionSpace& space_;
  const hlo::Program& program_;
  IndexedVector<hlo::InstructionId, Known> known_;
  std::vector<Written> written_;  ///< Members and constants so far: equal ones become one.
  uint32_t stamp_ = 0;
};

}  // namespace hloscope::fuse
