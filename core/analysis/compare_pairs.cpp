#include "core/analysis/compare_pairs.h"

#include <algorithm>
#include <tuple>

#include "core/analysis/metrics.h"

namespace hloscope::analysis {
namespace {

struct Pairs {
  std::vector<double> y;
  std::vector<double> x;

  void add(const ComparePoint& point, const PairAxes& axes, TimeRange range) {
    if (!axes.has_pair(point) || !in_range(range, axes.x_ns(point))) return;
    y.push_back(axes.y_ns(point));
    x.push_back(axes.x_ns(point));
  }
};

auto kernel_key(const ComparePoint& point) {
  return std::tie(point.file_path, point.module_number, point.kernel_name);
}

/// Points of one kernel come next to each other in the result.
std::vector<const ComparePoint*> by_kernel(std::span<const ComparePoint> points) {
  std::vector<const ComparePoint*> sorted;
  sorted.reserve(points.size());
  for (const ComparePoint& point : points) sorted.push_back(&point);
  std::stable_sort(sorted.begin(), sorted.end(), [](const ComparePoint* a, const ComparePoint* b) {
    return kernel_key(*a) < kernel_key(*b);
  });
  return sorted;
}

}  // namespace

PairSource pair_source(TimeSource source) {
  for (const PairSourceInfo& known : kPairSources) {
    if (known.of == source && known.source != PairSource::kScaled) return known.source;
  }
  return PairSource::kMeasured;
}

double fitted_scale(std::span<const ComparePoint> points) {
  double measured = 0;
  double analytical = 0;
  for (const ComparePoint& point : points) {
    const double estimate = point.estimate_ns(TimeSource::kAnalytical);
    if (!(point.measured_ns() > 0) || !(estimate > 0)) continue;
    measured += point.measured_ns();
    analytical += estimate;
  }
  return analytical > 0 ? measured / analytical : std::numeric_limits<double>::quiet_NaN();
}

bool has_times(std::span<const ComparePoint> points, PairSource source, double scale) {
  const PairAxes axes{source, source, scale};
  return std::any_of(points.begin(), points.end(),
                     [&axes](const ComparePoint& point) { return axes.x_ns(point) > 0; });
}

CompareMetrics pair_metrics(std::span<const ComparePoint> points, const PairAxes& axes,
                            TimeRange range) {
  Pairs pairs;
  for (const ComparePoint& point : points) pairs.add(point, axes, range);
  CompareMetrics metrics;
  metrics.n = pairs.x.size();
  metrics.mape = mape(pairs.y, pairs.x);
  metrics.median_ape = median_ape(pairs.y, pairs.x);
  metrics.kendall_tau = kendall_tau(pairs.y, pairs.x);
  metrics.within_band = share_within(pairs.y, pairs.x, kErrorBand);
  return metrics;
}

TileTau pair_tile_tau(std::span<const ComparePoint> points, const PairAxes& axes, TimeRange range) {
  const std::vector<const ComparePoint*> sorted = by_kernel(points);
  TileTau tau{.mean = std::numeric_limits<double>::quiet_NaN()};
  double sum = 0;
  for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    Pairs pairs;
    for (; end < sorted.size() && kernel_key(*sorted[end]) == kernel_key(*sorted[begin]); ++end) {
      pairs.add(*sorted[end], axes, range);
    }
    if (pairs.x.size() < kFewestTiles) continue;
    const double of_kernel = kendall_tau(pairs.y, pairs.x);
    if (std::isnan(of_kernel)) continue;
    sum += of_kernel;
    ++tau.kernels;
  }
  if (tau.kernels > 0) tau.mean = sum / static_cast<double>(tau.kernels);
  return tau;
}

std::vector<uint32_t> largest_differences(std::span<const ComparePoint> points,
                                          const PairAxes& axes) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < points.size(); ++i) {
    if (axes.has_pair(points[i])) order.push_back(i);
  }
  const auto difference = [&points, &axes](uint32_t i) {
    return std::abs(axes.y_ns(points[i]) - axes.x_ns(points[i]));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&difference](uint32_t a, uint32_t b) { return difference(a) > difference(b); });
  return order;
}

}  // namespace hloscope::analysis
