#include "core/sim/tile_walk.h"

#include <algorithm>
#include <array>

#include "core/sim/tile_work.h"

namespace hloscope::sim {

namespace {

constexpr size_t kMaxKnownCosts = 4096;
constexpr int64_t kMaxTableEntries = 1 << 18;
// A run of equal tiles longer than this is one step with repeats.
constexpr int64_t kShortRun = 3;

void add(BlockCost& sum, const BlockCost& cost) {
  sum.bytes += cost.bytes;
  sum.runs += cost.runs;
  sum.descriptors += cost.descriptors;
  sum.time_ns += cost.time_ns;
}

}  // namespace

TileWalk::TileWalk(const KernelModel& model, std::vector<int64_t> bounds, const Rates& rates)
    : model_(model), bounds_(std::move(bounds)), rates_(rates) {
  for (LoopId loop : model_.order) {
    const int64_t units = model_.loops[loop.value].units();
    const int64_t bound = std::max<int64_t>(bounds_[loop.value], 1);
    counts_.push_back((units + bound - 1) / bound);
    tile_count_ *= static_cast<double>(counts_.back());
  }
  index_.assign(counts_.size(), 0);
  at_.assign(counts_.size(), 0);
  plan_streams();
  plan_segments();
}

TileWalk::SizeTable TileWalk::size_table(const BlockDim& dim) const {
  SizeTable table;
  const LoopSet loops = model_.extents.loops(dim.extent);
  int64_t entries = 1;
  for (uint32_t p = static_cast<uint32_t>(counts_.size()); p-- > 0;) {
    if (!(loops & loop_bit(model_.order[p])) || counts_[p] == 1) continue;
    table.loops.push_back(p);
    table.strides.push_back(entries);
    entries = std::min(times(entries, counts_[p]), 2 * kMaxTableEntries);
  }
  if (entries > kMaxTableEntries) {
    // All positions as the first one: such tiles are tiny and hardly differ.
    table.loops.clear();
    table.strides.clear();
    entries = 1;
  }
  table.units.resize(static_cast<size_t>(entries));
  table.size_id.resize(static_cast<size_t>(entries));
  fill(table, dim);
  return table;
}

void TileWalk::fill(SizeTable& table, const BlockDim& dim) const {
  std::vector<Range> ranges = first_ranges(model_, bounds_);
  std::vector<int64_t> seen;
  for (size_t entry = 0; entry < table.units.size(); ++entry) {
    for (size_t i = 0; i < table.loops.size(); ++i) {
      const LoopId loop = model_.order[table.loops[i]];
      const int64_t at = static_cast<int64_t>(entry) / table.strides[i] % counts_[table.loops[i]];
      const int64_t step = bounds_[loop.value] * model_.loops[loop.value].unit;
      ranges[loop.value] = {at * step, std::min(model_.loops[loop.value].size, (at + 1) * step)};
    }
    const Range range = model_.extents.evaluate(dim.extent, ranges);
    const int64_t units =
        range.size() == 0 ? 0 : (range.high + dim.unit - 1) / dim.unit - range.low / dim.unit;
    table.units[entry] = units;
    auto found = std::find(seen.begin(), seen.end(), units);
    if (found == seen.end()) found = seen.insert(seen.end(), units);
    table.size_id[entry] = static_cast<uint16_t>(found - seen.begin());
  }
  table.distinct = static_cast<uint16_t>(seen.size());
}

void TileWalk::plan_streams() {
  for (const Stream& stream : model_.streams) {
    StreamPlan plan;
    plan.stream = &stream;
    size_t combinations = 1;
    for (const BlockDim& dim : stream.dims) {
      plan.tables.push_back(size_table(dim));
      combinations = std::min(combinations * plan.tables.back().distinct, kMaxKnownCosts + 1);
    }
    for (size_t p = 0; p < counts_.size(); ++p) {
      if (counts_[p] > 1 && (stream.loops & loop_bit(model_.order[p]))) {
        plan.nest_mask |= uint64_t{1} << p;
      }
    }
    if (combinations > kMaxKnownCosts) combinations = 0;
    plan.known.resize(std::max<size_t>(combinations, 1));
    plan.is_known.assign(combinations, 0);
    plans_.push_back(std::move(plan));
  }
}

bool TileWalk::equals_previous(uint32_t position, int64_t index) const {
  for (const StreamPlan& plan : plans_) {
    for (const SizeTable& table : plan.tables) {
      const auto found = std::find(table.loops.begin(), table.loops.end(), position);
      if (found == table.loops.end()) continue;
      const int64_t stride = table.strides[static_cast<size_t>(found - table.loops.begin())];
      const int64_t period = stride * counts_[position];
      const auto entries = static_cast<int64_t>(table.units.size());
      for (int64_t base = 0; base < entries; base += period) {
        for (int64_t inner = 0; inner < stride; ++inner) {
          const auto at = static_cast<size_t>(base + index * stride + inner);
          if (table.units[at] != table.units[at - static_cast<size_t>(stride)]) return false;
        }
      }
    }
  }
  return true;
}

void TileWalk::plan_segments() {
  segments_.resize(counts_.size());
  for (uint32_t p = 0; p < counts_.size(); ++p) {
    std::vector<Segment>& segments = segments_[p];
    for (int64_t begin = 0; begin < counts_[p];) {
      int64_t end = counts_[p] > kMaxTableEntries ? counts_[p] : begin + 1;
      while (end < counts_[p] && equals_previous(p, end)) ++end;
      if (end - begin <= kShortRun) {
        for (int64_t i = begin; i < end; ++i) segments.push_back({i, 1});
      } else {
        segments.push_back({begin, 1});
        segments.push_back({begin + 1, static_cast<double>(end - begin - 2)});
        segments.push_back({end - 1, 1});
      }
      begin = end;
    }
  }
}

const BlockCost& TileWalk::cost(StreamPlan& plan) const {
  std::array<int64_t, kMaxLoops> units{};
  size_t key = 0;
  for (size_t d = 0; d < plan.tables.size(); ++d) {
    const SizeTable& table = plan.tables[d];
    size_t entry = 0;
    for (size_t i = 0; i < table.loops.size(); ++i) {
      entry += static_cast<size_t>(index_[table.loops[i]] * table.strides[i]);
    }
    units[d] = table.units[entry];
    key = key * table.distinct + table.size_id[entry];
  }
  const std::span<const int64_t> sizes(units.data(), plan.tables.size());
  if (plan.is_known.empty()) return plan.known[0] = block_cost(*plan.stream, sizes, rates_);
  if (!plan.is_known[key]) {
    plan.known[key] = block_cost(*plan.stream, sizes, rates_);
    plan.is_known[key] = 1;
  }
  return plan.known[key];
}

bool TileWalk::ends_sums() const {
  for (size_t p = 0; p < counts_.size(); ++p) {
    if (model_.loops[model_.order[p].value].is_contracted && index_[p] + 1 < counts_[p]) {
      return false;
    }
  }
  return true;
}

double TileWalk::repeats() const {
  double product = 1;
  for (size_t p = 0; p < counts_.size(); ++p) product *= segments_[p][at_[p]].repeats;
  return product;
}

void TileWalk::reset(bool each_tile) {
  for (size_t p = 0; p < counts_.size(); ++p) {
    at_[p] = 0;
    index_[p] = each_tile ? 0 : segments_[p][0].index;
  }
}

// To the next step; false at the end. `changed`: positions in the nest whose index has moved.
bool TileWalk::advance(bool each_tile, uint64_t& changed) {
  changed = 0;
  for (size_t p = counts_.size(); p-- > 0;) {
    const size_t last = each_tile ? static_cast<size_t>(counts_[p]) - 1 : segments_[p].size() - 1;
    if (counts_[p] > 1) changed |= uint64_t{1} << p;
    if (at_[p] < last) {
      ++at_[p];
      index_[p] = each_tile ? static_cast<int64_t>(at_[p]) : segments_[p][at_[p]].index;
      return true;
    }
    at_[p] = 0;
    index_[p] = 0;
  }
  return false;
}

void TileWalk::add_stream(size_t stream, BlockCost& sum) {
  const BlockCost& moved = cost(plans_[stream]);
  add(sum, moved);
  if (parts_ != nullptr) (*parts_)[stream] = moved;
}

void TileWalk::add_changed(uint64_t changed, bool outputs, BlockCost& sum) {
  for (size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].stream->is_output != outputs) continue;
    if (plans_[i].nest_mask & changed) add_stream(i, sum);
  }
}

void TileWalk::run(bool each_tile, const std::function<bool(const TileStep&)>& callback) {
  reset(each_tile);
  if (parts_ != nullptr) parts_->assign(plans_.size(), BlockCost());
  // At the start and at the end every block moves, also those that depend on no loop.
  const auto all = [&](bool outputs, BlockCost& sum) {
    for (size_t i = 0; i < plans_.size(); ++i) {
      if (plans_[i].stream->is_output == outputs) add_stream(i, sum);
    }
  };
  TileStep step;
  all(false, step.read);
  bool more = true;
  while (more) {
    step.repeats = each_tile ? 1 : repeats();
    step.ends_sums = ends_sums();
    here_ = index_;
    uint64_t changed = 0;
    more = advance(each_tile, changed);
    // What is written are the blocks of this step, not of the next.
    std::swap(index_, here_);
    if (more) {
      add_changed(changed, true, step.write);
    } else {
      all(true, step.write);
    }
    std::swap(index_, here_);
    if (!callback(step)) return;
    if (parts_ != nullptr) parts_->assign(plans_.size(), BlockCost());
    step = TileStep();
    if (more) add_changed(changed, false, step.read);
  }
}

}  // namespace hloscope::sim
