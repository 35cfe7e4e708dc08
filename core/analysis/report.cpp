#include "core/analysis/report.h"

#include <algorithm>

namespace hloscope::analysis {

namespace {

// Tile runs time the one kernel of their module; layout runs time the whole program.
void attach_measured(ModuleReport& report) {
  report.measured_ns.resize(report.kernels.kernels.size());
  const hlo::MeasuredRun* run = reference_run(report.module);
  if (run == nullptr) return;
  const auto time_ns = static_cast<double>(run->time_ns);
  if (run->layout_hash == 0 && report.kernels.kernels.size() == 1) {
    report.measured_ns[graph::KernelId(0U)] = time_ns;
  } else {
    report.program_measured_ns = time_ns;
  }
}

}  // namespace

const hlo::MeasuredRun* reference_run(const hlo::Module& module) {
  const hlo::MeasuredRun* best = nullptr;
  for (const hlo::MeasuredRun& run : module.runs) {
    if (run.failed || run.time_ns <= 0) continue;
    const bool better = best == nullptr || (run.is_default && !best->is_default) ||
                        (run.is_default == best->is_default && run.time_ns < best->time_ns);
    if (better) best = &run;
  }
  return best;
}

Result<std::shared_ptr<const ModuleReport>> analyse(const hlo::Module& module,
                                                    std::string file_path, int module_number,
                                                    const sim::Machine& machine,
                                                    const Progress& progress) {
  const auto stopped = [&progress](double fraction, std::string_view what) {
    progress.report(fraction, what);
    return progress.stop_requested();
  };
  auto report = std::make_shared<ModuleReport>();
  report->module = module;
  report->file_path = std::move(file_path);
  report->module_number = module_number;
  report->machine = machine;
  const hlo::Program& program = *report->module.program;

  if (stopped(0.0, "finding kernels")) return fail(ErrorCode::kCancelled, "cancelled");
  report->kernels = graph::kernels(program);
  if (stopped(0.2, "counting work")) return fail(ErrorCode::kCancelled, "cancelled");
  report->cost = cost(program, report->kernels);
  HLOSCOPE_ASSIGN(report->times,
                  kernel_times(program, report->kernels, machine, progress.part(0.3, 1)));
  report->analytical_total_ns = total_ns(report->kernels, report->times.analytical);
  report->simulated_total_ns = total_ns(report->kernels, report->times.simulated);
  report->rule_share = rule_share(report->kernels, report->times);
  attach_measured(*report);
  return std::shared_ptr<const ModuleReport>(std::move(report));
}

}  // namespace hloscope::analysis
