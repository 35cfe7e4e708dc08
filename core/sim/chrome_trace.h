#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/sim/machine.h"
#include "core/sim/simulate.h"

namespace hloscope::sim {

/// One execution of a kernel in a trace.
struct TracedKernel {
  std::string name;
  double time_ns = 0;
  double tiles = 0;       ///< Iterations in all; the timeline may hold fewer.
  double executions = 1;  ///< Told in the trace, which shows one.
  Timeline timeline;
};

/// Kernels that run one after the other.
struct TraceProcess {
  std::string name;  ///< Of the kernel or program.
  std::vector<TracedKernel> kernels;
};

/// Chrome Trace Event JSON, as ui.perfetto.dev and chrome://tracing open it: a process for each of
/// `processes` with a thread for the kernels and one per unit that has work. Times are µs with
/// whole ns, so that what follows without a gap never overlaps; `args` holds the exact length in
/// ns, and the tile. `otherData` names the machine and says that the times are simulated.
[[nodiscard]] std::string chrome_trace(const Machine& machine,
                                       std::span<const TraceProcess> processes);

}  // namespace hloscope::sim
