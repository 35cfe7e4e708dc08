#pragma once

#include <optional>

#include "core/graph/callee_order.h"
#include "core/graph/word_buffer.h"

namespace hloscope::graph {

/// Canonical hashes of the kernels of one program; each computation and shape is hashed once.
///
/// An instruction in a body hashes to (opcode, shape, attributes, hashes of operands). A body
/// hashes to the hash of its root and the sorted hashes of all its instructions: the order in which
/// independent ones stand makes no difference, but a value worked out twice differs from one used
/// twice.
class KernelHasher {
 public:
  explicit KernelHasher(const hlo::Program& program);
  [[nodiscard]] Hash128 of(hlo::InstructionId kernel);

 private:
  void hash_callees(hlo::InstructionId id);
  [[nodiscard]] Hash128 hash_body(hlo::ComputationId computation);
  void add_own(hlo::InstructionId id);
  void add_attributes(hlo::InstructionId id);
  void add_value(const hlo::Attribute& attribute);
  [[nodiscard]] const Hash128& shape_hash(hlo::ShapeId id);
  [[nodiscard]] Hash128 hash_shape(const hlo::Shape& shape);

  const hlo::Program& program_;
  CalleeOrder order_;
  IndexedVector<hlo::ComputationId, Hash128> bodies_;
  IndexedVector<hlo::ShapeId, std::optional<Hash128>> shapes_;
  IndexedVector<hlo::InstructionId, uint32_t> position_;  // Among the operands of the kernel.
  std::vector<Hash128> nodes_;                            // Of the body at hand.
  std::vector<const hlo::Attribute*> attributes_;         // Of the instruction at hand.
  WordBuffer words_;
};

}  // namespace hloscope::graph
