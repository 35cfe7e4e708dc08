#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/hlo/read.h"

namespace hloscope::data {

/// One layout configuration of a module and what a TPU took with it.
struct LayoutRun {
  /// Minor to major order of one tensor; empty: the compiler's choice.
  using Order = std::vector<int64_t>;
  uint32_t run_index = 0;  ///< Position among the module's runs in the file.
  bool is_default = false;
  bool failed = false;  ///< time_ns is then meaningless.
  int64_t time_ns = 0;
  /// For each configurable instruction the orders of its output, input and, of a convolution,
  /// kernel.
  std::vector<std::vector<Order>> layouts;
};

/// The layout runs of one module of a tuning file.
struct LayoutTuning {
  hlo::ProgramPtr program;
  std::vector<hlo::InstructionId> configurable;
  std::vector<LayoutRun> runs;  ///< Empty when the module has no layout configurations.
};

/// Reads the modules of a TuningData or ModuleTuningData file with their layout configurations.
/// Errors: those of hlo::read_bytes; kInvalidInput for a file of another kind, a damaged
/// configuration, or nodes that the module does not have.
[[nodiscard]] Result<std::vector<LayoutTuning>> read_layout_tunings(const std::string& path);
/// The same for bytes in memory; `name` stands in messages.
[[nodiscard]] Result<std::vector<LayoutTuning>> layout_tunings(std::string bytes,
                                                               std::string_view name);

}  // namespace hloscope::data
