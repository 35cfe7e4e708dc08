#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/graph/kernels.h"
#include "core/sim/kernel_model.h"
#include "core/sim/machine.h"
#include "core/sim/rates.h"

namespace hloscope::tune {

/// Bounds of a tile, by LoopId of its kernel.
using Bounds = std::vector<int64_t>;

/// A kernel whose tile is chosen, and the machine that it runs on.
struct TileKernel {
  hlo::ProgramPtr program;
  /// The kernel, and those with the same hash: they run with the same tile.
  std::vector<hlo::InstructionId> instructions;
  std::string name;  ///< Of the first of them; with its computation where others are called so too.
  double executions = 1;  ///< Of all of them, in one run of the program.
  sim::KernelModel model;
  sim::Rates rates;

  [[nodiscard]] hlo::InstructionId first() const { return instructions.front(); }
  /// Cut in tiles, with more than one to choose from.
  [[nodiscard]] bool has_choice() const;
};
using TileKernelPtr = std::shared_ptr<const TileKernel>;

/// The program as its kernels stand in it: of one that is not optimised, and is not a single
/// kernel, those of hloscope's own fusion. Errors: those of fuse::with_own_fusion().
[[nodiscard]] Result<hlo::ProgramPtr> program_with_kernels(hlo::ProgramPtr program,
                                                           const Progress& progress);

/// The kernel of that name, `NAME` or `COMPUTATION/NAME`, alone. Error: kNotFound, with similar
/// names; kInvalidInput where several have the name.
[[nodiscard]] Result<TileKernelPtr> find_tile_kernel(hlo::ProgramPtr program, std::string_view name,
                                                     const sim::Rates& rates);
/// Every distinct kernel, in order of first occurrence. Error: kCancelled.
[[nodiscard]] Result<std::vector<TileKernelPtr>> tile_kernels(hlo::ProgramPtr program,
                                                              const sim::Rates& rates,
                                                              const Progress& progress);

/// The program in which these instructions have a frontend attribute `hloscope_tile` with the text
/// of their tile. Compilers keep such attributes and do nothing of their own with them.
/// Errors: those of hlo::check_structure().
[[nodiscard]] Result<hlo::ProgramPtr> with_tiles(
    const hlo::Program& program, std::vector<std::pair<hlo::InstructionId, std::string>> tiles);

}  // namespace hloscope::tune
