#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/hlo/read.h"
#include "core/sim/kernel_model.h"

namespace hloscope::accuracy {

/// Runs of a file that measured tiles of one kernel, by bounds; the fastest where several tiles
/// mean the same bounds.
struct MeasuredTiles {
  struct Entry {
    std::vector<int64_t> bounds;  ///< By LoopId.
    double time_ns = 0;
    std::vector<double> runs_ns;  ///< Of all its runs, fastest first.
    bool is_default = false;      ///< The compiler's own choice, as the file marks it.
  };
  std::vector<Entry> tiles;  ///< Sorted by bounds.
  size_t strangers = 0;      ///< Runs whose tile is none of this kernel.

  /// Null: not measured.
  [[nodiscard]] const Entry* entry(const std::vector<int64_t>& bounds) const;
  [[nodiscard]] std::optional<double> find(const std::vector<int64_t>& bounds) const;
};

/// `runs`: of a module with one kernel, that of `model`. Failed runs and runs of layouts are left
/// out.
[[nodiscard]] MeasuredTiles measured_tiles(const sim::KernelModel& model,
                                           std::span<const hlo::MeasuredRun> runs);

}  // namespace hloscope::accuracy
