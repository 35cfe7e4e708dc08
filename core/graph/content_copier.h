#pragma once

#include <vector>

#include "core/hlo/program_builder.h"

namespace hloscope::graph {

/// Copies what instructions are made of into a new program that shares nothing with `source`. What
/// was copied before is the same shape or literal again.
class ContentCopier {
 public:
  /// Both must live as long as this.
  ContentCopier(const hlo::Program& source, hlo::ProgramBuilder& out);

  [[nodiscard]] hlo::ShapeId shape(hlo::ShapeId id);
  /// `attribute` must not be of kind kInstructions: which of these there are, the caller knows.
  /// Computations that it calls must have been begun.
  [[nodiscard]] hlo::Attribute attribute(const hlo::Attribute& attribute);
  /// Opcode, shape, number and literal; name, operands and attributes are left empty.
  [[nodiscard]] hlo::NewInstruction instruction(hlo::InstructionId id, hlo::ComputationId target);

  /// An empty computation that stands for `from`: attributes that call `from` call it from now on.
  hlo::ComputationId begin(hlo::ComputationId from);
  [[nodiscard]] bool is_begun(hlo::ComputationId from) const { return computations_[from].valid(); }

 private:
  uint32_t literal(uint32_t index);

  const hlo::Program& source_;
  hlo::ProgramBuilder& out_;
  IndexedVector<hlo::ShapeId, hlo::ShapeId> shapes_;
  IndexedVector<hlo::ComputationId, hlo::ComputationId> computations_;
  std::vector<uint32_t> literals_;  ///< By index in the source; ~0: not copied.
};

}  // namespace hloscope::graph
