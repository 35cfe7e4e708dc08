#pragma once

#include <vector>

#include "core/hlo/program.h"

namespace hloscope::graph {

enum class Follow {
  kAll,      ///< Every called computation.
  kInlined,  ///< Only what runs as part of its caller (fusion, call, loop, branch, async), not what
             ///< is applied per element.
};

/// Orders computations callees first, without recursion. Every computation is given once in the
/// life of the object, so that facts about computations can be worked out once each.
class CalleeOrder {
 public:
  CalleeOrder(const hlo::Program& program, Follow follow);

  /// `root` and the computations that it needs and that were not given before, callees first. The
  /// list is empty when `root` was given before, and valid until the next call.
  const std::vector<hlo::ComputationId>& visit(hlo::ComputationId root);

 private:
  struct Frame {
    hlo::ComputationId computation;
    uint32_t instruction;  // Position in the computation.
    uint32_t callee;       // Position among the callees of that instruction.
  };
  [[nodiscard]] hlo::ComputationId next_callee(Frame& frame) const;

  const hlo::Program& program_;
  Follow follow_;
  IndexedVector<hlo::ComputationId, uint8_t> seen_;
  std::vector<hlo::ComputationId> order_;
};

/// Whether the computations that the opcode calls run as part of it, as in Follow::kInlined.
[[nodiscard]] bool inlines_callees(hlo::Opcode opcode);

}  // namespace hloscope::graph
