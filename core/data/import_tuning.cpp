#include <fmt/format.h>

#include <algorithm>

#include "core/data/import.h"
#include "core/data/import_rules.h"
#include "core/data/layout_content.h"
#include "core/data/layout_tuning.h"
#include "core/data/least_times.h"
#include "core/data/program_list.h"
#include "core/hlo/read.h"

namespace hloscope::data {

namespace {

Error note(const std::string& path, std::string message, std::string hint = {}) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.file = path;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}

// The time of the compiler's own choice.
template <typename Run>
std::optional<double> default_time(const std::vector<Run>& runs) {
  std::optional<double> out;
  for (const Run& run : runs) {
    if (!run.is_default || run.failed || run.time_ns < kLeastTimeNs) continue;
    const auto time = static_cast<double>(run.time_ns);
    out = std::min(out.value_or(time), time);
  }
  return out;
}

// Whether the run has a time to take; counts why not.
template <typename Run>
bool has_time(const Run& run, ImportReport& report) {
  if (run.failed) {
    ++report.failed;
  } else if (run.time_ns < kLeastTimeNs) {
    ++report.too_short;
  } else {
    return true;
  }
  return false;
}

bool has_tile(const hlo::MeasuredRun& run) {
  return !run.output_bounds.empty() || !run.kernel_bounds.empty() || !run.input_bounds.empty();
}

class TuningImport {
 public:
  TuningImport(const std::string& path, const ImportOptions& options, const ImportSink& sink,
               ImportReport& report)
      : path_(path), sink_(sink), report_(report) {
    target_ = measured_target(options.device.empty() ? kTpuGraphsDevice : options.device);
  }

  Status tiles(const hlo::File& file) {
    const SourceProgram program = file_program(file);
    for (size_t i = 0; i < file.modules.size(); ++i) {
      HLOSCOPE_TRY(tile_module(file.modules[i], fmt::format("module {}", i + 1), program));
    }
    return {};
  }

  Status layouts() {
    HLOSCOPE_ASSIGN(const auto tunings, read_layout_tunings(path_));
    for (size_t i = 0; i < tunings.size(); ++i) {
      HLOSCOPE_TRY(layout_module(tunings[i], i + 1, tunings.size() == 1));
    }
    return {};
  }

 private:
  // The kernels of a tile file come from one program, of which no more is known.
  SourceProgram file_program(const hlo::File& file) const {
    SourceProgram out;
    Hasher hasher;
    for (const hlo::Module& module : file.modules) {
      hasher.add(module.content_hash.high).add(module.content_hash.low);
      out.instruction_count += static_cast<int64_t>(module.program->instruction_count());
    }
    out.hash = hasher.digest();
    out.name = name_of_file(path_);
    out.family = family_of(out.name);
    out.file_path = path_;
    return out;
  }

  Status tile_module(const hlo::Module& module, const std::string& what,
                     const SourceProgram& program) {
    const graph::KernelList kernels = graph::kernels(*module.program);
    if (kernels.kernels.size() != 1) {
      return leave_out(fmt::format("{} ({}) has {} kernels, so its tile runs are of none", what,
                                   module.program->name(), kernels.kernels.size()));
    }
    LeastTimes times;
    const std::optional<double> normalizer = default_time(module.runs);
    for (const hlo::MeasuredRun& run : module.runs) {
      if (!has_time(run, report_)) continue;
      if (!has_tile(run)) {
        ++report_.without_choice;
        continue;
      }
      times.add({{run.kernel_bounds, run.output_bounds, run.input_bounds},
                 static_cast<double>(run.time_ns),
                 normalizer,
                 run.is_default});
    }
    if (times.samples().empty()) {
      return leave_out(
          fmt::format("{} ({}) has no tile with a time", what, module.program->name()));
    }
    ImportedGraph out;
    out.task = Task::kTile;
    HLOSCOPE_ASSIGN(out.graph,
                    kernel_record(*module.program, kernels.kernels[graph::KernelId(0U)]));
    out.program = program;
    return give(std::move(out), times);
  }

  Status layout_module(const LayoutTuning& tuning, size_t number, bool is_only) {
    LeastTimes times;
    const std::optional<double> normalizer = default_time(tuning.runs);
    for (const LayoutRun& run : tuning.runs) {
      if (!has_time(run, report_)) continue;
      HLOSCOPE_ASSIGN(Configuration configuration, configuration_of(run));
      times.add(
          {std::move(configuration), static_cast<double>(run.time_ns), normalizer, run.is_default});
    }
    const hlo::Program& program = *tuning.program;
    if (times.samples().empty()) {
      return leave_out(
          fmt::format("module {} ({}) has no layout with a time", number, program.name()));
    }
    ImportedGraph out;
    out.task = Task::kLayout;
    out.program = source_of(program, path_, number, is_only);
    HLOSCOPE_ASSIGN(out.graph.content, layout_content(program, tuning.configurable));
    out.graph.hash = hash128(out.graph.content);
    out.graph.label = program.name();
    out.graph.node_count = static_cast<int64_t>(program.instruction_count());
    return give(std::move(out), times);
  }

  // Output, input and kernel order of each node.
  Result<Configuration> configuration_of(const LayoutRun& run) const {
    Configuration out;
    for (const std::vector<LayoutRun::Order>& node : run.layouts) {
      if (node.size() > 3) {
        return fail(note(path_, fmt::format("run {} has a node with {} layouts, expected 3 at most",
                                            run.run_index, node.size())));
      }
      out.insert(out.end(), node.begin(), node.end());
      out.resize(out.size() + 3 - node.size());
    }
    return out;
  }

  Status give(ImportedGraph graph, LeastTimes& times) {
    report_.duplicates += times.duplicates();
    graph.target = target_;
    graph.samples = std::move(times.samples());
    return sink_(std::move(graph));
  }

  Status leave_out(std::string why) {
    ++report_.graphs_left_out;
    report_.warnings.push_back(note(path_, std::move(why) + ": left out"));
    return {};
  }

  const std::string& path_;
  const ImportSink& sink_;
  ImportReport& report_;
  Target target_;
};

}  // namespace

Status import_tuning(const std::string& path, const ImportOptions& options, const ImportSink& sink,
                     ImportReport& report) {
  HLOSCOPE_ASSIGN(const hlo::File file, hlo::read_file(path, {}, options.progress));
  report.warnings.insert(report.warnings.end(), file.warnings.begin(), file.warnings.end());
  size_t tiles = 0;
  size_t layouts = 0;
  for (const hlo::Module& module : file.modules) {
    for (const hlo::MeasuredRun& run : module.runs) ++(run.layout_hash != 0 ? layouts : tiles);
  }
  if (tiles + layouts == 0) {
    return fail(note(path, "holds programs without measured runs",
                     "times come with --program and a table of HLO ops, with --target compiler, or "
                     "as a CSV; 'dataset generate' simulates them"));
  }
  if (tiles > 0 && layouts > 0) {
    return fail(note(path, fmt::format("has {} tile runs and {} layout runs", tiles, layouts),
                     "one data set is of one of them: cut the file in two"));
  }
  TuningImport importer(path, options, sink, report);
  return tiles > 0 ? importer.tiles(file) : importer.layouts();
}

}  // namespace hloscope::data
