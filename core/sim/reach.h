#pragma once

#include <vector>

#include "core/sim/extent.h"
#include "core/sim/flat_body.h"

namespace hloscope::sim {

/// Which positions of a value one tile of the kernel needs. A value that is needed in two ways (a
/// matrix times its own transpose) is visited twice.
struct Visit {
  FlatId node;
  std::vector<ExtentId> dims;  ///< By logical dimension of the node's shape.
  bool feeds_matrix = false;   ///< Needed by the dot or convolution of the kernel only.
};

/// The loops of a kernel as they come from what it computes.
struct LoopDim {
  int64_t size = 1;            ///< Elements.
  int64_t unit = 1;            ///< Elements that a bound counts as one.
  bool is_contracted = false;  ///< Summed over: a kernel dimension of a dot or convolution.
  [[nodiscard]] int64_t units() const { return size > 0 ? (size + unit - 1) / unit : 1; }
};

/// What reach() works on and adds to.
struct ReachState {
  const hlo::Program* program = nullptr;
  const FlatBody* body = nullptr;
  Extents extents;
  std::vector<LoopDim> loops;
  FlatId matrix;                         ///< The dot or convolution whose sums are cut in tiles.
  std::vector<LoopId> contracted_loops;  ///< By logical dimension of its right operand.
  /// The value that the loops of the output run over, and its extents. What a reduction over it
  /// that does not lead back to it needs is the tile itself.
  FlatId hero;
  std::vector<ExtentId> hero_dims;
  IndexedVector<FlatId, uint8_t> leads_to_hero;
  std::vector<std::vector<Visit>> visits;  ///< By FlatId.
  std::vector<hlo::Opcode> fallbacks;      ///< Opcodes without a rule, each once.

  [[nodiscard]] const hlo::Shape& shape(FlatId id) const {
    return program->shape(body->nodes[id].shape);
  }
  [[nodiscard]] hlo::Opcode opcode(FlatId id) const {
    return (*program)[body->nodes[id].instruction].opcode;
  }
  [[nodiscard]] hlo::InstructionId instruction(FlatId id) const {
    return body->nodes[id].instruction;
  }
  LoopId add_loop(const LoopDim& loop);
  void add_visit(Visit visit);
  std::vector<ExtentId> whole(FlatId id);
};

/// From the visits of the outputs back to the operands of the kernel: fills state.visits.
void reach(ReachState& state);

/// What `node` needs of each of its operands for the positions `out` of its result; an operand that
/// is not read (of an update in place) has no entry in `needed`. Adds loops for the matrix node.
struct OperandNeed {
  FlatId operand;
  std::vector<ExtentId> dims;
};
[[nodiscard]] std::vector<OperandNeed> operand_needs(ReachState& state, FlatId node,
                                                     const std::vector<ExtentId>& out);
/// Of the indices of a gather or scatter, `user`: `batch` are the extents of the dimensions that
/// count the indices, in order.
[[nodiscard]] std::vector<ExtentId> index_dims(ReachState& state, FlatId indices,
                                               const std::vector<ExtentId>& batch,
                                               hlo::InstructionId user);
/// The same of dots and convolutions.
[[nodiscard]] std::vector<OperandNeed> matrix_needs(ReachState& state, FlatId node,
                                                    const std::vector<ExtentId>& out);

[[nodiscard]] bool is_matrix(hlo::Opcode opcode);

}  // namespace hloscope::sim
