#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/hlo/read.h"
#include "core/measured/tables.h"
#include "core/sim/kernel_model.h"

namespace hloscope::accuracy {

/// A kernel of which tiles were measured.
struct TileKernel {
  std::string module_name;  ///< NAME#N, N its place in the file, where several have the name.
  Hash128 hash;             ///< graph::canonical_hash().
  hlo::ProgramPtr program;  ///< The model refers to it.
  sim::KernelModel model;
};

/// A measured run of a kernel with a tile.
struct TileSample {
  uint32_t kernel = 0;          ///< Position in TileSamples::kernels.
  uint32_t row = 0;             ///< Position in the table.
  std::vector<int64_t> bounds;  ///< By LoopId.
  double measured_ns = 0;
};

/// A row that takes no part, and why.
struct RowProblem {
  std::string module_name;
  uint32_t run_index = 0;
  std::string message;
};

/// Measured rows joined to their kernels.
struct TileSamples {
  std::vector<TileKernel> kernels;  ///< In the order of their first row.
  std::vector<TileSample> samples;  ///< In the order of the rows.
  size_t rows_without_bounds = 0;   ///< Left out: nobody knows which tile they ran.
  std::vector<RowProblem> invalid;  ///< Left out: module missing, or tile not one of its kernel.
};

/// Joins by module name. Of modules with equal names a row belongs to the one whose own run of that
/// index took the row's time; without such a run, or with several, the row is invalid.
[[nodiscard]] TileSamples join_tiles(std::span<const measured::TileRow> rows,
                                     std::span<const hlo::Module> modules);

}  // namespace hloscope::accuracy
