#pragma once

#include <span>
#include <vector>

#include "core/analysis/report.h"

namespace hloscope::analysis {

/// Simulated times of the kernels of a program on one machine, each at the tile chosen for it.
struct MachineTimes {
  sim::Machine machine;
  IndexedVector<graph::KernelId, double> time_ns;  ///< One execution.
  double total_ns = 0;                             ///< Sum over kernels x executions.
};

/// The kernels of a report on other machines, in their order; the report's own machine costs
/// nothing. Error: kCancelled.
[[nodiscard]] Result<std::vector<MachineTimes>> machine_times(
    const ModuleReport& report, std::span<const sim::Machine> machines,
    const Progress& progress = {});

/// Rows of a comparison of machines as CSV, with a header line: kernel, class, executions, and for
/// each machine the simulated time of one execution in ns.
[[nodiscard]] std::string machine_times_csv(const ModuleReport& report,
                                            std::span<const MachineTimes> machines);

}  // namespace hloscope::analysis
