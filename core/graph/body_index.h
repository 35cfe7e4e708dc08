#pragma once

#include "core/graph/callee_order.h"
#include "core/graph/kernels.h"

namespace hloscope::graph {

/// Tells the instructions inside the bodies of kernels which kernel they belong to, and counts
/// them.
class BodyIndex {
 public:
  explicit BodyIndex(const hlo::Program& program);

  /// Fills list.kernel_of for the inside of kernel `id`, and gives its instruction count.
  uint32_t add(KernelList& list, KernelId id);

 private:
  void count(hlo::ComputationId computation);

  const hlo::Program& program_;
  CalleeOrder order_;
  IndexedVector<hlo::ComputationId, uint32_t> counts_;
};

}  // namespace hloscope::graph
