#include "core/sim/time_parts.h"

#include "core/sim/pipeline.h"
#include "core/sim/simulate.h"

namespace hloscope::sim {

namespace {

double& at(TimeParts& parts, TimePart part) {
  return parts[static_cast<size_t>(part)];
}

TimeParts link_parts(const KernelModel& model, const Rates& rates) {
  const Simulation link = simulate_link(model, rates);
  TimeParts out{};
  at(out, TimePart::kLaunch) = link.launch_ns;
  const bool is_hbm = link.bottleneck == Unit::kDmaIn;
  at(out, is_hbm ? TimePart::kTraffic : TimePart::kLink) = link.exposed_ns;
  return out;
}

// The matrix unit waits for conversions, which the vector ALU does; all else runs beside it.
double matrix_share_ns(const TileWork& work, const Slot& slot, double core_ns) {
  const auto busy_ns = [&](Unit unit) {
    const auto u = static_cast<size_t>(unit);
    return work.busy_ns[u] + (slot.step.ends_sums ? work.end_busy_ns[u] : 0);
  };
  const double matrix_ns = busy_ns(Unit::kMxu);
  const double convert_ns = work.convert_ns + (slot.step.ends_sums ? work.end_convert_ns : 0);
  double others_ns = busy_ns(Unit::kValu) - convert_ns;
  for (Unit unit : {Unit::kXlu, Unit::kEup, Unit::kLoad, Unit::kStore}) {
    others_ns = std::max(others_ns, busy_ns(unit) - convert_ns);
  }
  return matrix_ns >= others_ns ? std::min(matrix_ns, core_ns) : 0;
}

void add_slot(TimeParts& out, const Slot& slot, const TileWork& work) {
  const double n = slot.step.repeats;
  if (slot.transfer_ns > slot.compute_ns) {
    at(out, TimePart::kTraffic) += n * slot.length_ns;
    return;
  }
  const double core_ns = slot.compute_ns - slot.scalar_ns;
  const double matrix_ns = matrix_share_ns(work, slot, core_ns);
  at(out, TimePart::kLoop) += n * slot.scalar_ns;
  at(out, TimePart::kMatrix) += n * matrix_ns;
  at(out, TimePart::kVector) += n * (core_ns - matrix_ns);
}

}  // namespace

std::string_view name(TimePart part) {
  static constexpr std::array<std::string_view, kTimePartCount> kNames = {
      "MXU", "vector units", "HBM traffic", "fill and drain", "loop overhead", "launch", "link"};
  return kNames[static_cast<size_t>(part)];
}

TimeParts time_parts(const KernelModel& model, const std::vector<int64_t>& bounds,
                     const Rates& rates) {
  if (model.kind != KernelKind::kTiled) return link_parts(model, rates);
  const TileWork work = tile_work(model, bounds, rates);
  TileWalk walk(model, bounds, rates);
  Pipeline pipeline(work, rates);
  TimeParts out{};
  double ends_ns = 0;
  bool is_first = true;
  double last_write_ns = 0;
  const auto emit = [&](const Slot& slot) {
    if (is_first) ends_ns = slot.step.read.time_ns;
    is_first = false;
    last_write_ns = slot.step.write.time_ns;
    add_slot(out, slot, work);
    return true;
  };
  walk.run(false, [&](const TileStep& step) { return pipeline.add(step, emit); });
  pipeline.end(emit);
  const auto any = [&model](bool outputs) {
    return std::any_of(model.streams.begin(), model.streams.end(),
                       [outputs](const Stream& stream) { return stream.is_output == outputs; });
  };
  if (any(false)) ends_ns += rates.latency_ns;
  if (any(true)) ends_ns += last_write_ns + rates.latency_ns;
  at(out, TimePart::kFillDrain) = ends_ns;
  at(out, TimePart::kLaunch) = rates.launch_ns;
  return out;
}

}  // namespace hloscope::sim
