#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/baseline_options.h"
#include "app/cli/kernel_choice.h"
#include "app/cli/load.h"
#include "core/sim/chrome_trace.h"

namespace hloscope::cli {

/// What `simulate` takes; its three views stand in simulate_program.cpp, simulate_kernel.cpp and
/// simulate_tiles.cpp.
struct SimulateOptions : InputOptions {
  std::string kernel;
  std::string tile;
  bool all_tiles = false;
  std::string branches = "mean";
  std::string trace;
  std::string db;
  size_t limit = 0;  ///< 0: not given.
  size_t iterations = 8;
  size_t sample = 0;
  uint64_t seed = 1;
  BaselineOptions baseline;  ///< Of whole programs.
};

/// The whole of every program.
void simulate_programs(const SimulateOptions& options, int& exit_code);
/// One tile of a kernel.
void simulate_kernels(const SimulateOptions& options, int& exit_code);
/// All tiles of kernels, or a sample.
void simulate_tiles(const SimulateOptions& options, int& exit_code);

/// Writes the trace where `path` is not empty. An error is printed and sets `exit_code`.
void write_trace(const std::string& path, const sim::Machine& machine,
                 const std::vector<sim::TraceProcess>& processes, int& exit_code);

}  // namespace hloscope::cli
