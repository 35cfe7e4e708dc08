#include "core/analysis/machine_times.h"

#include <fmt/format.h>

#include "core/analysis/kernel_export.h"

namespace hloscope::analysis {

Result<std::vector<MachineTimes>> machine_times(const ModuleReport& report,
                                                std::span<const sim::Machine> machines,
                                                const Progress& progress) {
  std::vector<MachineTimes> out;
  const auto count = static_cast<double>(machines.size());
  for (const sim::Machine& machine : machines) {
    const auto done = static_cast<double>(out.size());
    MachineTimes times{machine, {}, 0};
    KernelTimes other;
    const bool is_own = machine.hash == report.machine.hash;
    if (!is_own) {
      HLOSCOPE_ASSIGN(other, kernel_times(*report.module.program, report.kernels, machine,
                                          progress.part(done / count, (done + 1) / count)));
    }
    const auto& simulated = is_own ? report.times.simulated : other.simulated;
    for (const ModelTime& time : simulated) times.time_ns.push_back(time.time_ns);
    times.total_ns = total_ns(report.kernels, simulated);
    out.push_back(std::move(times));
  }
  return out;
}

std::string machine_times_csv(const ModuleReport& report, std::span<const MachineTimes> machines) {
  std::vector<std::string> cells{"kernel", "class", "executions"};
  for (const MachineTimes& one : machines) {
    cells.push_back(quoted_cell(fmt::format("simulated_ns {}", one.machine.id), TableFormat::kCsv));
  }
  std::string out = table_line(cells, TableFormat::kCsv);
  for (uint32_t k = 0; k < report.kernels.kernels.size(); ++k) {
    const graph::Kernel& kernel = report.kernels.kernels[graph::KernelId(k)];
    cells = {
        quoted_cell((*report.module.program)[kernel.instruction].name, TableFormat::kCsv),
        quoted_cell(hlo::name(kernel.op_class), TableFormat::kCsv),
        fmt::format("{}", kernel.executions),
    };
    for (const MachineTimes& one : machines) {
      cells.push_back(fmt::format("{}", one.time_ns[graph::KernelId(k)]));
    }
    out += table_line(cells, TableFormat::kCsv);
  }
  return out;
}

}  // namespace hloscope::analysis
