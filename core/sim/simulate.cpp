#include "core/sim/simulate.h"

#include <algorithm>

#include "core/sim/estimate.h"
#include "core/sim/pipeline.h"

namespace hloscope::sim {

namespace {

bool any_streams(const KernelModel& model, bool outputs) {
  return std::any_of(model.streams.begin(), model.streams.end(),
                     [outputs](const Stream& s) { return s.is_output == outputs; });
}

void add_slot(Simulation& sum, const Slot& slot, const TileWork& work) {
  const double n = slot.step.repeats;
  sum.time_ns += n * slot.length_ns;
  sum.compute_ns += n * slot.compute_ns;
  sum.exposed_ns += n * std::max(0.0, slot.transfer_ns - slot.compute_ns);
  sum.read_ns += n * slot.step.read.time_ns;
  sum.write_ns += n * slot.step.write.time_ns;
  sum.bytes_read += n * slot.step.read.bytes;
  sum.bytes_written += n * slot.step.write.bytes;
  sum.runs_read += n * slot.step.read.runs;
  sum.runs_written += n * slot.step.write.runs;
  sum.descriptors += n * (slot.step.read.descriptors + slot.step.write.descriptors);
  for (size_t u = 0; u < kUnitCount; ++u) {
    sum.busy_ns[u] += n * (work.busy_ns[u] + (slot.step.ends_sums ? work.end_busy_ns[u] : 0));
  }
}

// The unit that is busy longest.
Unit longest(const UnitTimes& busy_ns) {
  const auto found = std::max_element(busy_ns.begin(), busy_ns.end());
  return static_cast<Unit>(found - busy_ns.begin());
}

}  // namespace

Simulation simulate_link(const KernelModel& model, const Rates& rates) {
  Simulation out;
  out.tiles = 1;
  if (model.kind == KernelKind::kFree) return out;
  out.launch_ns = rates.launch_ns;
  out.bytes_read = model.link_bytes;
  if (model.kind == KernelKind::kOpaque || model.kind == KernelKind::kDma) {
    out.exposed_ns = 2 * rates.latency_ns + model.link_bytes / rates.bytes_per_ns;
    out.read_ns = out.exposed_ns;
    out.bottleneck = Unit::kDmaIn;
  } else {
    const bool host = model.kind == KernelKind::kHost;
    const double bytes_per_ns = host ? rates.host_bytes_per_ns : rates.link_bytes_per_ns;
    const double latency_ns = host ? rates.host_latency_ns : rates.link_latency_ns;
    out.exposed_ns =
        model.link_steps * latency_ns + model.link_share * model.link_bytes / bytes_per_ns;
    out.bottleneck = Unit::kLink;
  }
  at(out.busy_ns, out.bottleneck) = out.exposed_ns;
  out.time_ns = out.launch_ns + out.exposed_ns;
  return out;
}

Simulation simulate(const KernelModel& model, const std::vector<int64_t>& bounds,
                    const Rates& rates) {
  if (model.kind != KernelKind::kTiled) return simulate_link(model, rates);
  const TileWork work = tile_work(model, bounds, rates);
  TileWalk walk(model, bounds, rates);
  Pipeline pipeline(work, rates);
  Simulation out;
  out.tiles = walk.tile_count();
  out.footprint_bytes = footprint_bytes(model, bounds);
  out.launch_ns = rates.launch_ns;
  double last_write_ns = 0;
  bool first = true;
  const auto emit = [&](const Slot& slot) {
    if (first) out.first_read_ns = slot.step.read.time_ns;
    first = false;
    last_write_ns = slot.step.write.time_ns;
    add_slot(out, slot, work);
    return true;
  };
  walk.run(false, [&](const TileStep& step) { return pipeline.add(step, emit); });
  pipeline.end(emit);
  if (any_streams(model, false)) out.first_read_ns += rates.latency_ns;
  if (any_streams(model, true)) out.last_write_ns = last_write_ns + rates.latency_ns;
  out.time_ns += out.launch_ns + out.first_read_ns + out.last_write_ns;
  out.exposed_ns += out.first_read_ns + out.last_write_ns;
  at(out.busy_ns, Unit::kDmaIn) = out.read_ns;
  at(out.busy_ns, Unit::kDmaOut) = out.write_ns;
  at(out.busy_ns, Unit::kScalar) +=
      out.launch_ns + work.fixed_ns * out.tiles + rates.issue_ns * out.descriptors;
  out.bottleneck = longest(out.busy_ns);
  return out;
}

Timeline timeline(const KernelModel& model, const std::vector<int64_t>& bounds, const Rates& rates,
                  int64_t max_tiles) {
  Timeline out;
  double now_ns = rates.launch_ns;
  out.events.push_back({Unit::kScalar, 0, now_ns, -1, "launch"});
  if (model.kind != KernelKind::kTiled) {
    const Simulation link = simulate_link(model, rates);
    out.events.push_back({link.bottleneck, now_ns, link.time_ns, 0, "transfer"});
    return out;
  }
  const TileWork work = tile_work(model, bounds, rates);
  TileWalk walk(model, bounds, rates);
  Pipeline pipeline(work, rates);
  int64_t tile = 0;
  double last_write_ns = 0;
  const auto emit = [&](const Slot& slot) {
    if (tile == 0 && any_streams(model, false)) {
      // The latency is waited for; the unit is busy while bytes move, as simulate() counts it.
      const double start_ns = now_ns + rates.latency_ns;
      now_ns = start_ns + slot.step.read.time_ns;
      out.events.push_back({Unit::kDmaIn, start_ns, now_ns, 0, "read"});
    }
    const auto push = [&](Unit unit, double start_ns, double length_ns, int64_t of,
                          std::string_view what) {
      if (length_ns > 0) out.events.push_back({unit, start_ns, start_ns + length_ns, of, what});
    };
    push(Unit::kDmaIn, now_ns, slot.under_read_ns, tile + 1, "read");
    push(Unit::kDmaOut, now_ns, slot.under_write_ns, tile - 1, "write");
    // The scalar unit goes ahead; the others run side by side.
    push(Unit::kScalar, now_ns, slot.scalar_ns, tile, "loop and DMA issue");
    for (Unit unit : {Unit::kMxu, Unit::kXlu, Unit::kValu, Unit::kEup, Unit::kLoad, Unit::kStore}) {
      const auto u = static_cast<size_t>(unit);
      push(unit, now_ns + slot.scalar_ns,
           work.busy_ns[u] + (slot.step.ends_sums ? work.end_busy_ns[u] : 0), tile, "compute");
    }
    out.tiles.push_back({now_ns, now_ns + slot.length_ns, slot.compute_ns, slot.transfer_ns});
    now_ns += slot.length_ns;
    last_write_ns = slot.step.write.time_ns;
    return ++tile < max_tiles;
  };
  walk.run(true, [&](const TileStep& step) { return pipeline.add(step, emit); });
  if (tile < max_tiles) pipeline.end(emit);
  out.is_complete = static_cast<double>(tile) >= walk.tile_count();
  if (out.is_complete && any_streams(model, true)) {
    const double start_ns = now_ns + rates.latency_ns;
    out.events.push_back({Unit::kDmaOut, start_ns, start_ns + last_write_ns, tile - 1, "write"});
  }
  return out;
}

}  // namespace hloscope::sim
