#include "core/analysis/kernel_times.h"

#include "core/sim/estimate.h"
#include "core/sim/tile_space.h"
#include "core/sim/written_tile.h"

namespace hloscope::analysis {

namespace {

constexpr size_t kRunsPerReport = 64;

struct OneKernel {
  ModelTime analytical;
  ModelTime simulated;
  TileChoice tile;
};

// What a custom-call does is not known: its time is that of its operands and result alone.
bool is_unknown(const hlo::Program& program, hlo::InstructionId kernel) {
  return program[kernel].opcode == hlo::Opcode::kCustomCall;
}

ModelTime time_of(const sim::Estimate& estimate, bool unknown) {
  return {estimate.time_ns, estimate.compute_ns, estimate.transfer_ns + estimate.exposed_ns,
          unknown ? Bound::kUnknown : bound_of(estimate.bottleneck)};
}

ModelTime time_of(const sim::Simulation& simulation, bool unknown) {
  return {simulation.time_ns, simulation.compute_ns, simulation.read_ns + simulation.write_ns,
          unknown ? Bound::kUnknown : bound_of(simulation.bottleneck)};
}

OneKernel time_kernel(const hlo::Program& program, hlo::InstructionId kernel,
                      const sim::Rates& rates) {
  const sim::KernelModel model = sim::kernel_model(program, kernel);
  const auto written = sim::written_bounds(program, kernel, model, rates);
  std::vector<int64_t> bounds = written ? *written : sim::default_bounds(model, rates);
  const sim::Estimate estimate = sim::estimate(model, bounds, rates);
  const sim::Simulation simulation = sim::simulate(model, bounds, rates);
  OneKernel out;
  const bool unknown = is_unknown(program, kernel);
  out.analytical = time_of(estimate, unknown);
  out.simulated = time_of(simulation, unknown);
  if (model.kind == sim::KernelKind::kTiled) out.tile.tile = sim::tile_of(model, bounds);
  out.tile.is_written = written.has_value();
  out.tile.tiles = simulation.tiles;
  out.tile.footprint_bytes = estimate.footprint_bytes;
  out.tile.has_fallback = !model.fallbacks.empty();
  out.tile.bounds = std::move(bounds);
  return out;
}

}  // namespace

std::string_view name(Bound bound) {
  switch (bound) {
    case Bound::kScalar:
      return "scalar";
    case Bound::kCompute:
      return "compute";
    case Bound::kVector:
      return "vector";
    case Bound::kMemory:
      return "memory";
    case Bound::kLink:
      return "link";
    case Bound::kUnknown:
      break;
  }
  return "unknown";
}

Bound bound_of(sim::Unit bottleneck) {
  switch (bottleneck) {
    case sim::Unit::kDmaIn:
    case sim::Unit::kDmaOut:
      return Bound::kMemory;
    case sim::Unit::kScalar:
      return Bound::kScalar;
    case sim::Unit::kMxu:
      return Bound::kCompute;
    case sim::Unit::kLink:
      return Bound::kLink;
    case sim::Unit::kXlu:
    case sim::Unit::kValu:
    case sim::Unit::kEup:
    case sim::Unit::kLoad:
    case sim::Unit::kStore:
      break;
  }
  return Bound::kVector;
}

Result<KernelTimes> kernel_times(const hlo::Program& program, const graph::KernelList& kernels,
                                 const sim::Machine& machine, const Progress& progress) {
  const sim::Rates rates(machine);
  std::vector<OneKernel> distinct;
  distinct.reserve(kernels.distinct.size());
  for (graph::KernelId id : kernels.distinct) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    progress.report(
        static_cast<double>(distinct.size()) / static_cast<double>(kernels.distinct.size()),
        "timing kernels");
    distinct.push_back(time_kernel(program, kernels.kernels[id].instruction, rates));
  }
  KernelTimes out;
  out.analytical.reserve(kernels.kernels.size());
  out.simulated.reserve(kernels.kernels.size());
  for (uint32_t d : kernels.distinct_of) {
    out.analytical.push_back(distinct[d].analytical);
    out.simulated.push_back(distinct[d].simulated);
  }
  for (OneKernel& one : distinct) out.tiles.push_back(std::move(one.tile));
  return out;
}

Result<std::vector<std::optional<RunTimes>>> run_times(const hlo::Program& program,
                                                       hlo::InstructionId kernel,
                                                       std::span<const hlo::MeasuredRun> runs,
                                                       const sim::Machine& machine,
                                                       const Progress& progress) {
  const sim::Rates rates(machine);
  const sim::KernelModel model = sim::kernel_model(program, kernel);
  const bool unknown = is_unknown(program, kernel);
  std::vector<std::optional<RunTimes>> out;
  out.reserve(runs.size());
  for (const hlo::MeasuredRun& run : runs) {
    if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
    if (out.size() % kRunsPerReport == 0) {
      progress.report(static_cast<double>(out.size()) / static_cast<double>(runs.size()),
                      "timing measured tiles");
    }
    std::optional<RunTimes>& times = out.emplace_back();
    if (run.failed || run.output_bounds.empty()) continue;
    const auto bounds = sim::loop_bounds(model, {run.output_bounds, run.kernel_bounds});
    if (!bounds) continue;
    times = {time_of(sim::estimate(model, *bounds, rates), unknown),
             time_of(sim::simulate(model, *bounds, rates), unknown)};
  }
  return out;
}

double total_ns(const graph::KernelList& kernels,
                const IndexedVector<graph::KernelId, ModelTime>& times) {
  double sum = 0;
  for (uint32_t k = 0; k < times.size(); ++k) {
    const graph::KernelId id(k);
    sum += times[id].time_ns * kernels.kernels[id].executions;
  }
  return sum;
}

double total_ns(const graph::KernelList& kernels,
                const IndexedVector<graph::KernelId, std::optional<double>>& times) {
  double sum = 0;
  for (uint32_t k = 0; k < times.size(); ++k) {
    const graph::KernelId id(k);
    if (times[id]) sum += *times[id] * kernels.kernels[id].executions;
  }
  return sum;
}

double rule_share(const graph::KernelList& kernels, const KernelTimes& times) {
  double all = 0;
  double with_rules = 0;
  for (uint32_t k = 0; k < times.simulated.size(); ++k) {
    const graph::KernelId id(k);
    const double ns = times.simulated[id].time_ns * kernels.kernels[id].executions;
    all += ns;
    if (!times.tiles[kernels.distinct_of[id]].has_fallback) with_rules += ns;
  }
  return all > 0 ? with_rules / all : 1;
}

}  // namespace hloscope::analysis
