#include "core/analysis/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/baseline.h"
#include "core/analysis/compare_pairs.h"

namespace hloscope::analysis {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

ComparePoint point_of(const ModuleReport& report, graph::KernelId id) {
  const hlo::Program& program = *report.module.program;
  const graph::Kernel& kernel = report.kernels.kernels[id];
  ComparePoint point;
  point.kernel_name = program[kernel.instruction].name;
  point.program_name = program.name();
  point.file_path = report.file_path;
  point.module_number = report.module_number;
  point.kernel = id;
  point.op_class = kernel.op_class;
  point.opcode = program[kernel.instruction].opcode;
  for (const TimeSourceInfo& source : kTimeSources) {
    point.time_ns[static_cast<size_t>(source.source)] =
        time_ns(report, source.source, id).value_or(kNone);
  }
  return point;
}

std::string configuration_text(const hlo::MeasuredRun& run) {
  std::string out = fmt::format("out={}", fmt::join(run.output_bounds, "x"));
  if (!run.kernel_bounds.empty()) {
    out += fmt::format(",kernel={}", fmt::join(run.kernel_bounds, "x"));
  }
  return out;
}

void add_runs(const ModuleReport& report, const ComparePoint& base,
              std::vector<ComparePoint>& points) {
  const auto& runs = report.module.runs;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].failed || runs[i].time_ns <= 0) continue;
    ComparePoint point = base;
    const auto set = [&point](TimeSource source, double time_ns) {
      point.time_ns[static_cast<size_t>(source)] = time_ns;
    };
    point.configuration = runs[i].is_default ? "" : configuration_text(runs[i]);
    point.time_ns.fill(kNone);
    if (runs[i].is_default) {
      for (const TimeSource source : {TimeSource::kPredicted, TimeSource::kCompiler}) {
        set(source, base.estimate_ns(source));
      }
    }
    set(TimeSource::kMeasured, static_cast<double>(runs[i].time_ns));
    if (i < report.run_times.size() && report.run_times[i]) {
      set(TimeSource::kSimulated, report.run_times[i]->simulated.time_ns);
      set(TimeSource::kAnalytical, report.run_times[i]->analytical.time_ns);
    }
    points.push_back(std::move(point));
  }
}

PairAxes against_measured(TimeSource source) {
  return {PairSource::kMeasured, pair_source(source)};
}

}  // namespace

bool has_place(std::span<const ComparePoint> points, TimeSource source) {
  return !info(source).is_optional ||
         std::any_of(points.begin(), points.end(),
                     [source](const ComparePoint& point) { return point.estimate_ns(source) > 0; });
}

std::vector<ComparePoint> compare_points(const ModuleReport& report, MeasuredChoice choice) {
  std::vector<ComparePoint> points;
  const size_t count = report.kernels.kernels.size();
  for (uint32_t i = 0; i < count; ++i) {
    const graph::KernelId id(i);
    ComparePoint point = point_of(report, id);
    if (choice != MeasuredChoice::kEveryKernel && !(point.measured_ns() > 0)) continue;
    if (choice == MeasuredChoice::kEveryRun && count == 1 && !report.module.runs.empty()) {
      add_runs(report, point, points);
    } else {
      points.push_back(std::move(point));
    }
  }
  return points;
}

void add_pinned(std::span<ComparePoint> points, const ModuleReport& report,
                const Baseline& baseline) {
  const auto source = baseline.main_source();
  if (!source) return;
  const auto pinned = baseline.match(report);
  for (ComparePoint& point : points) {
    if (!point.configuration.empty() || !pinned.contains(point.kernel)) continue;
    const SourceTimes* const times = pinned[point.kernel];
    if (times == nullptr) continue;
    point.pinned_ns = (*times)[static_cast<size_t>(*source)].value_or(kNone);
  }
}

bool in_range(TimeRange range, double measured_ns) {
  if (range == TimeRange::kAll) return true;
  return (measured_ns < kShortKernelNs) == (range == TimeRange::kShort);
}

CompareMetrics compare_metrics(std::span<const ComparePoint> points, TimeSource source,
                               TimeRange range) {
  return pair_metrics(points, against_measured(source), range);
}

TileTau tile_tau(std::span<const ComparePoint> points, TimeSource source, TimeRange range) {
  return pair_tile_tau(points, against_measured(source), range);
}

std::array<ClassError, hlo::kOpClassCount> class_errors(std::span<const ComparePoint> points,
                                                        TimeSource source) {
  std::array<ClassError, hlo::kOpClassCount> errors;
  errors.fill({0, kNone});
  const PairAxes axes = against_measured(source);
  for (const ErrorGroup& group :
       error_groups(points, axes, std::span(&axes.y, 1), Grouping::kOpClass)) {
    errors[static_cast<size_t>(group.op_class)] = group.errors.front();
  }
  return errors;
}

std::vector<uint32_t> largest_errors(std::span<const ComparePoint> points, TimeSource source) {
  return largest_differences(points, against_measured(source));
}

bool matches(const KernelQuery& query, const ComparePoint& point) {
  KernelFacts facts;
  facts.name = point.kernel_name;
  facts.label = point.program_name;
  facts.opcode = point.opcode;
  facts.op_class = point.op_class;
  facts.tile = point.configuration;
  facts.number = [&point](size_t column) {
    const KernelColumn& info = kernel_columns()[column];
    if (info.kind == ColumnKind::kTime) return point.estimate_ns(info.source);
    if (info.kind == ColumnKind::kError) return point.error(info.source);
    return kNone;
  };
  return query.matches(facts);
}

std::string export_points(std::span<const ComparePoint> points, TableFormat format) {
  std::vector<std::string> cells{"kernel", "program", "file", "module", "class", "configuration"};
  const size_t text_columns = cells.size();
  std::vector<TimeSourceInfo> sources;
  for (const TimeSourceInfo& source : kTimeSources) {
    if (has_place(points, source.source)) sources.push_back(source);
  }
  for (const TimeSourceInfo& source : sources) {
    cells.push_back(std::string(source.id) + "_ns");
    if (source.is_estimate) cells.push_back(std::string(source.id) + "_error");
  }
  const auto right = std::make_unique<bool[]>(cells.size());
  for (size_t i = text_columns; i < cells.size(); ++i) right[i] = true;
  std::string out = table_line(cells, format);
  out += header_rule({right.get(), cells.size()}, format);
  const auto number = [](double v) { return std::isnan(v) ? "" : fmt::format("{}", v); };
  for (const ComparePoint& point : points) {
    cells = {
        quoted_cell(point.kernel_name, format),         quoted_cell(point.program_name, format),
        quoted_cell(point.file_path, format),           fmt::format("{}", point.module_number),
        quoted_cell(hlo::name(point.op_class), format), quoted_cell(point.configuration, format)};
    for (const TimeSourceInfo& source : sources) {
      cells.push_back(number(point.estimate_ns(source.source)));
      if (source.is_estimate) cells.push_back(number(point.error(source.source)));
    }
    out += table_line(cells, format);
  }
  return out;
}

}  // namespace hloscope::analysis
