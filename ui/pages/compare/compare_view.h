#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/compare_pairs.h"
#include "core/analysis/kernel_query.h"
#include "core/base/progress.h"
#include "ui/charts/scatter_chart.h"
#include "ui/pages/compare/compare_models.h"

namespace hloscope::ui {

/// More points are worked on by a worker: from here on that takes longer than a frame.
inline constexpr size_t kMostPointsAtOnce = 5'000;

/// What is compared.
struct PointSet {
  std::vector<analysis::ComparePoint> points;
  double scale = std::numeric_limits<double>::quiet_NaN();  ///< analysis::fitted_scale().
  std::array<bool, analysis::kPairSources.size()> has_times{};
  std::string version;  ///< Of a results file, see StoredPoints; empty for open files.

  PointSet() = default;
  explicit PointSet(std::vector<analysis::ComparePoint> points);
};
using PointSetPtr = std::shared_ptr<const PointSet>;

/// How the page shows them.
struct CompareRequest {
  PointSetPtr set = std::make_shared<const PointSet>();
  analysis::PairAxes axes;
  std::optional<analysis::PairSource> baseline;  ///< What stands behind the points.
  analysis::KernelQuery query;
  analysis::Grouping grouping = analysis::Grouping::kOpClass;
  std::optional<std::string> group;                   ///< Key of the picked one.
  std::optional<std::pair<double, double>> range_ns;  ///< Of x.
  bool of_tiles = false;

  [[nodiscard]] bool is_in_range(const analysis::ComparePoint& point) const;
  /// Belongs to the picked group, if there is one.
  [[nodiscard]] bool is_picked(const analysis::ComparePoint& point) const;
};

/// All that the page shows of a request. Positions are those in the set.
struct CompareView {
  std::vector<uint32_t> in_chart;
  std::vector<uint32_t> in_tables;  ///< Of them, those within the range.
  ScatterCloud cloud;
  ScatterCloud behind;
  std::vector<MetricsModel::Row> metrics;
  std::vector<uint32_t> errors;  ///< Largest first; at most LargestErrorsModel::kMostRows.
  analysis::ResidualHistogram residuals;
  std::vector<analysis::PairSource> group_sources;
  std::vector<analysis::ErrorGroup> groups;
  size_t pairs = 0;    ///< Points of the set with both times.
  size_t untimed = 0;  ///< Points of the set with x that y has no time of.
  size_t timed = 0;    ///< Points of the set with x.
  size_t kernels = 0;  ///< Distinct ones among them.
};

/// Stops early, with anything, when that is asked for: nobody then wants the result.
[[nodiscard]] CompareView compareView(const CompareRequest& request, const Progress& progress);

}  // namespace hloscope::ui
