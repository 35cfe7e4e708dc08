#pragma once

#include <span>
#include <vector>

#include "core/graph/callee_order.h"
#include "core/graph/content_copier.h"
#include "core/hlo/program_builder.h"

namespace hloscope::graph {

/// Copies parts of a program into a new one that shares nothing with it.
class ProgramCopier {
 public:
  explicit ProgramCopier(const hlo::Program& source);

  hlo::ProgramBuilder& builder() { return out_; }

  /// What the new program needs to mean the same: is_scheduled, replica_count, num_partitions.
  void copy_module_attributes();
  /// The computation and all that it calls; nothing when it was copied before.
  void copy_computation(hlo::ComputationId id);
  /// A copy of instruction `id` in `target`, reading `operands` of the new program. References to
  /// instructions that were not copied (control predecessors) are left out.
  hlo::InstructionId add(hlo::InstructionId id, hlo::ComputationId target,
                         std::span<const hlo::InstructionId> operands);
  /// A parameter with the name and shape of `id`, numbered by `count` (which goes up); for a token
  /// an after-all.
  hlo::InstructionId add_input(hlo::InstructionId id, hlo::ComputationId target, int64_t& count);

 private:
  void copy_instructions(hlo::ComputationId from, hlo::ComputationId to);
  hlo::Attribute copy_attribute(const hlo::Attribute& attribute);
  std::vector<hlo::InstructionId> copied_instructions(const hlo::Attribute& attribute) const;

  const hlo::Program& source_;
  hlo::ProgramBuilder out_;
  ContentCopier contents_;
  CalleeOrder order_;
  IndexedVector<hlo::InstructionId, hlo::InstructionId> instructions_;
};

/// A metadata value without its stack_frame_id, which points into a table of its module.
[[nodiscard]] std::string without_stack_frame(std::string_view metadata);

}  // namespace hloscope::graph
