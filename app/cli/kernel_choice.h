#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/load.h"
#include "core/accuracy/measured_tiles.h"
#include "core/graph/kernels.h"
#include "core/sim/kernel_model.h"
#include "core/sim/machine.h"
#include "core/sim/rates.h"

namespace hloscope::cli {

/// One kernel of a module, with what the timing models need.
struct ChosenKernel {
  std::string file;  ///< FILE or FILE#N.
  std::string file_path;
  int module_number = 1;
  hlo::Module module;  ///< With the program that the kernel stands in.
  analysis::KernelOrigin origin = analysis::KernelOrigin::kCompiled;
  graph::Kernel kernel;
  bool is_only_kernel = false;  ///< Of its module: tile runs of the file are of this kernel.
  sim::KernelModel model;

  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string computation() const;
  /// An error about this kernel: says which one; without a hint of its own it gets one.
  [[nodiscard]] Error located(Error error) const;
};

/// The kernel called `name` (NAME or COMPUTATION/NAME) in the files, exactly one; with an empty
/// name the only kernel of every module. Programs that are not optimised have own fusion, without
/// --raw. Errors (no such kernel, with the names that are alike;
/// more than one; a module with several kernels) are printed and set `exit_code`.
[[nodiscard]] std::vector<ChosenKernel> choose_kernels(const InputOptions& options,
                                                       const std::string& name, int& exit_code);

using accuracy::MeasuredTiles;
/// Runs of the module's file that measured this kernel.
[[nodiscard]] MeasuredTiles measured_tiles(const ChosenKernel& chosen);

/// "simulated, not measured; TPU v3, 1 core (tpu_v3, hash ...)".
[[nodiscard]] std::string simulated_line(const sim::Machine& machine);

/// "tiled", "collective", "host transfer", "opaque".
[[nodiscard]] std::string_view kind_name(sim::KernelKind kind);

/// The constants of the machine that are assumed and that a kernel of this kind uses.
[[nodiscard]] std::vector<std::string> assumed_constants(const sim::Machine& machine,
                                                         sim::KernelKind kind);

}  // namespace hloscope::cli
