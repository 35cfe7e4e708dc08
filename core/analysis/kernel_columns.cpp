#include "core/analysis/kernel_columns.h"

#include <algorithm>
#include <utility>

namespace hloscope::analysis {
namespace {

/// What a change is called in filters: short, it is typed often.
std::string_view delta_key(TimeSource source) {
  switch (source) {
    case TimeSource::kMeasured:
      return "dmeas";
    case TimeSource::kSimulated:
      return "dsim";
    case TimeSource::kAnalytical:
      return "dana";
    case TimeSource::kPredicted:
      return "dpred";
    case TimeSource::kCompiler:
      break;
  }
  return "dxla";
}

void add_time_columns(std::vector<KernelColumn>& columns) {
  for (const TimeSourceInfo& source : kTimeSources) {
    const std::string id(source.id);
    columns.push_back({id, id + "_ns", std::string(source.title) + " µs", ColumnKind::kTime,
                       source.source, 1000, true});
  }
  for (const TimeSourceInfo& source : kTimeSources) {
    columns.push_back({std::string(delta_key(source.source)), std::string(source.id) + "_delta",
                       "Δ " + std::string(source.name) + " %", ColumnKind::kDelta, source.source,
                       0.01, true});
  }
  columns.push_back({"spread", "predicted_spread", "Predicted ± %", ColumnKind::kSpread,
                     TimeSource::kPredicted, 0.01, true});
  columns.push_back(
      {"far", "is_far", "Far from training", ColumnKind::kFlag, TimeSource::kPredicted, 1, true});
  bool is_first = true;
  for (const TimeSourceInfo& source : kTimeSources) {
    if (!source.is_estimate) continue;
    const std::string id(source.id);
    columns.push_back({id + "_err", id + "_error", std::string(source.title) + " err %",
                       ColumnKind::kError, source.source, 0.01, std::exchange(is_first, false)});
  }
}

std::vector<KernelColumn> make_columns() {
  constexpr TimeSource kNone = TimeSource::kMeasured;
  std::vector<KernelColumn> columns{
      {"name", "kernel", "Kernel", ColumnKind::kName, kNone, 1, true},
      {"class", "class", "Class", ColumnKind::kClass, kNone, 1, true},
      {"instrs", "instructions", "Instrs", ColumnKind::kCount, kNone, 1, true},
      {"executions", "executions", "Executions", ColumnKind::kCount, kNone, 1, true},
  };
  add_time_columns(columns);
  columns.push_back({"bound", "bound_by", "Bound by", ColumnKind::kBound, kNone, 1, true});
  columns.push_back({"share", "share", "Share of total %", ColumnKind::kShare, kNone, 0.01, true});
  columns.push_back({"flops", "flops", "FLOPs", ColumnKind::kFlops, kNone, 1, true});
  columns.push_back({"bytes", "bytes", "Bytes", ColumnKind::kBytes, kNone, 1, true});
  columns.push_back(
      {"intensity", "flops_per_byte", "FLOP/B", ColumnKind::kIntensity, kNone, 1, true});
  columns.push_back({"tile", "tile", "Tile", ColumnKind::kTile, kNone, 1, false});
  columns.push_back({"vmem", "vmem_bytes", "VMEM", ColumnKind::kVmem, kNone, 1, false});
  columns.push_back({"fallback", "has_fallback", "Fall-back", ColumnKind::kFlag, kNone, 1, false});
  return columns;
}

}  // namespace

const std::vector<KernelColumn>& kernel_columns() {
  static const std::vector<KernelColumn> columns = make_columns();
  return columns;
}

bool is_optional(const KernelColumn& column) {
  return column.kind == ColumnKind::kDelta || info(column.source).is_optional;
}

std::optional<size_t> column_by_key(std::string_view key) {
  const std::vector<KernelColumn>& columns = kernel_columns();
  const auto found = std::find_if(columns.begin(), columns.end(), [key](const KernelColumn& c) {
    return c.key == key || (key == "err" && c.kind == ColumnKind::kError);
  });
  if (found == columns.end()) return std::nullopt;
  return static_cast<size_t>(found - columns.begin());
}

}  // namespace hloscope::analysis
