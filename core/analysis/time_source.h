#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/graph/kernels.h"

namespace hloscope::analysis {

struct ModuleReport;

/// Where a time of a kernel comes from. Tables, charts and metrics build their columns and series
/// from kTimeSources: a further source is one enumerator, one line there and one case in time_ns().
enum class TimeSource : uint8_t { kMeasured, kSimulated, kAnalytical };

struct TimeSourceInfo {
  TimeSource source;
  std::string_view id;     ///< In filters, CSV headers and the palette: "analytical".
  std::string_view title;  ///< On screen: "Analytical".
  bool is_estimate;        ///< False: a time that a device took.
};

inline constexpr std::array kTimeSources{
    TimeSourceInfo{TimeSource::kMeasured, "measured", "Measured", false},
    TimeSourceInfo{TimeSource::kSimulated, "simulated", "Simulated", true},
    TimeSourceInfo{TimeSource::kAnalytical, "analytical", "Analytical", true},
};
inline constexpr size_t kTimeSourceCount = kTimeSources.size();

[[nodiscard]] constexpr const TimeSourceInfo& info(TimeSource source) {
  return kTimeSources[static_cast<size_t>(source)];
}

/// Time of one execution in ns; empty where the source has none for this kernel.
[[nodiscard]] std::optional<double> time_ns(const ModuleReport& report, TimeSource source,
                                            graph::KernelId kernel);

/// (estimate - measured) / measured; NaN when either is missing or measured is not positive.
[[nodiscard]] double relative_error(std::optional<double> estimate_ns,
                                    std::optional<double> measured_ns);

}  // namespace hloscope::analysis
