#include "core/analysis/roofline.h"

namespace hloscope::analysis {

namespace {

constexpr double kPerGhz = 1e9;
constexpr double kPerNs = 1e9;
constexpr double kFlopsPerMultiplyAdd = 2;

std::vector<RoofPoint> pinned_points(const Roofline& now, const ModuleReport& report,
                                     const Baseline& baseline) {
  const auto pinned = baseline.match(report);
  std::vector<RoofPoint> out;
  for (RoofPoint point : now.points) {
    const SourceTimes* const times = pinned[point.kernel];
    if (times == nullptr) continue;
    const auto before_ns = (*times)[static_cast<size_t>(now.source)];
    if (!before_ns || !(*before_ns > 0)) continue;
    point.flops_per_s = report.cost.kernels[point.kernel].flops / *before_ns * kPerNs;
    out.push_back(point);
  }
  return out;
}

}  // namespace

Roof roof(const sim::Machine& machine) {
  const double clock_hz = machine["clock_ghz"] * kPerGhz;
  Roof out;
  out.matrix_flops_per_s = machine["mxu_count"] * machine["mxu_rows"] * machine["mxu_columns"] *
                           machine["mxu_rows_per_cycle"] * kFlopsPerMultiplyAdd * clock_hz;
  out.vector_flops_per_s =
      machine["valu_ops_per_cycle"] * machine["vreg_sublanes"] * machine["vreg_lanes"] * clock_hz;
  out.hbm_bytes_per_s = machine["hbm_bytes_per_s"] * machine["hbm_efficiency"];
  return out;
}

Roofline roofline(const ModuleReport& report, TimeSource source, const BaselinePtr& baseline) {
  Roofline out;
  out.source = source;
  double total_ns = 0;
  double without_ns = 0;
  for (uint32_t k = 0; k < report.kernels.kernels.size(); ++k) {
    const graph::KernelId id(k);
    const std::optional<double> once_ns = time_ns(report, source, id);
    const double all_ns = once_ns.value_or(0) * report.kernels.kernels[id].executions;
    if (!(all_ns > 0)) continue;
    total_ns += all_ns;
    const Cost& cost = report.cost.kernels[id];
    if (cost.flops > 0 && cost.bytes_accessed > 0) {
      out.points.push_back(
          {id, cost.flops / cost.bytes_accessed, cost.flops / *once_ns * kPerNs, all_ns});
    } else {
      ++out.without_flops;
      without_ns += all_ns;
    }
  }
  if (total_ns > 0) out.share_without_flops = without_ns / total_ns;
  for (RoofPoint& point : out.points) point.share /= total_ns;
  if (baseline) out.pinned = pinned_points(out, report, *baseline);
  return out;
}

}  // namespace hloscope::analysis
