#include "core/analysis/report.h"

#include <algorithm>

#include "core/analysis/compiler_times.h"

namespace hloscope::analysis {

namespace {

// Tile runs time the one kernel of their module; layout runs time the whole program.
Status attach_measured(ModuleReport& report, const Progress& progress) {
  report.measured_ns.resize(report.kernels.kernels.size());
  const hlo::MeasuredRun* run = reference_run(report.module);
  if (run == nullptr) return {};
  const auto time_ns = static_cast<double>(run->time_ns);
  // A program that was fused after it was measured has no measured kernel.
  const bool is_whole_program = run->layout_hash != 0 ||
                                report.origin == KernelOrigin::kOwnFusion ||
                                report.kernels.kernels.size() != 1;
  if (is_whole_program) {
    report.program_measured_ns = time_ns;
    return {};
  }
  const graph::KernelId kernel(0U);
  report.measured_ns[kernel] = time_ns;
  HLOSCOPE_ASSIGN(report.run_times,
                  run_times(*report.module.program, report.kernels.kernels[kernel].instruction,
                            report.module.runs, report.machine, progress));
  return {};
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

Result<std::shared_ptr<const ModuleReport>> analyse(const ShownModule& shown, std::string file_path,
                                                    int module_number, const sim::Machine& machine,
                                                    const Progress& progress) {
  const auto stopped = [&progress](double fraction, std::string_view what) {
    progress.report(fraction, what);
    return progress.stop_requested();
  };
  auto report = std::make_shared<ModuleReport>();
  static_cast<ShownModule&>(*report) = shown;
  report->file_path = std::move(file_path);
  report->module_number = module_number;
  report->machine = machine;
  const hlo::Program& program = *report->module.program;

  if (stopped(0.0, "finding kernels")) return fail(ErrorCode::kCancelled, "cancelled");
  graph::KernelOptions options;
  options.by_written_tile = true;
  report->kernels = graph::kernels(program, options);
  if (stopped(0.2, "counting work")) return fail(ErrorCode::kCancelled, "cancelled");
  report->cost = cost(program, report->kernels);
  HLOSCOPE_ASSIGN(report->times,
                  kernel_times(program, report->kernels, machine, progress.part(0.3, 0.8)));
  report->analytical_total_ns = total_ns(report->kernels, report->times.analytical);
  report->simulated_total_ns = total_ns(report->kernels, report->times.simulated);
  report->rule_share = rule_share(report->kernels, report->times);
  HLOSCOPE_ASSIGN(report->compiler_ns,
                  compiler_times(program, report->kernels, machine, progress.part(0.8, 0.85)));
  report->compiler_total_ns = total_ns(report->kernels, report->compiler_ns);
  HLOSCOPE_TRY(attach_measured(*report, progress.part(0.85, 1)));
  return std::shared_ptr<const ModuleReport>(std::move(report));
}

Result<std::shared_ptr<const ModuleReport>> analyse(const hlo::Module& module,
                                                    std::string file_path, int module_number,
                                                    const sim::Machine& machine,
                                                    const Progress& progress) {
  HLOSCOPE_ASSIGN(const ShownModule shown, shown_module(module, KernelChoice::kRaw));
  return analyse(shown, std::move(file_path), module_number, machine, progress);
}

}  // namespace hloscope::analysis
