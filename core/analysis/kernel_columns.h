#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/time_source.h"

namespace hloscope::analysis {

enum class ColumnKind : uint8_t {
  kName,       ///< Text: class, name and label of the kernel.
  kClass,      ///< Text.
  kBound,      ///< Text: what limits the kernel in the simulator.
  kTile,       ///< Text: the tile that the kernel is timed at; empty where nothing is cut.
  kCount,      ///< Whole number (executions may be fractions below branches).
  kTime,       ///< Of one execution, ns.
  kError,      ///< Signed fraction of the measured time.
  kDelta,      ///< Change of the time against the pinned baseline, a signed fraction of it.
  kSpread,     ///< Half of the predicted interval, as a fraction of the predicted time.
  kShare,      ///< Fraction of the program's time.
  kFlops,      ///< FLOPs of one execution.
  kBytes,      ///< Bytes of one execution.
  kIntensity,  ///< FLOPs per byte.
  kVmem,       ///< Bytes of VMEM that the tile takes.
  kFlag,       ///< 1 or 0.
};

/// One column of the kernel table, which is also one key of its filter language.
struct KernelColumn {
  std::string key;       ///< In filters: "measured", "err".
  std::string csv_name;  ///< Header of exported tables, with unit: "measured_ns".
  std::string title;     ///< On screen, with unit: "Measured µs".
  ColumnKind kind = ColumnKind::kCount;
  TimeSource source = TimeSource::kMeasured;  ///< Of kTime, kDelta, kError and kSpread columns.
  double filter_unit = 1;  ///< What a number typed in a filter is multiplied by: µs -> ns is 1000.
  bool shown = true;       ///< Until the user chooses otherwise.

  [[nodiscard]] bool is_number() const {
    return kind != ColumnKind::kName && kind != ColumnKind::kClass && kind != ColumnKind::kBound &&
           kind != ColumnKind::kTile;
  }
};

/// All columns in order: fixed ones, a time and a change per source, spread and mark of the
/// predicted one, an error per estimate, work, tile. Only the error of the first estimate is shown
/// until the user chooses otherwise.
[[nodiscard]] const std::vector<KernelColumn>& kernel_columns();
/// Whether it is of an optional source, or a change against a baseline that may not be pinned:
/// has_column() tells where it is there.
[[nodiscard]] bool is_optional(const KernelColumn& column);
/// Position by filter key; "err" is the error of the first estimate.
[[nodiscard]] std::optional<size_t> column_by_key(std::string_view key);

}  // namespace hloscope::analysis
