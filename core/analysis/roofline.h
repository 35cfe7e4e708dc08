#pragma once

#include <vector>

#include "core/analysis/baseline.h"
#include "core/analysis/report.h"
#include "core/analysis/time_source.h"

namespace hloscope::analysis {

/// What a core of a machine can reach at most.
struct Roof {
  double matrix_flops_per_s = 0;  ///< bfloat16, all matrix units.
  double vector_flops_per_s = 0;  ///< The vector ALU, one FLOP per operation.
  double hbm_bytes_per_s = 0;     ///< As attained: bandwidth x efficiency.
  /// FLOP per byte from which the matrix units, not HBM, are the limit.
  [[nodiscard]] double ridge() const { return matrix_flops_per_s / hbm_bytes_per_s; }
};
[[nodiscard]] Roof roof(const sim::Machine& machine);

/// One kernel under the roof.
struct RoofPoint {
  graph::KernelId kernel;
  double intensity = 0;    ///< FLOP per byte accessed, as in the kernel table.
  double flops_per_s = 0;  ///< By the time of the source.
  double share = 0;        ///< Of the source's time of the program, executions included.
};

struct Roofline {
  TimeSource source = TimeSource::kSimulated;
  std::vector<RoofPoint> points;  ///< In kernel order.
  /// Those of them that the baseline has a time of, at that time; shares are those of now.
  std::vector<RoofPoint> pinned;
  /// Kernels with a time that have no place: no FLOPs, or work that is not known.
  size_t without_flops = 0;
  double share_without_flops = 0;
};
/// `baseline`: where the kernels were before; null: nothing is pinned.
[[nodiscard]] Roofline roofline(const ModuleReport& report, TimeSource source,
                                const BaselinePtr& baseline = nullptr);

}  // namespace hloscope::analysis
