#include "core/analysis/program_trace.h"

#include <algorithm>

namespace hloscope::analysis {

namespace {

sim::Timeline first_tiles(const KernelActivity& activity, int64_t most_tiles) {
  sim::Timeline out;
  int64_t tiles = 0;
  for (size_t u = 0; u < sim::kUnitCount; ++u) {
    for (const Stretch& stretch : activity.units[u].stretches()) {
      // The read of the next tile goes on under the last one.
      if (stretch.tile > most_tiles) break;
      out.events.push_back({static_cast<sim::Unit>(u), stretch.start_ns, stretch.end_ns,
                            stretch.tile, stretch.what});
      tiles = std::max(tiles, stretch.tile + 1);
    }
  }
  out.tiles.resize(static_cast<size_t>(std::min(tiles, most_tiles)));
  out.is_complete = activity.is_complete && tiles <= most_tiles;
  std::stable_sort(
      out.events.begin(), out.events.end(),
      [](const sim::Event& a, const sim::Event& b) { return a.start_ns < b.start_ns; });
  return out;
}

}  // namespace

sim::TraceProcess program_trace(const ProgramTimeline& timeline, int64_t most_tiles) {
  const ModuleReport& report = timeline.report();
  const hlo::Program& program = *report.module.program;
  sim::TraceProcess out{std::string(program.name()), {}};
  for (const KernelSpan& span : timeline.spans()) {
    const KernelActivity& activity = timeline.activity(span.kernel);
    out.kernels.push_back(
        {std::string(program[report.kernels.kernels[span.kernel].instruction].name), span.time_ns,
         activity.simulation.tiles, span.executions, first_tiles(activity, most_tiles)});
  }
  return out;
}

}  // namespace hloscope::analysis
