#include "app/cli/html_compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/html_parts.h"
#include "app/cli/text_table.h"
#include "core/analysis/compare.h"
#include "core/analysis/compare_svg.h"

namespace hloscope::cli {

namespace {

using analysis::ComparePoint;
using analysis::TimeRange;
using analysis::TimeSource;

/// More would make the picture slow.
constexpr size_t kMostDrawn = 4000;
constexpr size_t kOutliers = 10;

std::vector<ComparePoint> points_of(const std::vector<ReportPtr>& reports) {
  std::vector<ComparePoint> points;
  for (const ReportPtr& report : reports) {
    std::vector<ComparePoint> some =
        analysis::compare_points(*report, analysis::MeasuredChoice::kEveryRun);
    std::move(some.begin(), some.end(), std::back_inserter(points));
  }
  return points;
}

std::vector<ComparePoint> with_estimate(const std::vector<ComparePoint>& points,
                                        TimeSource source) {
  std::vector<ComparePoint> out;
  for (const ComparePoint& point : points) {
    if (point.estimate_ns(source) > 0) out.push_back(point);
  }
  return out;
}

/// Evenly over all points where they are too many.
std::vector<ComparePoint> drawn(std::vector<ComparePoint> points) {
  if (points.size() <= kMostDrawn) return points;
  std::vector<ComparePoint> out;
  for (size_t i = 0; i < kMostDrawn; ++i) out.push_back(points[i * points.size() / kMostDrawn]);
  return out;
}

std::string range_name(TimeRange range) {
  const std::string limit = fmt::format("{:g} µs", analysis::kShortKernelNs / 1e3);
  if (range == TimeRange::kShort) return "measured below " + limit;
  return range == TimeRange::kLong ? "measured " + limit + " and longer" : "all";
}

std::string metric_rows(const std::vector<ComparePoint>& points, TimeSource source) {
  std::string out;
  for (const TimeRange range : analysis::kTimeRanges) {
    const analysis::CompareMetrics metrics = analysis::compare_metrics(points, source, range);
    if (metrics.n == 0) continue;
    const auto number = [](double value, double factor, int decimals) {
      return value == value ? fmt::format("{:.{}f}", value * factor, decimals) : "–";
    };
    out += html_row({std::string(analysis::info(source).title), range_name(range),
                     fmt::format("{}", metrics.n), number(metrics.mape, 100, 1),
                     number(metrics.median_ape, 100, 1), number(metrics.kendall_tau, 1, 3),
                     number(metrics.within_band, 100, 1)});
  }
  return out;
}

std::string outlier_rows(const std::vector<ComparePoint>& points, TimeSource source) {
  std::string out;
  std::vector<uint32_t> largest = analysis::largest_errors(points, source);
  largest.resize(std::min(largest.size(), kOutliers));
  for (const uint32_t at : largest) {
    const ComparePoint& point = points[at];
    out += html_row({point.kernel_name, point.program_name, point.configuration,
                     std::string(hlo::name(point.op_class)), microseconds(point.measured_ns()),
                     microseconds(point.estimate_ns(source)),
                     fmt::format("{:+.1f}", point.error(source) * 100)});
  }
  return out;
}

std::string scatter(const std::vector<ComparePoint>& points, TimeSource source) {
  const std::string name(analysis::info(source).title);
  analysis::ScatterStyle style;
  style.ink = analysis::svg::colour("ink");
  style.muted = analysis::svg::colour("muted");
  style.grid = analysis::svg::colour("grid");
  style.accent = analysis::svg::colour("accent");
  style.paper = analysis::svg::colour("paper");
  style.point = analysis::svg::colour("source", static_cast<size_t>(source));
  style.title = name + " against measured";
  style.width = 520;
  style.height = 480;
  const std::vector<ComparePoint> all = with_estimate(points, source);
  const std::vector<ComparePoint> shown = drawn(all);
  const std::string note =
      shown.size() < all.size()
          ? fmt::format("{} of {} runs, evenly chosen", shown.size(), all.size())
          : counted(static_cast<int64_t>(all.size()), "measured run", "measured runs");
  return html_figure(style.title, note + "; dashes: within 10 %",
                     analysis::scatter_svg(shown, source, style));
}

}  // namespace

std::string html_compare(const std::vector<ReportPtr>& reports) {
  const std::vector<ComparePoint> points = points_of(reports);
  if (points.empty()) return {};
  std::string out = "<section id=\"compare\"><h2>Estimated against measured</h2>\n";
  std::string metrics =
      html_head("Each measured run is one point", {"Source", "Measured time", "Points", "MAPE %",
                                                   "Median APE %", "Kendall tau", "Within 10 %"});
  std::string outliers;
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    if (!source.is_estimate || !analysis::has_place(points, source.source)) continue;
    out += scatter(points, source.source);
    metrics += metric_rows(points, source.source);
    outliers +=
        fmt::format("<details><summary>Largest errors, {}</summary>\n", source.name) +
        html_head("Largest differences in time", {"Kernel", "Program", "Tile", "Class",
                                                  "Measured µs", "Estimated µs", "Error %"}) +
        outlier_rows(points, source.source) + "</tbody></table></details>\n";
  }
  return out + metrics + "</tbody></table>\n" + outliers + "</section>\n";
}

}  // namespace hloscope::cli
