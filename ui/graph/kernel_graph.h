#pragma once

#include <memory>
#include <vector>

#include "core/analysis/baseline.h"
#include "core/analysis/report.h"
#include "ui/graph/graph_model.h"

namespace hloscope::ui {

/// What the nodes of a kernel graph are coloured by.
enum class ColourMode {
  kOpClass,
  kSimulatedTime,
  kAnalyticalTime,
  kMeasuredTime,
  kError,  ///< Simulated against measured.
  kFlops,
  kBytes,
  kIntensity,  ///< FLOP per byte.
  kChange,     ///< Against the pinned baseline.
};
inline constexpr int kColourModeCount = 9;
/// "Op class", "Simulated time", ... as the combo box shows it.
[[nodiscard]] QString name(ColourMode mode);

using ReportPtr = std::shared_ptr<const analysis::ModuleReport>;

/// A graph and what its nodes stand for.
struct KernelGraph {
  GraphModelPtr model;
  /// By node. Several nodes stand for a parameter that is a tuple: one for each element in use.
  std::vector<hlo::InstructionId> instructions;
  std::vector<graph::KernelId> kernels;  ///< By node; invalid where it is no kernel.

  /// The node of an instruction; invalid when it has none in this graph.
  [[nodiscard]] layout::NodeId find(hlo::InstructionId instruction) const;
  [[nodiscard]] layout::NodeId find(graph::KernelId kernel) const;
};

/// The kernels of one computation with its loops, conditionals and calls; parameters and constants
/// are pills; tuples and other free instructions are seen through.
[[nodiscard]] KernelGraph computationGraph(const ReportPtr& report, hlo::ComputationId computation);
/// The instructions inside of one kernel: the body of a fusion, or the kernel's own instruction.
[[nodiscard]] KernelGraph bodyGraph(const ReportPtr& report, graph::KernelId kernel);

/// Colours for a graph; null for kOpClass, and for kChange without a baseline. Nodes that are no
/// kernels, and kernels without the value, have none. A change is that of
/// Baseline::main_source().
[[nodiscard]] GraphColouringPtr colouring(const analysis::ModuleReport& report,
                                          const KernelGraph& graph, ColourMode mode,
                                          const analysis::BaselinePtr& baseline = nullptr);

}  // namespace hloscope::ui
