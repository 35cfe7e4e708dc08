#pragma once

#include "core/sim/hero.h"
#include "core/sim/kernel_model.h"
#include "core/sim/reach.h"

namespace hloscope::sim {

/// What the parts of kernel_model() share while they fill it.
struct KernelBuilder {
  const hlo::Program& program;
  const FlatBody& body;
  const ReachState& state;
  const HeroPlan& plan;
  KernelModel& model;
};

/// Sizes of a block in vector registers, in the physical order of the node's layout.
[[nodiscard]] RegisterDims register_dims(const KernelBuilder& builder, FlatId node,
                                         const std::vector<ExtentId>& dims);

/// Fills model.streams and resident_bytes.
void add_streams(KernelBuilder& builder);
/// Fills model.vector_work and reduction_rows.
void add_vector_work(KernelBuilder& builder);
/// Fills model.matrix, of the kernel's matrix node.
void add_matrix(KernelBuilder& builder);

}  // namespace hloscope::sim
