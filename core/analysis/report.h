#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/cost.h"
#include "core/analysis/kernel_times.h"
#include "core/analysis/measured_file.h"
#include "core/analysis/predicted_times.h"
#include "core/analysis/shown_module.h"
#include "core/base/progress.h"
#include "core/graph/kernels.h"
#include "core/hlo/read.h"
#include "core/sim/machine.h"

namespace hloscope::analysis {

/// Everything the front ends show of one module: kernels with their cost and times. Immutable after
/// analyse(); shared between threads.
struct ModuleReport : ShownModule {
  std::string file_path;
  int module_number = 1;  ///< N of FILE#N.
  sim::Machine machine;
  graph::KernelList kernels;
  ProgramCost cost;
  KernelTimes times;               ///< One execution each.
  double analytical_total_ns = 0;  ///< Sum over kernels x executions.
  double simulated_total_ns = 0;
  /// The compiler's own estimate of one execution, see compiler_times(); empty where it gave none.
  IndexedVector<graph::KernelId, std::optional<double>> compiler_ns;
  double compiler_total_ns = 0;  ///< Of the kernels that have one.
  double rule_share = 1;         ///< Of the simulated time: see analysis::rule_share().
  PredictedTimes predicted;      ///< Of a learned model; see with_predicted().
  /// Measured time of one execution, where the file holds one: of modules with a single kernel, the
  /// time of the compiler's default configuration (else of the fastest); or from measured_file.
  IndexedVector<graph::KernelId, std::optional<double>> measured_ns;
  /// Of such modules, the times at the tile of each measured run, by position in module.runs; see
  /// analysis::run_times(). Empty for others.
  std::vector<std::optional<RunTimes>> run_times;
  /// Measured time of the whole program (default configuration), from layout tuning files.
  std::optional<double> program_measured_ns;
  /// The file that measured_ns come from where it is not that of the program.
  std::optional<MeasuredFile> measured_file;
};

/// Kernels, cost, and simulated and analytical times of a module, as shown_module() gives it (or of
/// another report, on another machine). Errors: kCancelled.
[[nodiscard]] Result<std::shared_ptr<const ModuleReport>> analyse(const ShownModule& shown,
                                                                  std::string file_path,
                                                                  int module_number,
                                                                  const sim::Machine& machine,
                                                                  const Progress& progress = {});
/// The same of a module as it stands in the file: not optimised, its kernels are raw.
[[nodiscard]] Result<std::shared_ptr<const ModuleReport>> analyse(const hlo::Module& module,
                                                                  std::string file_path,
                                                                  int module_number,
                                                                  const sim::Machine& machine,
                                                                  const Progress& progress = {});

/// The run that stands for "measured" in comparisons: the default configuration, else the fastest
/// one that did not fail; null without runs.
[[nodiscard]] const hlo::MeasuredRun* reference_run(const hlo::Module& module);

/// A few words on what a kernel does, e.g. "conv 3x3 + add + maximum", "reduce [192]", "copy".
[[nodiscard]] std::string kernel_label(const hlo::Program& program, const graph::Kernel& kernel);

}  // namespace hloscope::analysis
