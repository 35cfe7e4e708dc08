#include "core/sim/tile_pipeline.h"

#include <algorithm>

#include "core/sim/pipeline.h"

namespace hloscope::sim {

namespace {

using Parts = std::vector<BlockCost>;  // By stream.

bool any_reads(const KernelModel& model) {
  return std::any_of(model.streams.begin(), model.streams.end(),
                     [](const Stream& stream) { return !stream.is_output; });
}

// Puts the transfers of iterations on the time axis.
class PipelineWriter {
 public:
  PipelineWriter(const KernelModel& model, TilePipeline& out) : model_(model), out_(out) {}

  void reads(const Parts& parts, int64_t tile, double start_ns) {
    add(parts, tile, false, start_ns);
  }
  double writes(const Parts& parts, int64_t tile, double start_ns) {
    return add(parts, tile, true, start_ns);
  }

 private:
  // The time at which the last of them ends.
  double add(const Parts& parts, int64_t tile, bool outputs, double now_ns) {
    for (uint32_t s = 0; s < parts.size(); ++s) {
      if (model_.streams[s].is_output != outputs) continue;
      const BlockCost& cost = parts[s];
      const bool moves = cost.time_ns > 0;
      if (!moves && (outputs || tile == 0)) continue;
      out_.transfers.push_back({s, tile, now_ns, now_ns + cost.time_ns, cost.bytes, !moves});
      now_ns += cost.time_ns;
    }
    return now_ns;
  }

  const KernelModel& model_;
  TilePipeline& out_;
};

}  // namespace

TilePipeline tile_pipeline(const KernelModel& model, const std::vector<int64_t>& bounds,
                           const Rates& rates, size_t most_tiles) {
  TilePipeline out;
  out.total = simulate(model, bounds, rates);
  const TileWork work = tile_work(model, bounds, rates);
  TileWalk walk(model, bounds, rates);
  Pipeline pipeline(work, rates);
  Parts now;
  std::vector<Parts> parts;  // By iteration.
  double now_ns = rates.launch_ns;
  const auto emit = [&](const Slot& slot) {
    if (out.tiles.empty() && any_reads(model)) now_ns += rates.latency_ns + slot.step.read.time_ns;
    out.tiles.push_back({now_ns, now_ns + slot.length_ns, slot.compute_ns, slot.transfer_ns});
    now_ns += slot.length_ns;
    return out.tiles.size() < most_tiles;
  };
  walk.set_parts(&now);
  walk.run(true, [&](const TileStep& step) {
    parts.push_back(now);
    return pipeline.add(step, emit);
  });
  if (out.tiles.size() < most_tiles) pipeline.end(emit);
  out.is_complete = static_cast<double>(out.tiles.size()) >= walk.tile_count();
  PipelineWriter writer(model, out);
  const auto count = static_cast<int64_t>(out.tiles.size());
  out.end_ns = now_ns;
  writer.reads(parts.front(), 0, rates.launch_ns + rates.latency_ns);
  for (int64_t t = 0; t < count; ++t) {
    const auto at = static_cast<size_t>(t);
    // Under it the next iteration is read and the last one written.
    if (at + 1 < parts.size()) writer.reads(parts[at + 1], t + 1, out.tiles[at].start_ns);
    if (t > 0) writer.writes(parts[at - 1], t - 1, out.tiles[at].start_ns);
  }
  if (out.is_complete) {
    const double end_ns =
        writer.writes(parts[static_cast<size_t>(count - 1)], count - 1, now_ns + rates.latency_ns);
    out.end_ns = std::max(now_ns, out.total.last_write_ns > 0 ? end_ns : now_ns);
  }
  return out;
}

}  // namespace hloscope::sim
