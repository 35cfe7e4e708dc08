#include "core/fuse/footprint.h"

#include "core/sim/estimate.h"
#include "core/sim/kernel_model.h"

namespace hloscope::fuse {

bool surely_fits(const FusionSpace& space, const Group& group) {
  if (group.facts.core_size <= 1 || !group.facts.moves_elements) return true;
  double bytes = 0;
  for (const Operand& operand : group.facts.operands) bytes += space.bytes(operand.value);
  for (hlo::InstructionId result : group.facts.results) bytes += space.bytes(result);
  // Two buffers, and twice that for what layouts pad.
  return 4 * bytes <= space.limits().vmem_bytes;
}

double least_footprint(const FusionSpace& space, const Group& group, GroupBodies& bodies) {
  const sim::KernelModel model = sim::kernel_model(space.program(), bodies.of(group));
  const std::vector<int64_t> smallest(model.loops.size(), 1);
  return sim::footprint_bytes(model, smallest);
}

}  // namespace hloscope::fuse
