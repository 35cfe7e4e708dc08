#include "core/accuracy/measured_tiles.h"

#include <algorithm>
#include <tuple>

namespace hloscope::accuracy {

const MeasuredTiles::Entry* MeasuredTiles::entry(const std::vector<int64_t>& bounds) const {
  const auto at = std::lower_bound(
      tiles.begin(), tiles.end(), bounds,
      [](const Entry& tile, const std::vector<int64_t>& key) { return tile.bounds < key; });
  return at != tiles.end() && at->bounds == bounds ? &*at : nullptr;
}

std::optional<double> MeasuredTiles::find(const std::vector<int64_t>& bounds) const {
  const Entry* found = entry(bounds);
  return found == nullptr ? std::nullopt : std::optional(found->time_ns);
}

MeasuredTiles measured_tiles(const sim::KernelModel& model,
                             std::span<const hlo::MeasuredRun> runs) {
  MeasuredTiles out;
  for (const hlo::MeasuredRun& run : runs) {
    if (run.failed || run.layout_hash != 0 || run.time_ns <= 0) continue;
    auto bounds = sim::loop_bounds(model, {run.output_bounds, run.kernel_bounds});
    if (bounds) {
      const auto time_ns = static_cast<double>(run.time_ns);
      out.tiles.push_back({std::move(*bounds), time_ns, {time_ns}, run.is_default});
    } else {
      ++out.strangers;
    }
  }
  std::stable_sort(out.tiles.begin(), out.tiles.end(), [](const auto& a, const auto& b) {
    return std::tie(a.bounds, a.time_ns) < std::tie(b.bounds, b.time_ns);
  });
  for (size_t i = out.tiles.size(); i-- > 1;) {
    MeasuredTiles::Entry& first = out.tiles[i - 1];
    if (out.tiles[i].bounds != first.bounds) continue;
    // The mark of any of them counts.
    first.is_default = first.is_default || out.tiles[i].is_default;
    first.runs_ns.insert(first.runs_ns.end(), out.tiles[i].runs_ns.begin(),
                         out.tiles[i].runs_ns.end());
  }
  const auto same = [](const auto& a, const auto& b) { return a.bounds == b.bounds; };
  out.tiles.erase(std::unique(out.tiles.begin(), out.tiles.end(), same), out.tiles.end());
  return out;
}

}  // namespace hloscope::accuracy
