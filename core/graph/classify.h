#pragma once

#include <string_view>

#include "core/graph/callee_order.h"

namespace hloscope::graph {

/// The class of work of kernels. A fusion, an async wrapper and everything else that runs its
/// computation takes the first of matmul/conv, collective, reduction, elementwise that occurs in
/// it; with none of them it moves data.
class Classifier {
 public:
  explicit Classifier(const hlo::Program& program);
  [[nodiscard]] hlo::OpClass of(hlo::InstructionId kernel);

 private:
  [[nodiscard]] hlo::OpClass of_instruction(hlo::InstructionId id) const;
  [[nodiscard]] hlo::OpClass of_computation(hlo::ComputationId computation) const;

  const hlo::Program& program_;
  CalleeOrder order_;
  IndexedVector<hlo::ComputationId, hlo::OpClass> classes_;
};

/// By what the target's name says: a product (dot, gemm, matmul, conv, attn, attention), a
/// selection (topk, sort), else data movement, as nothing is known of it.
[[nodiscard]] hlo::OpClass custom_call_class(std::string_view target);

}  // namespace hloscope::graph
