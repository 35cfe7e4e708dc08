#include <QObject>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/time_source.h"
#include "ui/graph/kernel_graph.h"
#include "ui/theme/format.h"

namespace hloscope::ui {

namespace {

using analysis::ModuleReport;

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

double valueOf(const ModuleReport& report, graph::KernelId kernel, ColourMode mode) {
  const analysis::Cost& cost = report.cost.kernels[kernel];
  const auto measured = report.measured_ns[kernel];
  const double simulated = report.times.simulated[kernel].time_ns;
  switch (mode) {
    case ColourMode::kSimulatedTime:
      return simulated;
    case ColourMode::kAnalyticalTime:
      return report.times.analytical[kernel].time_ns;
    case ColourMode::kMeasuredTime:
      return measured.value_or(kNoValue);
    case ColourMode::kError:
      return analysis::relative_error(simulated, measured);
    case ColourMode::kFlops:
      return cost.flops < 0 ? kNoValue : cost.flops;
    case ColourMode::kBytes:
      return cost.bytes_accessed;
    case ColourMode::kIntensity:
      return cost.flops < 0 || cost.bytes_accessed <= 0 ? kNoValue
                                                        : cost.flops / cost.bytes_accessed;
    case ColourMode::kOpClass:
    case ColourMode::kChange:
      break;
  }
  return kNoValue;
}

QString label(double value, ColourMode mode) {
  switch (mode) {
    case ColourMode::kSimulatedTime:
    case ColourMode::kAnalyticalTime:
    case ColourMode::kMeasuredTime:
      return formatTime(value);
    case ColourMode::kFlops:
      return formatFlops(value);
    case ColourMode::kBytes:
      return formatBytes(value);
    default:
      return formatNumber(value, value < 10 ? 1 : 0);
  }
}

QString unit(ColourMode mode) {
  switch (mode) {
    case ColourMode::kFlops:
      return QObject::tr("FLOP, log");
    case ColourMode::kIntensity:
      return QObject::tr("FLOP/B, log");
    case ColourMode::kSimulatedTime:
    case ColourMode::kAnalyticalTime:
      return QObject::tr("not measured, log");
    case ColourMode::kError:
      return QObject::tr("of measured");
    default:
      return QObject::tr("log");
  }
}

/// A signed fraction on the scale that ends at 30 %.
void scaleByChange(const std::vector<double>& values, GraphColouring& out) {
  out.scale = GraphColouring::Scale::kDiverging;
  out.value.assign(values.begin(), values.end());
  out.low = QStringLiteral("−30 %");
  out.middle = QStringLiteral("0");
  out.high = QStringLiteral("+30 %");
}

/// By node; no value where the kernel or the baseline has no such time.
std::vector<double> changes(const ModuleReport& report, const KernelGraph& graph,
                            const analysis::Baseline& baseline, analysis::TimeSource source) {
  const auto pinned = baseline.match(report);
  std::vector<double> values;
  values.reserve(graph.kernels.size());
  for (const graph::KernelId kernel : graph.kernels) {
    const bool has = kernel.valid() && pinned[kernel] != nullptr;
    values.push_back(has ? analysis::relative_change(analysis::time_ns(report, source, kernel),
                                                     (*pinned[kernel])[static_cast<size_t>(source)])
                         : kNoValue);
  }
  return values;
}

GraphColouringPtr changeColouring(const ModuleReport& report, const KernelGraph& graph,
                                  const analysis::Baseline& baseline) {
  const auto source = baseline.main_source().value_or(analysis::TimeSource::kSimulated);
  auto out = std::make_shared<GraphColouring>();
  out->title = name(ColourMode::kChange);
  const auto id = analysis::info(source).name;
  out->unit = QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
  scaleByChange(changes(report, graph, baseline, source), *out);
  return out;
}

/// Positions by logarithm between the smallest and the largest positive value; zero is lowest.
void scaleByLogarithm(const std::vector<double>& values, ColourMode mode, GraphColouring& out) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const double value : values) {
    if (std::isnan(value) || value <= 0) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double span = high > low ? std::log(high / low) : 0;
  for (const double value : values) {
    if (std::isnan(value)) {
      out.value.push_back(std::numeric_limits<float>::quiet_NaN());
    } else if (value <= 0 || span == 0) {
      out.value.push_back(value <= 0 ? 0.F : 0.5F);
    } else {
      out.value.push_back(static_cast<float>(std::log(value / low) / span));
    }
  }
  if (high <= 0) return;
  out.low = label(low, mode);
  out.middle = span == 0 ? QString() : label(std::sqrt(low * high), mode);
  out.high = label(high, mode);
}

}  // namespace

GraphColouringPtr colouring(const ModuleReport& report, const KernelGraph& graph, ColourMode mode,
                            const analysis::BaselinePtr& baseline) {
  if (mode == ColourMode::kOpClass) return nullptr;
  if (mode == ColourMode::kChange) {
    return baseline ? changeColouring(report, graph, *baseline) : nullptr;
  }
  std::vector<double> values;
  values.reserve(graph.kernels.size());
  for (const graph::KernelId kernel : graph.kernels) {
    values.push_back(kernel.valid() ? valueOf(report, kernel, mode) : kNoValue);
  }
  auto out = std::make_shared<GraphColouring>();
  out->title = name(mode);
  out->unit = unit(mode);
  if (mode == ColourMode::kError) {
    scaleByChange(values, *out);
  } else {
    scaleByLogarithm(values, mode, *out);
  }
  return out;
}

}  // namespace hloscope::ui
