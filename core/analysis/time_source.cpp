#include "core/analysis/time_source.h"

#include <limits>

#include "core/analysis/report.h"

namespace hloscope::analysis {

std::optional<double> time_ns(const ModuleReport& report, TimeSource source,
                              graph::KernelId kernel) {
  switch (source) {
    case TimeSource::kMeasured:
      if (report.measured_ns.contains(kernel)) return report.measured_ns[kernel];
      return std::nullopt;
    case TimeSource::kAnalytical:
      if (!report.times.analytical.contains(kernel)) return std::nullopt;
      return report.times.analytical[kernel].time_ns;
    case TimeSource::kSimulated:
      if (!report.times.simulated.contains(kernel)) return std::nullopt;
      return report.times.simulated[kernel].time_ns;
    case TimeSource::kPredicted: {
      const auto& times = report.predicted.of_kernels;
      if (!times.contains(kernel) || !times[kernel]) return std::nullopt;
      return times[kernel]->time_ns;
    }
    case TimeSource::kCompiler:
      if (!report.compiler_ns.contains(kernel)) return std::nullopt;
      return report.compiler_ns[kernel];
  }
  return std::nullopt;
}

bool has_place(const ModuleReport& report, TimeSource source) {
  if (!info(source).is_optional) return true;
  for (size_t k = 0; k < report.kernels.kernels.size(); ++k) {
    if (time_ns(report, source, graph::KernelId(k))) return true;
  }
  return false;
}

double relative_error(std::optional<double> estimate_ns, std::optional<double> measured_ns) {
  if (!estimate_ns || !measured_ns || *measured_ns <= 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return (*estimate_ns - *measured_ns) / *measured_ns;
}

}  // namespace hloscope::analysis
