#include <fmt/format.h>

#include "core/analysis/compiler_times.h"
#include "core/data/import.h"
#include "core/data/import_rules.h"
#include "core/measured/hlo_stats_join.h"

namespace hloscope::data {

namespace {

using KernelTimes = IndexedVector<graph::KernelId, std::optional<double>>;

// Of equal kernels: the least time, and all executions.
struct LeastTime {
  std::optional<double> time_ns;
  double executions = 0;
};

std::vector<LeastTime> least_times(const graph::KernelList& kernels, const KernelTimes& times,
                                   int64_t& duplicates) {
  std::vector<LeastTime> out(kernels.distinct.size());
  for (uint32_t k = 0; k < kernels.kernels.size(); ++k) {
    const graph::KernelId id(k);
    LeastTime& one = out[kernels.distinct_of[id]];
    one.executions += kernels.kernels[id].executions;
    if (!times[id] || !(*times[id] > 0)) continue;
    if (one.time_ns) ++duplicates;
    one.time_ns = std::min(one.time_ns.value_or(*times[id]), *times[id]);
  }
  return out;
}

struct Importer {
  const Target& target;
  const ImportSink& sink;
  ImportReport& report;

  // A graph per distinct kernel with a time.
  [[nodiscard]] Status give_kernels(const AddressedModule& module, const graph::KernelList& kernels,
                                    const KernelTimes& times) const {
    const std::vector<LeastTime> found = least_times(kernels, times, report.duplicates);
    for (size_t i = 0; i < found.size(); ++i) {
      if (!found[i].time_ns) {
        ++report.graphs_left_out;
        continue;
      }
      ImportedGraph out;
      out.task = Task::kFusion;
      out.target = target;
      out.program = module.source;
      HLOSCOPE_ASSIGN(out.graph,
                      kernel_record(*module.program, kernels.kernels[kernels.distinct[i]]));
      Sample sample;
      sample.time_ns = *found[i].time_ns;
      out.samples.push_back(std::move(sample));
      out.executions = found[i].executions;
      HLOSCOPE_TRY(sink(std::move(out)));
    }
    return {};
  }
};

tl::unexpected<Error> fail_in(const std::string& file, std::string message, std::string hint) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.file = file;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return fail(std::move(error));
}

}  // namespace

Status import_hlo_stats(const std::string& path, const std::string& program,
                        const ImportOptions& options, const ImportSink& sink,
                        ImportReport& report) {
  HLOSCOPE_ASSIGN(const auto modules, read_modules(program, report.warnings, options.progress));
  if (modules.size() != 1) {
    return fail_in(program, fmt::format("has {} modules", modules.size()),
                   "name the one that was profiled as FILE#N");
  }
  HLOSCOPE_ASSIGN(const measured::HloStats stats, measured::read_hlo_stats(path, options.progress));
  const graph::KernelList kernels = graph::kernels(*modules.front().program);
  HLOSCOPE_ASSIGN(const measured::StatsJoin joined,
                  measured::join(*modules.front().program, kernels, stats, options.progress));
  const measured::JoinText text = measured::describe(joined);
  if (!joined.fits()) {
    return fail_in(path, fmt::format("does not fit {}: {}", program, text.summary),
                   "give the program as it ran, after optimisation");
  }
  report.notes.push_back(text.summary);
  report.notes.insert(report.notes.end(), text.details.begin(), text.details.end());
  const std::string device = options.device.empty() ? "device not stated" : options.device;
  const Target target = measured_target(device);
  return Importer{target, sink, report}.give_kernels(modules.front(), kernels, joined.time_ns);
}

Status import_compiler_times(const std::string& address, const sim::Machine& machine,
                             const ImportOptions& options, const ImportSink& sink,
                             ImportReport& report) {
  HLOSCOPE_ASSIGN(const auto modules, read_modules(address, report.warnings, options.progress));
  Target target;
  target.kind = Target::Kind::kCompiler;
  target.device = machine.id;
  const Importer importer{target, sink, report};
  for (const AddressedModule& module : modules) {
    const graph::KernelList kernels = graph::kernels(*module.program);
    HLOSCOPE_ASSIGN(const KernelTimes times,
                    analysis::compiler_times(*module.program, kernels, machine, options.progress));
    if (times.size() == 0) {
      return fail_in(module.source.file_path, "no kernel has a time that the compiler expected",
                     "only programs that XLA compiled for a TPU have estimated_cycles in their "
                     "backend_config");
    }
    HLOSCOPE_TRY(importer.give_kernels(module, kernels, times));
  }
  return {};
}

}  // namespace hloscope::data
