#include "ui/pages/compare/compare_view.h"

#include <algorithm>
#include <string_view>

namespace hloscope::ui {
namespace {

using analysis::ComparePoint;
using analysis::PairSource;

void fillChart(const CompareRequest& request, CompareView& view) {
  std::vector<QPointF> shown;
  std::vector<QPointF> behind;
  const std::vector<ComparePoint>& points = request.set->points;
  const analysis::PairAxes& axes = request.axes;
  for (uint32_t i = 0; i < points.size(); ++i) {
    const ComparePoint& point = points[i];
    if (!axes.has_place(point) || !matches(request.query, point) || !request.is_picked(point)) {
      continue;
    }
    view.in_chart.push_back(i);
    if (request.is_in_range(point)) view.in_tables.push_back(i);
    shown.emplace_back(axes.x_ns(point) / 1e3, axes.y_ns(point) / 1e3);
    const double other = request.baseline ? axes.time_ns(point, *request.baseline) : 0;
    if (other > 0) behind.emplace_back(axes.x_ns(point) / 1e3, other / 1e3);
  }
  view.cloud = ScatterCloud(std::move(shown));
  view.behind = ScatterCloud(std::move(behind));
}

/// The chosen points; a copy only where not all are.
class Chosen {
 public:
  Chosen(const std::vector<ComparePoint>& points, const std::vector<uint32_t>& positions)
      : all_(points), is_all_(positions.size() == points.size()) {
    if (is_all_) return;
    copies_.reserve(positions.size());
    for (const uint32_t i : positions) copies_.push_back(points[i]);
  }
  [[nodiscard]] std::span<const ComparePoint> points() const { return is_all_ ? all_ : copies_; }

 private:
  std::span<const ComparePoint> all_;
  bool is_all_;
  std::vector<ComparePoint> copies_;
};

void fillTables(const CompareRequest& request, CompareView& view, const Progress& progress) {
  const Chosen chosen(request.set->points, view.in_tables);
  view.residuals = analysis::residual_histogram(chosen.points(), request.axes);
  view.errors = analysis::largest_differences(chosen.points(), request.axes);
  if (view.errors.size() > LargestErrorsModel::kMostRows) {
    view.errors.resize(LargestErrorsModel::kMostRows);
  }
  for (uint32_t& row : view.errors) row = view.in_tables[row];
  // Each source is judged by all points that it has a time of, also those without y.
  std::vector<uint32_t> judged;
  const std::vector<ComparePoint>& points = request.set->points;
  for (uint32_t i = 0; i < points.size(); ++i) {
    const bool is_shown = matches(request.query, points[i]) && request.is_picked(points[i]);
    if (is_shown && request.is_in_range(points[i])) judged.push_back(i);
  }
  view.metrics = MetricsModel::rowsOf(Chosen(points, judged).points(), request.axes,
                                      request.of_tiles, progress);
}

/// The bars keep the groups that were clicked away, so that they can be clicked back.
void fillGroups(const CompareRequest& request, CompareView& view) {
  view.group_sources = {request.axes.y};
  for (const analysis::PairSourceInfo& info : analysis::kPairSources) {
    const bool is_axis = info.source == request.axes.x || info.source == request.axes.y;
    if (is_axis || info.source == PairSource::kMeasured) continue;
    if (info.source == PairSource::kPinned) continue;  // It looks like the simulated one.
    if (info.source == PairSource::kScaled && request.baseline != PairSource::kScaled) continue;
    if (request.set->has_times[static_cast<size_t>(info.source)]) {
      view.group_sources.push_back(info.source);
    }
  }
  std::vector<uint32_t> of_all_groups;
  const std::vector<ComparePoint>& points = request.set->points;
  for (uint32_t i = 0; i < points.size(); ++i) {
    if (request.is_in_range(points[i]) && matches(request.query, points[i])) {
      of_all_groups.push_back(i);
    }
  }
  const Chosen chosen(points, of_all_groups);
  view.groups =
      analysis::error_groups(chosen.points(), request.axes, view.group_sources, request.grouping);
}

void count(const CompareRequest& request, CompareView& view) {
  std::vector<const ComparePoint*> timed;
  for (const ComparePoint& point : request.set->points) {
    if (!(request.axes.x_ns(point) > 0)) continue;
    timed.push_back(&point);
    ++(request.axes.y_ns(point) > 0 ? view.pairs : view.untimed);
  }
  const auto key = [](const ComparePoint* point) {
    return std::tuple(std::string_view(point->file_path), point->module_number,
                      std::string_view(point->kernel_name));
  };
  view.timed = timed.size();
  std::sort(timed.begin(), timed.end(),
            [&key](const auto* a, const auto* b) { return key(a) < key(b); });
  const auto same = [&key](const auto* a, const auto* b) { return key(a) == key(b); };
  view.kernels = static_cast<size_t>(std::unique(timed.begin(), timed.end(), same) - timed.begin());
}

}  // namespace

PointSet::PointSet(std::vector<ComparePoint> of)
    : points(std::move(of)), scale(analysis::fitted_scale(points)) {
  for (const analysis::PairSourceInfo& info : analysis::kPairSources) {
    has_times[static_cast<size_t>(info.source)] = analysis::has_times(points, info.source, scale);
  }
}

bool CompareRequest::is_in_range(const ComparePoint& point) const {
  if (!range_ns) return true;
  const double x_ns = axes.x_ns(point);
  return x_ns >= range_ns->first && x_ns <= range_ns->second;
}

bool CompareRequest::is_picked(const ComparePoint& point) const {
  return !group || analysis::group_key(point, grouping, axes.x_ns(point)) == *group;
}

CompareView compareView(const CompareRequest& request, const Progress& progress) {
  CompareView view;
  fillChart(request, view);
  progress.report(0.1, "groups");
  if (progress.stop_requested()) return view;
  fillGroups(request, view);
  progress.report(0.2, "kernels");
  if (progress.stop_requested()) return view;
  count(request, view);
  progress.report(0.3, "metrics");
  if (progress.stop_requested()) return view;
  fillTables(request, view, progress);
  return view;
}

}  // namespace hloscope::ui
