#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/compare.h"

namespace hloscope::analysis {

/// What an axis of the comparison can show: a source of times, the analytical one times a factor
/// that is fitted to measured times, or the times of the pinned baseline.
enum class PairSource : uint8_t {
  kMeasured,
  kSimulated,
  kAnalytical,
  kScaled,
  kPredicted,
  kCompiler,
  kPinned
};

struct PairSourceInfo {
  PairSource source;
  TimeSource of;           ///< Whose times they are; of kPinned those in ComparePoint::pinned_ns.
  std::string_view id;     ///< In settings: "scaled".
  std::string_view title;  ///< On screen: "Analytical, scaled".
  std::string_view name;   ///< Within a sentence: "analytical, scaled".
};

inline constexpr std::array kPairSources{
    PairSourceInfo{PairSource::kMeasured, TimeSource::kMeasured, "measured", "Measured",
                   "measured"},
    PairSourceInfo{PairSource::kSimulated, TimeSource::kSimulated, "simulated", "Simulated",
                   "simulated"},
    PairSourceInfo{PairSource::kAnalytical, TimeSource::kAnalytical, "analytical", "Analytical",
                   "analytical"},
    PairSourceInfo{PairSource::kScaled, TimeSource::kAnalytical, "scaled", "Analytical, scaled",
                   "analytical, scaled"},
    PairSourceInfo{PairSource::kPredicted, TimeSource::kPredicted, "predicted", "Predicted",
                   "predicted"},
    PairSourceInfo{PairSource::kCompiler, TimeSource::kCompiler, "compiler", "XLA estimate",
                   "XLA estimate"},
    PairSourceInfo{PairSource::kPinned, TimeSource::kSimulated, "pinned", "Pinned baseline",
                   "pinned"},
};

[[nodiscard]] constexpr const PairSourceInfo& info(PairSource source) {
  return kPairSources[static_cast<size_t>(source)];
}
[[nodiscard]] PairSource pair_source(TimeSource source);

/// Total measured / total analytical time of the points that have both; NaN without any. One factor
/// for all, as the paper scales per class.
[[nodiscard]] double fitted_scale(std::span<const ComparePoint> points);

/// Two sources against each other: y is judged by x.
struct PairAxes {
  PairSource x = PairSource::kMeasured;
  PairSource y = PairSource::kSimulated;
  double scale = std::numeric_limits<double>::quiet_NaN();  ///< fitted_scale(), for kScaled.

  [[nodiscard]] double time_ns(const ComparePoint& point, PairSource source) const {
    if (source == PairSource::kPinned) return point.pinned_ns;
    return point.estimate_ns(info(source).of) * (source == PairSource::kScaled ? scale : 1);
  }
  [[nodiscard]] double x_ns(const ComparePoint& point) const { return time_ns(point, x); }
  [[nodiscard]] double y_ns(const ComparePoint& point) const { return time_ns(point, y); }
  /// Signed fraction of x.
  [[nodiscard]] double error(const ComparePoint& point) const {
    return (y_ns(point) - x_ns(point)) / x_ns(point);
  }
  /// There is an error: x is positive and y known.
  [[nodiscard]] bool has_pair(const ComparePoint& point) const {
    return x_ns(point) > 0 && !std::isnan(y_ns(point));
  }
  /// There is a place on logarithmic axes.
  [[nodiscard]] bool has_place(const ComparePoint& point) const {
    return x_ns(point) > 0 && y_ns(point) > 0;
  }
  /// The same with another y.
  [[nodiscard]] PairAxes with_y(PairSource other) const { return {x, other, scale}; }
};

/// Some point has a time of the source.
[[nodiscard]] bool has_times(std::span<const ComparePoint> points, PairSource source, double scale);

/// Of the points with both times whose x is in the range.
[[nodiscard]] CompareMetrics pair_metrics(std::span<const ComparePoint> points,
                                          const PairAxes& axes, TimeRange range);
/// Kendall's tau among the points of each kernel, as a mean over kernels.
[[nodiscard]] TileTau pair_tile_tau(std::span<const ComparePoint> points, const PairAxes& axes,
                                    TimeRange range);
/// Positions of the points with both times, largest |y - x| first.
[[nodiscard]] std::vector<uint32_t> largest_differences(std::span<const ComparePoint> points,
                                                        const PairAxes& axes);

/// What errors are told apart by.
enum class Grouping : uint8_t { kOpClass, kProgram, kSize };

/// Points that belong together, with the error of each asked y.
struct ErrorGroup {
  std::string key;  ///< group_key() of its points; also its title.
  hlo::OpClass op_class = hlo::OpClass::kElementwise;  ///< Of kOpClass.
  std::vector<ClassError> errors;                      ///< By y.
  size_t n = 0;                                        ///< Most points of any y.
};
/// The name of the class or program, or the range that x_ns is in: "5 to 20 µs".
[[nodiscard]] std::string group_key(const ComparePoint& point, Grouping grouping, double x_ns);
/// Mean absolute errors of `ys` against axes.x. Classes in their order, programs by number of
/// points, then name; sizes from short to long. Groups without any pair are left out.
[[nodiscard]] std::vector<ErrorGroup> error_groups(std::span<const ComparePoint> points,
                                                   const PairAxes& axes,
                                                   std::span<const PairSource> ys,
                                                   Grouping grouping);

/// log2(y / x) of the points in bins of equal width; the middle of the middle bin is y = x.
struct ResidualHistogram {
  static constexpr size_t kBins = 41;
  double limit = 1;                    ///< Of log2(y / x): the bins reach from -limit to limit.
  std::array<size_t, kBins> counts{};  ///< From -limit upward; a lower edge belongs to its bin.
  size_t below = 0;                    ///< Points under -limit.
  size_t above = 0;                    ///< Points at limit and over it.
  size_t n = 0;                        ///< All of them.
  double median_ratio = 0;             ///< Of y / x; NaN without points.
  double spread = 0;  ///< exp of the standard deviation of log(y / x); NaN under 2.
  [[nodiscard]] double bin_width() const { return 2 * limit / static_cast<double>(kBins); }
};
/// The limit is the smallest of log2 of 1.1, 1.25, 1.5, 2, 4, 8 ... that leaves out at most 2 %.
[[nodiscard]] ResidualHistogram residual_histogram(std::span<const ComparePoint> points,
                                                   const PairAxes& axes);

}  // namespace hloscope::analysis
