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
enum class TimeSource : uint8_t { kMeasured, kSimulated, kAnalytical, kPredicted, kCompiler };

struct TimeSourceInfo {
  TimeSource source;
  std::string_view id;     ///< In filters, CSV headers and the palette: "analytical".
  std::string_view title;  ///< On screen: "Analytical".
  std::string_view name;   ///< Within a sentence: "analytical".
  bool is_estimate;        ///< False: a time that a device took.
  bool is_optional;        ///< Most programs have none: then it takes no column and no series.
};

inline constexpr std::array kTimeSources{
    TimeSourceInfo{TimeSource::kMeasured, "measured", "Measured", "measured", false, false},
    TimeSourceInfo{TimeSource::kSimulated, "simulated", "Simulated", "simulated", true, false},
    TimeSourceInfo{TimeSource::kAnalytical, "analytical", "Analytical", "analytical", true, false},
    TimeSourceInfo{TimeSource::kPredicted, "predicted", "Predicted", "predicted", true, true},
    TimeSourceInfo{TimeSource::kCompiler, "compiler", "XLA estimate", "XLA estimate", true, true},
};
inline constexpr size_t kTimeSourceCount = kTimeSources.size();

[[nodiscard]] constexpr const TimeSourceInfo& info(TimeSource source) {
  return kTimeSources[static_cast<size_t>(source)];
}

/// Time of one execution in ns; empty where the source has none for this kernel.
[[nodiscard]] std::optional<double> time_ns(const ModuleReport& report, TimeSource source,
                                            graph::KernelId kernel);

/// Whether a view of the report has a place for the source: always, but for an optional one of
/// which no kernel has a time.
[[nodiscard]] bool has_place(const ModuleReport& report, TimeSource source);

/// (estimate - measured) / measured; NaN when either is missing or measured is not positive.
[[nodiscard]] double relative_error(std::optional<double> estimate_ns,
                                    std::optional<double> measured_ns);

}  // namespace hloscope::analysis
