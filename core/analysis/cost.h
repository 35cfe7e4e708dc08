#pragma once

#include <vector>

#include "core/graph/kernels.h"
#include "core/hlo/program.h"

namespace hloscope::analysis {

/// Work and traffic. FLOPs, transcendentals and bytes_accessed follow XLA's HloCostAnalysis
/// (xla/service/hlo_cost_analysis.cc); flops and bytes_accessed are -1 for a custom-call, whose
/// work is unknown (the other bytes are then those of its operands and result).
struct Cost {
  double flops = 0;
  double transcendentals = 0;
  double bytes_accessed = 0;
  double bytes_read = 0;     ///< Of operands.
  double bytes_written = 0;  ///< Of the result.
  /// Bytes read and written with dimensions padded to the TPU tiles of their layout; where a
  /// program has no tiling, the default one of the TPU is assumed (core/hlo/tpu_layout.h).
  /// What is read or written in part counts as the padded shape of the part.
  double padded_bytes = 0;
};

struct ProgramCost {
  IndexedVector<hlo::InstructionId, Cost> instructions;
  IndexedVector<graph::KernelId, Cost> kernels;  ///< One execution each.
  Cost total;     ///< As XLA counts: each computation once per call, loop bodies once.
  Cost weighted;  ///< Kernels times executions; unknown (-1) counts as 0.
};

[[nodiscard]] ProgramCost cost(const hlo::Program& program, const graph::KernelList& kernels);
/// XLA's totals and the cost of each instruction only (no kernels needed).
[[nodiscard]] ProgramCost cost(const hlo::Program& program);

}  // namespace hloscope::analysis
