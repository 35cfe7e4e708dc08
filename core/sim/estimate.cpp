#include "core/sim/estimate.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/sim/block_cost.h"
#include "core/sim/simulate.h"

namespace hloscope::sim {

namespace {

constexpr double kRegisterBytes = 4096;
// Positions of a loop that stand for all.
struct Sample {
  int64_t index = 0;
  double weight = 0;  // Positions that it stands for.
};

// The first, the second and the last position, and between them three that are far apart: where an
// operand is padded, or one of several pieces, what lies in the middle differs from both ends.
std::array<Sample, 6> samples_of(int64_t n) {
  const double between = static_cast<double>(n - 3) / 3;
  return {{{0, 1},
           {1, n > 2 ? 1.0 : 0.0},
           {n / 4, between},
           {n / 2, between},
           {n - 1 - n / 4, between},
           {n - 1, 1}}};
}

class Totals {
 public:
  Totals(const KernelModel& model, std::span<const int64_t> bounds)
      : model_(model), bounds_(bounds) {
    for (size_t l = 0; l < model.loops.size(); ++l) {
      place(LoopId(l), 0);
      counts_[l] = ceil_div(model.loops[l].units(), std::max<int64_t>(bounds[l], 1));
    }
  }

  int64_t count(LoopId loop) const { return counts_[loop.value]; }
  LoopSet moving(LoopSet loops) const {
    LoopSet out = 0;
    for (LoopSet set = loops; set != 0; set &= set - 1) {
      const LoopId loop(static_cast<uint32_t>(std::countr_zero(set)));
      if (count(loop) > 1) out |= loop_bit(loop);
    }
    return out;
  }

  // The largest block along a dimension, in units: where windows are cut by padding the second
  // position is larger than the first.
  int64_t largest_units(const BlockDim& dim) {
    int64_t size = model_.extents.evaluate(dim.extent, ranges_).size();
    const LoopSet moving_loops = moving(model_.extents.loops(dim.extent));
    if (moving_loops != 0) {
      place(moving_loops, 1);
      size = std::max(size, model_.extents.evaluate(dim.extent, ranges_).size());
      for (LoopSet set = moving_loops; set != 0; set &= set - 1) {
        const LoopId loop(static_cast<uint32_t>(std::countr_zero(set)));
        place(loop, count(loop) / 2);
      }
      size = std::max(size, model_.extents.evaluate(dim.extent, ranges_).size());
      place(moving_loops, 0);
    }
    return ceil_div(size, dim.unit);
  }

  // Mean over all positions of the loops, from a few of each.
  double mean_units(const BlockDim& dim) {
    const LoopSet loops = moving(model_.extents.loops(dim.extent));
    if (loops == 0) return units_here(dim);
    if (std::popcount(loops) > 2) return static_cast<double>(largest_units(dim));
    const LoopId a(static_cast<uint32_t>(std::countr_zero(loops)));
    const LoopSet rest = loops & (loops - 1);
    double sum = 0;
    each_sample(a, [&](double weight_a) {
      if (rest == 0) {
        sum += weight_a * units_here(dim);
        return;
      }
      const LoopId b(static_cast<uint32_t>(std::countr_zero(rest)));
      each_sample(b, [&](double weight_b) { sum += weight_a * weight_b * units_here(dim); });
    });
    return sum;
  }

  double tiles() const {
    double product = 1;
    for (size_t l = 0; l < model_.loops.size(); ++l) product *= static_cast<double>(counts_[l]);
    return product;
  }

  double covered() const {
    double product = 1;
    for (size_t l = 0; l < model_.loops.size(); ++l) {
      const auto units = static_cast<double>(std::max<int64_t>(model_.loops[l].units(), 1));
      product *= static_cast<double>(counts_[l] * bounds_[l]) / units;
    }
    return product;
  }

  // How often a block is moved: as often as the innermost of its loops, or one outside it, steps.
  double transfers(const Stream& stream) const {
    const LoopSet loops = moving(stream.loops);
    double product = 1;
    double transfers = 1;
    for (LoopId loop : model_.order) {
      product *= static_cast<double>(count(loop));
      if (loops & loop_bit(loop)) transfers = product;
    }
    return transfers;
  }

 private:
  double units_here(const BlockDim& dim) const {
    const Range range = model_.extents.evaluate(dim.extent, ranges_);
    if (range.size() == 0) return 0;
    return static_cast<double>(ceil_div(range.high, dim.unit) - range.low / dim.unit);
  }

  void place(LoopId loop, int64_t index) {
    const LoopDim& dim = model_.loops[loop.value];
    const int64_t step = bounds_[loop.value] * dim.unit;
    ranges_[loop.value] = {index * step, std::min(dim.size, (index + 1) * step)};
  }
  void place(LoopSet loops, int64_t index) {
    for (LoopSet set = loops; set != 0; set &= set - 1) {
      place(LoopId(static_cast<uint32_t>(std::countr_zero(set))), index);
    }
  }

  // The sampled positions of a loop, with the share of all positions that each stands for.
  template <typename Each>
  void each_sample(LoopId loop, Each each) {
    const int64_t n = count(loop);
    for (const Sample& sample : samples_of(n)) {
      if (sample.weight <= 0) continue;
      place(loop, sample.index);
      each(sample.weight / static_cast<double>(n));
    }
    place(loop, 0);
  }

  const KernelModel& model_;
  std::span<const int64_t> bounds_;
  // Searches make thousands of these: nothing of them is allocated.
  std::array<Range, kMaxLoops> ranges_;
  std::array<int64_t, kMaxLoops> counts_;
};

bool splits_sums(const KernelModel& model, const Totals& totals) {
  for (uint32_t l = 0; l < model.loops.size(); ++l) {
    if (model.loops[l].is_contracted && totals.count(LoopId(l)) > 1) return true;
  }
  return false;
}

double footprint(const KernelModel& model, Totals& totals, std::span<const int64_t> bounds) {
  double bytes = model.resident_bytes;
  for (const Stream& stream : model.streams) {
    double units = 1;
    for (const BlockDim& dim : stream.dims) units *= static_cast<double>(totals.largest_units(dim));
    bytes += units * stream.unit_bytes * (totals.moving(stream.loops) != 0 ? 2 : 1);
  }
  if (!model.matrix || !splits_sums(model, totals)) return bytes;
  const std::vector<Range> ranges = first_ranges(model, bounds);
  double registers = 1;
  for (const RegisterDim& dim : model.matrix->result) {
    registers *= static_cast<double>(
        ceil_div(model.extents.evaluate(dim.extent, ranges).size(), dim.elements));
  }
  return bytes + registers * kRegisterBytes;
}

Transfers direction(const KernelModel& model, Totals& totals, const Rates& rates, bool outputs) {
  Transfers sum;
  for (const Stream& stream : model.streams) {
    if (stream.is_output != outputs) continue;
    std::array<int64_t, kMaxLoops> units{};
    double mean_bytes = stream.unit_bytes;
    for (size_t d = 0; d < stream.dims.size(); ++d) {
      units[d] = totals.largest_units(stream.dims[d]);
      mean_bytes *= totals.mean_units(stream.dims[d]);
    }
    const BlockCost block = block_cost(stream, std::span(units.data(), stream.dims.size()), rates);
    const double transfers = totals.transfers(stream);
    const double run_ns = block.time_ns - block.bytes / rates.bytes_per_ns;
    const double one_ns = mean_bytes / rates.bytes_per_ns + run_ns;
    sum.any = true;
    sum.one_ns += one_ns;
    sum.total_ns += transfers * one_ns;
    sum.bytes += transfers * mean_bytes;
    sum.descriptors += transfers * block.descriptors;
    sum.transfers = std::max(sum.transfers, transfers);
  }
  return sum;
}

Unit bottleneck_of(const Estimate& e) {
  if (e.transfer_ns + e.exposed_ns > e.compute_ns) {
    return e.read.total_ns >= e.write.total_ns ? Unit::kDmaIn : Unit::kDmaOut;
  }
  const TileWork& work = e.tile;
  Unit best = Unit::kScalar;
  double most = work.fixed_ns;
  for (Unit unit : {Unit::kMxu, Unit::kXlu, Unit::kValu, Unit::kEup, Unit::kLoad, Unit::kStore}) {
    const auto u = static_cast<size_t>(unit);
    if (work.busy_ns[u] + work.end_busy_ns[u] <= most) continue;
    most = work.busy_ns[u] + work.end_busy_ns[u];
    best = unit;
  }
  return best;
}

// Work after the matrix unit is done once per sum.
double tile_compute_ns(const KernelModel& model, const Totals& totals, const TileWork& work) {
  double sums = 1;
  for (uint32_t l = 0; l < model.loops.size(); ++l) {
    if (model.loops[l].is_contracted) sums *= static_cast<double>(totals.count(LoopId(l)));
  }
  return work.compute_ns + (work.end_compute_ns - work.compute_ns) / sums;
}

}  // namespace

Estimate estimate(const KernelModel& model, std::span<const int64_t> bounds, const Rates& rates) {
  if (model.kind != KernelKind::kTiled) {
    const Simulation link = simulate_link(model, rates);
    return {.time_ns = link.time_ns,
            .transfer_ns = link.exposed_ns,
            .bytes = link.bytes_read,
            .bottleneck = link.bottleneck};
  }
  return estimate_within(model, bounds, rates, {});
}

Estimate estimate_within(const KernelModel& model, std::span<const int64_t> bounds,
                         const Rates& rates, const EstimateLimits& limits) {
  Estimate out;
  Totals totals(model, bounds);
  const double tiles = totals.tiles();
  out.tiles = tiles;
  out.tile = tile_work(model, bounds, rates);
  const double tiles_ns = tiles * tile_compute_ns(model, totals, out.tile);
  out.time_ns = rates.launch_ns + tiles_ns;
  out.is_cut = out.time_ns + rates.tile_choice_ns * (tiles - 1) >= limits.time_ns;
  if (out.is_cut) return out;
  out.footprint_bytes = footprint(model, totals, bounds);
  if (out.footprint_bytes > limits.vmem_bytes) return out;
  out.read = direction(model, totals, rates, false);
  out.write = direction(model, totals, rates, true);
  const Transfers& read = out.read;
  const Transfers& write = out.write;
  out.compute_ns = tiles_ns + rates.issue_ns * (read.descriptors + write.descriptors);
  out.exposed_ns =
      read.one_ns + write.one_ns + rates.latency_ns * ((read.any ? 1 : 0) + (write.any ? 1 : 0));
  const double hidden_read_ns = std::max(0.0, read.total_ns - read.one_ns);
  const double hidden_write_ns = std::max(0.0, write.total_ns - write.one_ns);
  const double waits = std::min(tiles, std::max(read.transfers, write.transfers)) - 1;
  out.transfer_ns = std::max(hidden_read_ns, hidden_write_ns) +
                    rates.mixed_penalty * std::min(hidden_read_ns, hidden_write_ns) +
                    rates.latency_ns * std::max(waits, 0.0);
  out.time_ns = rates.launch_ns + out.exposed_ns + std::max(out.compute_ns, out.transfer_ns);
  out.bytes = read.bytes + write.bytes;
  out.covered = totals.covered();
  out.bottleneck = bottleneck_of(out);
  return out;
}

double least_footprint_bytes(const KernelModel& model, std::span<const int64_t> bounds) {
  // First positions only: those of a smaller bound lie in those of a larger one.
  const std::vector<Range> first = first_ranges(model, bounds);
  double bytes = model.resident_bytes;
  for (const Stream& stream : model.streams) {
    double units = 1;
    for (const BlockDim& dim : stream.dims) {
      const int64_t size = model.extents.evaluate(dim.extent, first).size();
      units *= static_cast<double>(ceil_div(size, dim.unit));
    }
    bytes += units * stream.unit_bytes;
  }
  return bytes;
}

double footprint_bytes(const KernelModel& model, std::span<const int64_t> bounds) {
  Totals totals(model, bounds);
  return footprint(model, totals, bounds);
}

}  // namespace hloscope::sim
