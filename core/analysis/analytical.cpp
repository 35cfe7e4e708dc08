#include "core/analysis/analytical.h"

#include <algorithm>

#include "core/analysis/matrix_work.h"

namespace hloscope::analysis {

namespace {

constexpr double kNsPerSecond = 1e9;

struct UnitTimes {
  double matrix_ns = 0;
  double vector_ns = 0;
};

// The vector unit works on whole registers, so that padding costs it as much as it costs memory.
double padding_factor(const Cost& cost) {
  const double plain = cost.bytes_read + cost.bytes_written;
  return plain > 0 ? std::max(1.0, cost.padded_bytes / plain) : 1.0;
}

UnitTimes unit_times(const MatrixWork& matrix, const Cost& cost, const sim::Machine& machine) {
  const double lanes = machine["vreg_sublanes"] * machine["vreg_lanes"];
  const double scale = padding_factor(cost) / lanes;
  const double vector_flops = std::max(0.0, cost.flops - matrix.flops);
  const double valu_cycles = scale * vector_flops / machine["valu_ops_per_cycle"];
  const double transcendental_cycles =
      scale * cost.transcendentals / machine["eup_vregs_per_cycle"];
  return {.matrix_ns = matrix.mxu_cycles / machine["clock_ghz"],
          .vector_ns = std::max(valu_cycles, transcendental_cycles) / machine["clock_ghz"]};
}

Bound bound_of(const AnalyticalTime& time, const UnitTimes& units, double launch_ns) {
  const double longest = std::max(time.compute_ns, time.memory_ns);
  if (longest <= launch_ns) return Bound::kLaunch;
  if (time.memory_ns >= time.compute_ns) return Bound::kMemory;
  return units.matrix_ns >= units.vector_ns ? Bound::kCompute : Bound::kVector;
}

}  // namespace

std::string_view name(Bound bound) {
  switch (bound) {
    case Bound::kLaunch:
      return "launch";
    case Bound::kCompute:
      return "compute";
    case Bound::kVector:
      return "vector";
    case Bound::kMemory:
      return "memory";
    case Bound::kUnknown:
      break;
  }
  return "unknown";
}

AnalyticalTime analytical_time(const hlo::Program& program, const graph::Kernel& kernel,
                               const Cost& cost, const sim::Machine& machine) {
  const MatrixWork matrix = kernel_matrix_work(program, kernel.instruction, machine);
  const UnitTimes units = unit_times(matrix, cost, machine);
  const double launch_ns = machine["launch_ns"];
  const double bytes_per_ns = machine["hbm_bytes_per_s"] * machine["hbm_efficiency"] / kNsPerSecond;
  AnalyticalTime time;
  time.compute_ns = std::max(units.matrix_ns, units.vector_ns);
  time.memory_ns = cost.padded_bytes / bytes_per_ns;
  time.time_ns = launch_ns + std::max(time.compute_ns, time.memory_ns);
  // What a custom-call does is not known: its time is that of its operands and result alone.
  const bool unknown = program[kernel.instruction].opcode == hlo::Opcode::kCustomCall;
  time.bound = unknown ? Bound::kUnknown : bound_of(time, units, launch_ns);
  return time;
}

IndexedVector<graph::KernelId, AnalyticalTime> analytical_times(const hlo::Program& program,
                                                                const graph::KernelList& kernels,
                                                                const ProgramCost& cost,
                                                                const sim::Machine& machine) {
  std::vector<AnalyticalTime> distinct;
  distinct.reserve(kernels.distinct.size());
  for (graph::KernelId id : kernels.distinct) {
    distinct.push_back(analytical_time(program, kernels.kernels[id], cost.kernels[id], machine));
  }
  IndexedVector<graph::KernelId, AnalyticalTime> times;
  times.reserve(kernels.kernels.size());
  for (uint32_t d : kernels.distinct_of) times.push_back(distinct[d]);
  return times;
}

}  // namespace hloscope::analysis
