#include "ui/pages/compare/point_source.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/cancellable_lock.h"
#include "db/compare.h"
#include "db/database.h"
#include "db/store.h"
#include "db/stored_version.h"

namespace hloscope::ui {
namespace {

hlo::OpClass classByName(std::string_view name) {
  for (int i = 0; i < hlo::kOpClassCount; ++i) {
    const auto op_class = static_cast<hlo::OpClass>(i);
    if (hlo::name(op_class) == name) return op_class;
  }
  return hlo::OpClass::kElementwise;
}

analysis::ComparePoint pointOf(db::ComparePoint&& row) {
  analysis::ComparePoint point;
  point.kernel_name = std::move(row.instruction_name);
  point.program_name = std::move(row.program_name);
  point.file_path = std::move(row.program_file);
  point.module_number = row.module_number;
  point.op_class = classByName(row.op_class);
  if (!row.is_default) point.configuration = std::move(row.bounds);
  point.time_ns.fill(std::numeric_limits<double>::quiet_NaN());
  point.time_ns[static_cast<size_t>(analysis::TimeSource::kMeasured)] = row.measured_ns;
  return point;
}

/// Rows of one measured time, one per kind of estimate, come next to each other.
bool isSameTime(const analysis::ComparePoint& a, const analysis::ComparePoint& b) {
  return a.measured_ns() == b.measured_ns() && a.configuration == b.configuration &&
         a.kernel_name == b.kernel_name && a.file_path == b.file_path &&
         a.module_number == b.module_number;
}

}  // namespace

std::vector<analysis::ComparePoint> openPoints(const std::vector<ReportPtr>& reports,
                                               const ReportPtr& current, KernelSet set,
                                               analysis::MeasuredChoice choice,
                                               const analysis::BaselinePtr& baseline) {
  std::vector<analysis::ComparePoint> points;
  for (const ReportPtr& report : reports) {
    const bool wanted =
        set == KernelSet::kAllOpen || (current && report->file_path == current->file_path);
    if (!wanted) continue;
    std::vector<analysis::ComparePoint> more = analysis::compare_points(*report, choice);
    if (baseline) analysis::add_pinned(more, *report, *baseline);
    points.insert(points.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
  }
  return points;
}

Result<std::vector<analysis::ComparePoint>> storedPoints(const db::Database& database,
                                                         const std::string& machine_id,
                                                         const Progress& progress) {
  db::CompareQuery query;
  query.machine_id = machine_id;
  query.limit = std::numeric_limits<int64_t>::max();  // Of rows; points have several.
  query.source_kinds.clear();
  for (const analysis::TimeSourceInfo& source : analysis::kTimeSources) {
    if (source.is_estimate) query.source_kinds.emplace_back(db::source_kind(source.source));
  }
  std::vector<analysis::ComparePoint> points;
  const auto add = [&](db::ComparePoint row) {
    const auto source = db::time_source(row.source_kind);
    const double estimate_ns = row.estimated_ns;
    const bool same_kind_seen =
        !points.empty() && source.has_value() && !std::isnan(points.back().estimate_ns(*source));
    analysis::ComparePoint point = pointOf(std::move(row));
    const bool new_row = points.empty() || same_kind_seen || !isSameTime(points.back(), point);
    if (new_row && points.size() == kMostStoredPoints) return false;
    if (new_row) points.push_back(std::move(point));
    if (source) points.back().time_ns[static_cast<size_t>(*source)] = estimate_ns;
    return !progress.stop_requested();
  };
  HLOSCOPE_TRY(db::each_compare_point(database, query, add));
  if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  return points;
}

Result<PointSetPtr> StoredPoints::read(const std::string& machine_id, const std::string& version,
                                       const Progress& progress) {
  HLOSCOPE_ASSIGN(const auto lock, lock_or_cancel(mutex_, progress));
  HLOSCOPE_ASSIGN(db::Database* const database, file_.make());
  // Before the points: what is stored meanwhile is seen the next time.
  HLOSCOPE_ASSIGN(const std::string stored, db::stored_version(*database));
  const std::string now = machine_id + ';' + std::to_string(file_.generation()) + ';' + stored;
  file_.empty_log();
  if (now == version) return nullptr;
  HLOSCOPE_ASSIGN(auto points, storedPoints(*database, machine_id, progress));
  auto out = std::make_shared<PointSet>(std::move(points));
  out->version = now;
  return out;
}

ReportPtr reportOf(const analysis::ComparePoint& point, const std::vector<ReportPtr>& reports) {
  const auto found = std::find_if(reports.begin(), reports.end(), [&](const ReportPtr& report) {
    return report->file_path == point.file_path && report->module_number == point.module_number;
  });
  return found == reports.end() ? nullptr : *found;
}

Selection selectionOf(const analysis::ComparePoint& point, const analysis::ModuleReport& report) {
  const auto& kernels = report.kernels.kernels;
  if (point.kernel.valid() && kernels.contains(point.kernel)) {
    return {point.kernel, kernels[point.kernel].instruction};
  }
  const hlo::Program& program = *report.module.program;
  for (uint32_t k = 0; k < kernels.size(); ++k) {
    const hlo::InstructionId instruction = kernels[graph::KernelId(k)].instruction;
    if (program[instruction].name == point.kernel_name) return {graph::KernelId(k), instruction};
  }
  return {};
}

}  // namespace hloscope::ui
