#include "app/cli/simulate_units.h"

#include <fmt/format.h>

#include "app/cli/text_table.h"
#include "core/analysis/roofline.h"
#include "core/sim/rates.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

constexpr double kPerTera = 1e12;
constexpr double kPerGiga = 1e9;
constexpr double kNsPerSecond = 1e9;

std::string share_of(double part_ns, double total_ns) {
  return fmt::format("{:.1f}", total_ns > 0 ? 100 * part_ns / total_ns : 0);
}

}  // namespace

UnitTimes unit_times(const analysis::ModuleReport& report, std::span<const double> executions) {
  const graph::KernelList& kernels = report.kernels;
  const sim::Rates rates(report.machine);
  std::vector<double> runs(kernels.distinct.size(), 0);
  for (uint32_t k = 0; k < kernels.kernels.size(); ++k) {
    runs[kernels.distinct_of[graph::KernelId(k)]] += executions[k];
  }
  UnitTimes out;
  for (size_t d = 0; d < kernels.distinct.size(); ++d) {
    const sim::KernelModel model =
        sim::kernel_model(*report.module.program, kernels.kernels[kernels.distinct[d]].instruction);
    const std::vector<int64_t>& bounds = report.times.tiles[d].bounds;
    const sim::Simulation one = sim::simulate(model, bounds, rates);
    out.kernels_ns.push_back(sim::time_parts(model, bounds, rates));
    for (size_t u = 0; u < sim::kUnitCount; ++u) out.busy_ns[u] += runs[d] * one.busy_ns[u];
    for (size_t p = 0; p < sim::kTimePartCount; ++p) {
      out.parts_ns[p] += runs[d] * out.kernels_ns.back()[p];
    }
  }
  return out;
}

ordered_json time_parts_json(const sim::TimeParts& parts_ns) {
  auto out = ordered_json::object();
  for (size_t p = 0; p < sim::kTimePartCount; ++p) {
    if (parts_ns[p] <= 0) continue;
    out[std::string(sim::name(static_cast<sim::TimePart>(p)))] = parts_ns[p];
  }
  return out;
}

ordered_json busy_json(const UnitTimes& times) {
  auto out = ordered_json::object();
  for (size_t u = 0; u < sim::kUnitCount; ++u) {
    out[std::string(sim::name(static_cast<sim::Unit>(u)))] = times.busy_ns[u];
  }
  return out;
}

ordered_json roofline_json(const analysis::ModuleReport& report) {
  const analysis::Roof roof = analysis::roof(report.machine);
  const analysis::Roofline line = analysis::roofline(report, analysis::TimeSource::kSimulated);
  return {{"matrix_flops_per_s", roof.matrix_flops_per_s},
          {"vector_flops_per_s", roof.vector_flops_per_s},
          {"hbm_bytes_per_s", roof.hbm_bytes_per_s},
          {"ridge_flops_per_byte", roof.ridge()},
          {"kernels", line.points.size()},
          {"kernels_without_flops", line.without_flops},
          {"share_without_flops", line.share_without_flops}};
}

void add_work_and_limits(ordered_json& kernel, const analysis::ModuleReport& report,
                         graph::KernelId id) {
  const analysis::Cost& cost = report.cost.kernels[id];
  const analysis::ModelTime& time = report.times.simulated[id];
  const double time_ns = time.time_ns;
  kernel["compute_ns"] = time.compute_ns;
  kernel["memory_ns"] = time.memory_ns;
  const bool has_place = cost.flops > 0 && cost.bytes_accessed > 0 && time_ns > 0;
  kernel["flops_per_byte"] =
      has_place ? ordered_json(cost.flops / cost.bytes_accessed) : ordered_json();
  kernel["flops_per_s"] =
      has_place ? ordered_json(cost.flops / time_ns * kNsPerSecond) : ordered_json();
}

std::string units_text(const analysis::ModuleReport& report, const UnitTimes& times,
                       double total_ns) {
  TextTable units({{"Unit", TextTable::Align::kLeft}, {"Busy µs"}, {"of time %"}});
  for (size_t u = 0; u < sim::kUnitCount; ++u) {
    if (times.busy_ns[u] <= 0) continue;
    units.add_row({std::string(sim::name(static_cast<sim::Unit>(u))),
                   microseconds(times.busy_ns[u]), share_of(times.busy_ns[u], total_ns)});
  }
  TextTable parts({{"Waits for", TextTable::Align::kLeft}, {"Simulated µs"}, {"Share %"}});
  for (size_t p = 0; p < sim::kTimePartCount; ++p) {
    if (times.parts_ns[p] <= 0) continue;
    parts.add_row({std::string(sim::name(static_cast<sim::TimePart>(p))),
                   microseconds(times.parts_ns[p]), share_of(times.parts_ns[p], total_ns)});
  }
  const analysis::Roof roof = analysis::roof(report.machine);
  return "\n" + units.text() + "\n" + parts.text() +
         fmt::format(
             "\nroof: matrix units {:.1f} TFLOP/s (bf16), vector units {:.1f} TFLOP/s, HBM {:.0f} "
             "GB/s; ridge {:.0f} FLOP/B\n",
             roof.matrix_flops_per_s / kPerTera, roof.vector_flops_per_s / kPerTera,
             roof.hbm_bytes_per_s / kPerGiga, roof.ridge());
}

}  // namespace hloscope::cli
