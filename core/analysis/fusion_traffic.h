#pragma once

#include <vector>

#include "core/analysis/instruction_traffic.h"

namespace hloscope::analysis {

/// The gather or scatter that stands for a fusion of kind kCustom in XLA's analysis; invalid where
/// the whole fusion counts.
[[nodiscard]] hlo::InstructionId custom_core(const hlo::Program& program,
                                             hlo::InstructionId fusion);

/// Bytes that fusions move. What their instructions pass to each other stays on the chip.
///
/// A parameter is read once for all users that need it whole, and once more for each broadcast,
/// reshape, slice and dynamic-slice, the latter two for their result only; as the target of a
/// dynamic-update-slice it is not read. A result that is a dynamic-update-slice writes the update
/// only. Constants of more than one element are read.
///
/// Nested fusions as in XLA: a parameter that the root of the inner fusion takes as its first
/// operand is read as the users of the inner fusion read its result, so that one without users
/// reads nothing; any other is read as inside of the inner fusion.
class FusionTraffic {
 public:
  FusionTraffic(const hlo::Program& program, const IndexedVector<hlo::ShapeId, ShapeSize>& sizes);

  /// Fusions of called computations must have been asked for before those of their callers.
  [[nodiscard]] Traffic of(hlo::InstructionId fusion);

 private:
  void read_parameters(hlo::ComputationId body);
  [[nodiscard]] Bytes read_of(hlo::InstructionId value) const;
  [[nodiscard]] Bytes read_by_nested(hlo::InstructionId value, hlo::InstructionId fusion) const;
  [[nodiscard]] Bytes read_through(hlo::InstructionId fusion, const Bytes& inside) const;
  [[nodiscard]] Bytes read_of_leaves(hlo::InstructionId value, hlo::ShapeId shape) const;
  [[nodiscard]] Bytes read_of_constants(hlo::ComputationId body) const;
  [[nodiscard]] Bytes written(hlo::InstructionId fusion, hlo::InstructionId root) const;
  [[nodiscard]] const ShapeSize& size(hlo::InstructionId id) const {
    return sizes_[program_[id].shape];
  }

  const hlo::Program& program_;
  const IndexedVector<hlo::ShapeId, ShapeSize>& sizes_;
  IndexedVector<hlo::ComputationId, uint8_t> known_;
  IndexedVector<hlo::InstructionId, Bytes> reads_;  ///< Of parameters of known_ computations.
};

}  // namespace hloscope::analysis
