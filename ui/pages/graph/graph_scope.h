#pragma once

#include <QString>
#include <vector>

#include "ui/graph/kernel_graph.h"

namespace hloscope::ui {

/// What the Graph page shows: the kernels of a computation, or the inside of one kernel.
struct GraphScope {
  hlo::ComputationId computation;
  graph::KernelId kernel;  ///< Valid: its inside.
  bool operator==(const GraphScope&) const = default;
  [[nodiscard]] bool isBody() const { return kernel.valid(); }
};

/// One clickable part of the path "program > computation > kernel".
struct Crumb {
  QString text;
  GraphScope scope;
};

/// From the program (its entry) to `scope`, through the computations that call each other.
[[nodiscard]] std::vector<Crumb> crumbsOf(const analysis::ModuleReport& report,
                                          const GraphScope& scope);

/// Where a kernel or an instruction is to be seen. `current` is kept when it shows it already.
[[nodiscard]] GraphScope scopeFor(const analysis::ModuleReport& report, graph::KernelId kernel,
                                  hlo::InstructionId instruction, const GraphScope& current);

/// What opens when a node is activated: the inside of a fusion, the body of a loop, the first
/// called computation. Invalid when there is nothing inside.
[[nodiscard]] GraphScope scopeInside(const analysis::ModuleReport& report,
                                     hlo::InstructionId instruction);

}  // namespace hloscope::ui
