#include "core/tune/layout_groups.h"

#include "core/tune/layout_grouper.h"

namespace hloscope::tune {

LayoutGroups::LayoutGroups(hlo::ProgramPtr program)
    : program_(std::move(program)), kernels_(graph::kernels(*program_)) {
  LayoutGrouper(*this).run();
}

LayoutGroupId LayoutGroups::operand(hlo::InstructionId user, size_t index) const {
  const uint32_t first = first_operand_[user];
  return first == ~0U ? LayoutGroupId() : group_of_node_[first + index];
}

LayoutGroupId LayoutGroups::root(hlo::ComputationId computation) const {
  const uint32_t node = root_node_[computation];
  return node == ~0U ? LayoutGroupId() : group_of_node_[node];
}

}  // namespace hloscope::tune
