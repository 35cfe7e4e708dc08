#include "core/tune/recorded_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/sim/written_tile.h"

namespace hloscope::tune {

namespace {

constexpr size_t kNearest = 4;

// How far apart two tiles are: sum over the loops of the log of the ratio of their bounds.
double distance(const Config& a, const Config& b) {
  double sum = 0;
  for (size_t d = 0; d < a.size(); ++d) sum += std::abs(std::log((a[d] + 1.0) / (b[d] + 1.0)));
  return sum;
}

// The loop in which two tiles differ; none where they differ in several.
std::optional<size_t> only_difference(const Config& a, const Config& b) {
  std::optional<size_t> found;
  for (size_t d = 0; d < a.size(); ++d) {
    if (a[d] == b[d]) continue;
    if (found) return std::nullopt;
    found = d;
  }
  return found;
}

}  // namespace

std::vector<RecordedTiles::Entry> RecordedTiles::entries_of(const TileConfigs& tiles,
                                                            const Recorded& recorded) {
  std::vector<Entry> all;
  for (const Recorded::Run& run : recorded.runs) {
    const auto tile = sim::parse_tile(run.config);
    if (!tile) continue;
    const auto bounds = sim::loop_bounds(tiles.kernel().model, *tile);
    if (bounds) all.push_back({tiles.config(*bounds), run.time_ns, run.is_default});
  }
  const auto is_before = [](const Entry& a, const Entry& b) { return a.config < b.config; };
  std::stable_sort(all.begin(), all.end(), is_before);
  std::vector<Entry> out;
  for (Entry& entry : all) {
    if (out.empty() || out.back().config != entry.config) {
      out.push_back(std::move(entry));
      continue;
    }
    Entry& same = out.back();
    same.is_default = same.is_default || entry.is_default;
    if (entry.time_ns && (!same.time_ns || *entry.time_ns < *same.time_ns)) {
      same.time_ns = entry.time_ns;
    }
  }
  return out;
}

RecordedTiles::RecordedTiles(TileKernelPtr kernel, std::vector<Entry> entries)
    : TileConfigs(std::move(kernel)), entries_(std::move(entries)) {
  neighbours_.reserve(entries_.size());
  for (size_t i = 0; i < entries_.size(); ++i) neighbours_.push_back(find_neighbours(i));
}

std::vector<size_t> RecordedTiles::find_neighbours(size_t from) const {
  const Config& here = entries_[from].config;
  // Entry of the nearest bound below and above, by loop.
  std::vector<std::optional<size_t>> below(here.size());
  std::vector<std::optional<size_t>> above(here.size());
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Config& there = entries_[i].config;
    const auto d = only_difference(here, there);
    if (!d) continue;
    const bool is_above = there[*d] > here[*d];
    std::optional<size_t>& best = is_above ? above[*d] : below[*d];
    const bool is_nearer = best && (is_above ? there[*d] < entries_[*best].config[*d]
                                             : there[*d] > entries_[*best].config[*d]);
    if (!best || is_nearer) best = i;
  }
  std::vector<size_t> out = nearest(here, kNearest + 1);
  for (size_t d = 0; d < here.size(); ++d) {
    if (below[d]) out.push_back(*below[d]);
    if (above[d]) out.push_back(*above[d]);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  std::erase(out, from);
  return out;
}

std::vector<size_t> RecordedTiles::nearest(const Config& config, size_t count) const {
  std::vector<std::pair<double, size_t>> all;
  all.reserve(entries_.size());
  for (size_t i = 0; i < entries_.size(); ++i) {
    all.emplace_back(distance(config, entries_[i].config), i);
  }
  const size_t end = std::min(count, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end), all.end());
  std::vector<size_t> out;
  for (size_t i = 0; i < end; ++i) out.push_back(all[i].second);
  return out;
}

size_t RecordedTiles::position(const Config& config) const {
  const auto at =
      std::lower_bound(entries_.begin(), entries_.end(), config,
                       [](const Entry& entry, const Config& key) { return entry.config < key; });
  const bool is_here = at != entries_.end() && at->config == config;
  return is_here ? static_cast<size_t>(at - entries_.begin()) : entries_.size();
}

const RecordedTiles::Entry* RecordedTiles::find(const Config& config) const {
  const size_t at = position(config);
  return at < entries_.size() ? &entries_[at] : nullptr;
}

std::optional<double> RecordedTiles::count() const {
  return static_cast<double>(entries_.size());
}

Config RecordedTiles::default_config() const {
  for (const Entry& entry : entries_) {
    if (entry.is_default) return entry.config;
  }
  return entries_[nearest(TileConfigs::default_config(), 1).front()].config;
}

Config RecordedTiles::random(Rng& rng) const {
  return entries_[rng.below(entries_.size())].config;
}

std::optional<Config> RecordedTiles::neighbour(const Config& from, Rng& rng) const {
  const size_t at = position(from);
  if (at == entries_.size() || neighbours_[at].empty()) return std::nullopt;
  return entries_[neighbours_[at][rng.below(neighbours_[at].size())]].config;
}

Config RecordedTiles::cross(const Config& a, const Config& b, Rng& rng) const {
  return entries_[nearest(mixed(a, b, rng), 1).front()].config;
}

Config RecordedTiles::toward(const Config& a, const Config& b, double share, Rng& rng) const {
  return entries_[nearest(mixed_toward(a, b, share, rng), 1).front()].config;
}

std::optional<Config> RecordedTiles::after(const Config* last) const {
  const size_t next = last == nullptr ? 0 : position(*last) + 1;
  if (next >= entries_.size()) return std::nullopt;
  return entries_[next].config;
}

Result<Config> RecordedTiles::parse(std::string_view text) const {
  HLOSCOPE_ASSIGN(const Bounds bounds, sim::parse_bounds(kernel().model, text));
  Config out = config(bounds);
  if (find(out) != nullptr) return out;
  return fail(ErrorCode::kInvalidInput, fmt::format("no run of the tile {} is recorded", text),
              "take one of the recorded tiles");
}

}  // namespace hloscope::tune
