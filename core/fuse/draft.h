#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/program.h"

namespace hloscope::fuse {

struct DraftTag;
using DraftId = Index<DraftTag>;

/// One instruction of a program that is being rewritten: opcode, shape, attributes and name are
/// those of `origin`. An instruction may occur several times (inlined, duplicated).
struct DraftNode {
  hlo::InstructionId origin;
  std::vector<DraftId> operands = {};
  std::vector<DraftId> predecessors = {};  ///< Control predecessors.
};

/// The instructions of a computation, operands before users.
struct DraftComputation {
  std::vector<DraftId> order;
  DraftId root;
};

/// A program that passes change in place; write() makes a Program of it.
struct Draft {
  explicit Draft(const hlo::Program& source);

  const hlo::Program& source;
  IndexedVector<DraftId, DraftNode> nodes;
  IndexedVector<hlo::ComputationId, DraftComputation> computations;  ///< Those of the source.

  [[nodiscard]] const hlo::Instruction& origin(DraftId id) const {
    return source[nodes[id].origin];
  }
  [[nodiscard]] hlo::Opcode opcode(DraftId id) const { return origin(id).opcode; }
  [[nodiscard]] const hlo::Shape& shape(DraftId id) const { return source.shape(nodes[id].origin); }
};

/// Nodes that others order themselves after, or that order themselves after others: by DraftId.
[[nodiscard]] IndexedVector<DraftId, uint8_t> controlled(const Draft& draft);

/// Computations that the entry does not need any more are left out. Errors: check_structure().
[[nodiscard]] Result<hlo::ProgramPtr> write(const Draft& draft);

}  // namespace hloscope::fuse
