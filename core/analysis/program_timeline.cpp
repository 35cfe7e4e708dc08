#include "core/analysis/program_timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hloscope::analysis {

namespace {

constexpr uint32_t kNoSpan = std::numeric_limits<uint32_t>::max();
constexpr int64_t kFewestTiles = 16;  ///< Of a kernel, however many kernels there are.
constexpr size_t kStretchesPerTile = 9;

int64_t tiles_of_each(size_t most_stretches, size_t kernels) {
  const size_t tiles = most_stretches / (std::max<size_t>(kernels, 1) * kStretchesPerTile);
  return std::max(kFewestTiles, static_cast<int64_t>(tiles));
}

// Stretches of a unit follow each other but for rounding, which would count time twice.
void add(std::vector<Stretch>& stretches, const sim::Event& event) {
  const double start_ns =
      stretches.empty() ? event.start_ns : std::max(event.start_ns, stretches.back().end_ns);
  if (event.end_ns <= start_ns) return;
  stretches.push_back({start_ns, event.end_ns, event.tile, event.what});
}

KernelActivity activity_of(const sim::KernelModel& model, const std::vector<int64_t>& bounds,
                           const sim::Rates& rates, int64_t most_tiles) {
  KernelActivity out;
  out.simulation = sim::simulate(model, bounds, rates);
  out.parts = sim::time_parts(model, bounds, rates);
  if (model.kind == sim::KernelKind::kFree) return out;
  const sim::Timeline timeline = sim::timeline(model, bounds, rates, most_tiles);
  out.is_complete = timeline.is_complete;
  std::array<std::vector<Stretch>, sim::kUnitCount> stretches;
  for (const sim::Event& event : timeline.events) {
    add(stretches[static_cast<size_t>(event.unit)], event);
  }
  const double time_ns = out.simulation.time_ns;
  const double known_ns = timeline.is_complete ? time_ns : timeline.tiles.back().end_ns;
  for (size_t u = 0; u < sim::kUnitCount; ++u) {
    out.units[u] =
        UnitActivity(std::move(stretches[u]), known_ns, time_ns, out.simulation.busy_ns[u]);
  }
  return out;
}

}  // namespace

ProgramTimeline::ProgramTimeline(std::shared_ptr<const ModuleReport> report)
    : report_(std::move(report)) {}

Result<std::shared_ptr<const ProgramTimeline>> ProgramTimeline::make(
    std::shared_ptr<const ModuleReport> report, const Progress& progress, size_t most_stretches) {
  std::shared_ptr<ProgramTimeline> out(new ProgramTimeline(std::move(report)));
  HLOSCOPE_TRY(out->work_out(progress, most_stretches));
  out->line_up();
  return std::shared_ptr<const ProgramTimeline>(std::move(out));
}

Status ProgramTimeline::work_out(const Progress& progress, size_t most_stretches) {
  const graph::KernelList& kernels = report_->kernels;
  const sim::Rates rates(report_->machine);
  const int64_t most_tiles = tiles_of_each(most_stretches, kernels.distinct.size());
  activities_.reserve(kernels.distinct.size());
  for (graph::KernelId id : kernels.distinct) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    progress.report(
        static_cast<double>(activities_.size()) / static_cast<double>(kernels.distinct.size()),
        "working out the units");
    const sim::KernelModel model =
        sim::kernel_model(*report_->module.program, kernels.kernels[id].instruction);
    activities_.push_back(activity_of(model, report_->times.tiles[kernels.distinct_of[id]].bounds,
                                      rates, most_tiles));
  }
  return {};
}

void ProgramTimeline::line_up() {
  const graph::KernelList& kernels = report_->kernels;
  span_of_ = IndexedVector<graph::KernelId, uint32_t>(kernels.kernels.size(), kNoSpan);
  double now_ns = 0;
  std::array<double, sim::kUnitCount> busy_ns{};
  for (uint32_t k = 0; k < kernels.kernels.size(); ++k) {
    const graph::KernelId id(k);
    const double executions = kernels.kernels[id].executions;
    const double time_ns = report_->times.simulated[id].time_ns;
    if (!(executions > 0) || !(time_ns > 0)) continue;
    span_of_[id] = static_cast<uint32_t>(spans_.size());
    spans_.push_back({id, now_ns, time_ns, executions});
    busy_before_.push_back(busy_ns);
    now_ns = spans_.back().end_ns();
    const KernelActivity& one = activity(id);
    for (size_t u = 0; u < sim::kUnitCount; ++u) busy_ns[u] += executions * one.units[u].busy_ns();
    for (size_t p = 0; p < sim::kTimePartCount; ++p) total_parts_[p] += executions * one.parts[p];
  }
}

size_t ProgramTimeline::span_at(double time_ns) const {
  const auto found =
      std::partition_point(spans_.begin(), spans_.end(),
                           [time_ns](const KernelSpan& span) { return span.end_ns() <= time_ns; });
  return std::min(static_cast<size_t>(found - spans_.begin()), spans_.size() - 1);
}

std::optional<size_t> ProgramTimeline::span_of(graph::KernelId kernel) const {
  if (!span_of_.contains(kernel) || span_of_[kernel] == kNoSpan) return std::nullopt;
  return span_of_[kernel];
}

bool ProgramTimeline::uses(sim::Unit unit) const {
  const auto u = static_cast<size_t>(unit);
  return std::any_of(spans_.begin(), spans_.end(),
                     [this, u](const KernelSpan& span) { return activity(span, u).is_used(); });
}

double ProgramTimeline::busy_until(size_t unit, double time_ns) const {
  if (spans_.empty() || time_ns <= 0) return 0;
  const size_t at = span_at(time_ns);
  const KernelSpan& span = spans_[at];
  const double in_span_ns =
      std::clamp(time_ns - span.start_ns, 0.0, span.time_ns * span.executions);
  const UnitActivity& one = activity(span, unit);
  const double whole = std::floor(in_span_ns / span.time_ns);
  return busy_before_[at][unit] + whole * one.busy_ns() +
         one.busy_until(in_span_ns - whole * span.time_ns);
}

double ProgramTimeline::busy_ns(sim::Unit unit, double from_ns, double to_ns) const {
  const auto u = static_cast<size_t>(unit);
  return busy_until(u, to_ns) - busy_until(u, from_ns);
}

std::optional<std::vector<Stretch>> ProgramTimeline::stretches(sim::Unit unit, double from_ns,
                                                               double to_ns, size_t most) const {
  std::vector<Stretch> out;
  if (spans_.empty() || !(to_ns > from_ns) || from_ns >= total_ns()) return out;
  const auto u = static_cast<size_t>(unit);
  for (size_t s = span_at(std::max(0.0, from_ns)); s < spans_.size(); ++s) {
    const KernelSpan& span = spans_[s];
    if (span.start_ns >= to_ns) break;
    const UnitActivity& one = activity(span, u);
    if (!one.is_used()) continue;
    if (!activity(span.kernel).is_complete) return std::nullopt;
    double start_ns =
        span.start_ns +
        span.time_ns * std::floor(std::max(0.0, from_ns - span.start_ns) / span.time_ns);
    for (; start_ns < std::min(to_ns, span.end_ns()); start_ns += span.time_ns) {
      for (size_t i = one.first_after(from_ns - start_ns); i < one.stretches().size(); ++i) {
        Stretch stretch = one.stretches()[i];
        stretch.start_ns += start_ns;
        stretch.end_ns = std::min(stretch.end_ns + start_ns, span.end_ns());
        if (stretch.start_ns >= std::min(to_ns, span.end_ns())) break;
        if (out.size() == most) return std::nullopt;
        out.push_back(stretch);
      }
    }
  }
  return out;
}

std::optional<Stretch> ProgramTimeline::stretch_at(sim::Unit unit, double time_ns) const {
  if (spans_.empty() || time_ns < 0 || time_ns >= total_ns()) return std::nullopt;
  const KernelSpan& span = spans_[span_at(time_ns)];
  const UnitActivity& one = activity(span, static_cast<size_t>(unit));
  const double in_span_ns = time_ns - span.start_ns;
  const double start_ns = span.time_ns * std::floor(in_span_ns / span.time_ns);
  const size_t i = one.first_after(in_span_ns - start_ns);
  if (i == one.stretches().size() || one.stretches()[i].start_ns > in_span_ns - start_ns) {
    return std::nullopt;
  }
  Stretch stretch = one.stretches()[i];
  stretch.start_ns += span.start_ns + start_ns;
  stretch.end_ns += span.start_ns + start_ns;
  return stretch;
}

double ProgramTimeline::stretch_count() const {
  double count = 0;
  for (const KernelSpan& span : spans_) {
    for (const UnitActivity& unit : activity(span.kernel).units) {
      count += span.executions * static_cast<double>(unit.stretches().size());
    }
  }
  return count;
}

}  // namespace hloscope::analysis
