// Errors of a pair of sources by group, and as a histogram.
#include <algorithm>
#include <map>

#include "core/analysis/compare_pairs.h"

namespace hloscope::analysis {
namespace {

struct SizeRange {
  double end_ns;  ///< Not in it.
  std::string_view title;
};
// kShortKernelNs is one of the ends.
constexpr std::array kSizeRanges{
    SizeRange{1000, "under 1 µs"},       SizeRange{kShortKernelNs, "1 to 5 µs"},
    SizeRange{20'000, "5 to 20 µs"},     SizeRange{100'000, "20 to 100 µs"},
    SizeRange{1'000'000, "0.1 to 1 ms"}, SizeRange{HUGE_VAL, "1 ms and over"},
};

constexpr double kMostLeftOut = 0.02;
constexpr std::array kFirstRatios{1.1, 1.25, 1.5, 2.0};

size_t size_range(double x_ns) {
  size_t range = 0;
  while (range + 1 < kSizeRanges.size() && x_ns >= kSizeRanges[range].end_ns) ++range;
  return range;
}

/// What groups are in order of; programs are sorted later.
size_t position(const ComparePoint& point, Grouping grouping, double x_ns) {
  if (grouping == Grouping::kOpClass) return static_cast<size_t>(point.op_class);
  return grouping == Grouping::kSize ? size_range(x_ns) : 0;
}

void add(ErrorGroup& group, const ComparePoint& point, const PairAxes& axes,
         std::span<const PairSource> ys) {
  group.op_class = point.op_class;
  group.errors.resize(ys.size());
  for (size_t i = 0; i < ys.size(); ++i) {
    const PairAxes of_y = axes.with_y(ys[i]);
    if (!of_y.has_pair(point)) continue;
    ClassError& error = group.errors[i];
    ++error.n;
    error.mape += std::abs(of_y.error(point));  // A sum until all points are in.
    group.n = std::max(group.n, error.n);
  }
}

double limit_for(std::span<const double> residuals) {
  const auto fits = [residuals](double limit) {
    const auto out = std::count_if(residuals.begin(), residuals.end(),
                                   [limit](double r) { return r < -limit || r >= limit; });
    return static_cast<double>(out) <= kMostLeftOut * static_cast<double>(residuals.size());
  };
  for (const double ratio : kFirstRatios) {
    if (fits(std::log2(ratio))) return std::log2(ratio);
  }
  double limit = 2;
  while (!fits(limit)) ++limit;
  return limit;
}

/// exp2 of the standard deviation with n - 1; NaN under two.
double spread_of(std::span<const double> residuals) {
  if (residuals.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(residuals.size());
  double mean = 0;
  for (const double r : residuals) mean += r / n;
  double squares = 0;
  for (const double r : residuals) squares += (r - mean) * (r - mean);
  return std::exp2(std::sqrt(squares / (n - 1)));
}

double median_of(std::vector<double> sorted) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(sorted.begin(), sorted.end());
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

}  // namespace

std::string group_key(const ComparePoint& point, Grouping grouping, double x_ns) {
  switch (grouping) {
    case Grouping::kOpClass:
      return std::string(hlo::name(point.op_class));
    case Grouping::kProgram:
      return point.program_name;
    case Grouping::kSize:
      return std::string(kSizeRanges[size_range(x_ns)].title);
  }
  return {};
}

std::vector<ErrorGroup> error_groups(std::span<const ComparePoint> points, const PairAxes& axes,
                                     std::span<const PairSource> ys, Grouping grouping) {
  std::map<std::pair<size_t, std::string>, ErrorGroup> groups;
  for (const ComparePoint& point : points) {
    const double x_ns = axes.x_ns(point);
    if (!(x_ns > 0)) continue;
    const std::string key = group_key(point, grouping, x_ns);
    add(groups[{position(point, grouping, x_ns), key}], point, axes, ys);
  }
  std::vector<ErrorGroup> out;
  for (auto& [place, group] : groups) {
    if (group.n == 0) continue;
    group.key = place.second;
    for (ClassError& error : group.errors) error.mape /= static_cast<double>(error.n);
    out.push_back(std::move(group));
  }
  if (grouping == Grouping::kProgram) {
    std::stable_sort(out.begin(), out.end(),
                     [](const ErrorGroup& a, const ErrorGroup& b) { return a.n > b.n; });
  }
  return out;
}

ResidualHistogram residual_histogram(std::span<const ComparePoint> points, const PairAxes& axes) {
  std::vector<double> residuals;
  for (const ComparePoint& point : points) {
    if (axes.has_place(point)) residuals.push_back(std::log2(axes.y_ns(point) / axes.x_ns(point)));
  }
  ResidualHistogram out;
  out.n = residuals.size();
  out.limit = limit_for(residuals);
  for (const double residual : residuals) {
    if (residual < -out.limit) {
      ++out.below;
    } else if (residual >= out.limit) {
      ++out.above;
    } else {
      const auto bin = static_cast<size_t>((residual + out.limit) / out.bin_width());
      ++out.counts[std::min(bin, ResidualHistogram::kBins - 1)];
    }
  }
  out.median_ratio = std::exp2(median_of(residuals));
  out.spread = spread_of(residuals);
  return out;
}

}  // namespace hloscope::analysis
