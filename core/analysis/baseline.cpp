#include "core/analysis/baseline.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hloscope::analysis {
namespace {

BaselineKernel pinned(const ModuleReport& report, graph::KernelId id) {
  const graph::Kernel& kernel = report.kernels.kernels[id];
  BaselineKernel out{std::string((*report.module.program)[kernel.instruction].name),
                     kernel.hash,
                     kernel.executions,
                     {}};
  for (size_t s = 0; s < kTimeSourceCount; ++s) {
    out.times_ns[s] = time_ns(report, kTimeSources[s].source, id);
  }
  return out;
}

bool has_time(const BaselineKernel& kernel) {
  return std::any_of(kernel.times_ns.begin(), kernel.times_ns.end(),
                     [](const auto& time) { return time.has_value(); });
}

}  // namespace

Baseline::Baseline(std::string label, std::vector<BaselineProgram> programs)
    : label_(std::move(label)) {
  programs_.reserve(programs.size());
  for (BaselineProgram& program : programs) {
    Program& made = programs_.emplace_back();
    made.pinned = std::move(program);
    // Of equal names and hashes the first one counts.
    for (const BaselineKernel& kernel : made.pinned.kernels) {
      if (!has_time(kernel)) continue;
      if (!kernel.name.empty()) made.by_name.emplace(kernel.name, &kernel);
      made.by_hash.emplace(kernel.hash, &kernel);
    }
  }
}

Baseline::Baseline(std::string label, BaselineKernel kernel)
    : label_(std::move(label)), one_(std::move(kernel)) {}

std::optional<TimeSource> Baseline::main_source() const {
  const auto has = [](const BaselineKernel& kernel, TimeSource source) {
    return kernel.times_ns[static_cast<size_t>(source)].has_value();
  };
  for (const TimeSource source :
       {TimeSource::kSimulated, TimeSource::kAnalytical, TimeSource::kPredicted,
        TimeSource::kCompiler, TimeSource::kMeasured}) {
    if (one_ && has(*one_, source)) return source;
    for (const Program& program : programs_) {
      const auto& kernels = program.pinned.kernels;
      if (std::any_of(kernels.begin(), kernels.end(),
                      [&](const BaselineKernel& kernel) { return has(kernel, source); })) {
        return source;
      }
    }
  }
  return std::nullopt;
}

const Baseline::Program* Baseline::program_of(const ModuleReport& report) const {
  const Program* by_name = nullptr;
  size_t same_name = 0;
  for (const Program& program : programs_) {
    const BaselineProgram& pinned = program.pinned;
    if (pinned.file_path == report.file_path && pinned.module_number == report.module_number) {
      return &program;
    }
    if (pinned.name != report.module.program->name()) continue;
    by_name = &program;
    ++same_name;
  }
  return same_name == 1 ? by_name : nullptr;
}

const SourceTimes* Baseline::find(const Program* program, const ModuleReport& report,
                                  graph::KernelId id) const {
  if (one_) return &one_->times_ns;
  const graph::Kernel& kernel = report.kernels.kernels[id];
  const auto by_hash = [&kernel](const Program& in) -> const SourceTimes* {
    const auto found = in.by_hash.find(kernel.hash);
    return found == in.by_hash.end() ? nullptr : &found->second->times_ns;
  };
  if (program != nullptr) {
    const auto found = program->by_name.find((*report.module.program)[kernel.instruction].name);
    if (found != program->by_name.end()) return &found->second->times_ns;
    if (const SourceTimes* times = by_hash(*program)) return times;
  }
  for (const Program& other : programs_) {
    if (const SourceTimes* times = by_hash(other)) return times;
  }
  return nullptr;
}

IndexedVector<graph::KernelId, const SourceTimes*> Baseline::match(
    const ModuleReport& report) const {
  const Program* const program = program_of(report);
  IndexedVector<graph::KernelId, const SourceTimes*> out;
  out.reserve(report.kernels.kernels.size());
  for (uint32_t k = 0; k < report.kernels.kernels.size(); ++k) {
    out.push_back(find(program, report, graph::KernelId(k)));
  }
  return out;
}

std::optional<double> Baseline::time_ns(const ModuleReport& report, TimeSource source,
                                        graph::KernelId kernel) const {
  const SourceTimes* const times = find(program_of(report), report, kernel);
  return times == nullptr ? std::nullopt : (*times)[static_cast<size_t>(source)];
}

std::optional<double> Baseline::total_ns(const ModuleReport& report, TimeSource source) const {
  const Program* const program = program_of(report);
  if (program == nullptr) return std::nullopt;
  double sum = 0;
  for (const BaselineKernel& kernel : program->pinned.kernels) {
    const std::optional<double> time = kernel.times_ns[static_cast<size_t>(source)];
    if (!time || !kernel.executions) return std::nullopt;
    sum += *time * *kernel.executions;
  }
  return sum;
}

BaselinePtr pinned_times(std::span<const std::shared_ptr<const ModuleReport>> reports,
                         std::string label) {
  std::vector<BaselineProgram> programs;
  programs.reserve(reports.size());
  for (const auto& report : reports) {
    BaselineProgram program{
        report->file_path, report->module_number, std::string(report->module.program->name()), {}};
    program.kernels.reserve(report->kernels.kernels.size());
    for (uint32_t k = 0; k < report->kernels.kernels.size(); ++k) {
      program.kernels.push_back(pinned(*report, graph::KernelId(k)));
    }
    programs.push_back(std::move(program));
  }
  return std::make_shared<const Baseline>(std::move(label), std::move(programs));
}

BaselinePtr pinned_kernel(const ModuleReport& report, graph::KernelId kernel) {
  BaselineKernel one = pinned(report, kernel);
  std::string label = "kernel " + one.name;
  return std::make_shared<const Baseline>(std::move(label), std::move(one));
}

std::string short_title(const sim::Machine& machine) {
  constexpr std::string_view kOneCore = ", 1 core";
  std::string title = machine.title;
  if (title.ends_with(kOneCore)) title.resize(title.size() - kOneCore.size());
  return title;
}

}  // namespace hloscope::analysis
