#include "db/store.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "core/sim/tile.h"
#include "db/kernels.h"
#include "db/measured.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

using analysis::ModuleReport;
using analysis::TimeSource;

constexpr std::pair<TimeSource, std::string_view> kKinds[] = {
    {TimeSource::kSimulated, kSimulator},
    {TimeSource::kAnalytical, kAnalytical},
    {TimeSource::kPredicted, kPredicted},
    {TimeSource::kCompiler, kCompiler}};

/// The body of a kernel and the line that calls it, as far as the program came from text.
std::string kernel_text(const hlo::Program& program, const graph::Kernel& kernel) {
  std::string text;
  if (kernel.body.valid()) text = program.source(program[kernel.body].span);
  const std::string_view line = program.source(program[kernel.instruction].span);
  if (!text.empty() && !line.empty()) text += "\n\n";
  return text.append(line);
}

KernelInfo kernel_info(const hlo::Program& program, const graph::Kernel& kernel) {
  const hlo::Instruction& instruction = program[kernel.instruction];
  KernelInfo info;
  info.hash = kernel.hash;
  info.label = analysis::kernel_label(program, kernel);
  info.opcode = hlo::name(instruction.opcode);
  info.op_class = hlo::name(kernel.op_class);
  info.instruction_count = kernel.instruction_count;
  info.shape = program.shapes().text(instruction.shape);
  info.hlo_text = kernel_text(program, kernel);
  return info;
}

Result<ProgramRow> put_program(Database& database, const ModuleReport& report) {
  const hlo::Program& program = *report.module.program;
  ProgramInfo info;
  info.content_hash = report.module.content_hash;
  info.name = program.name();
  info.file_path = report.file_path;
  info.module_number = report.module_number;
  info.instruction_count = static_cast<int64_t>(program.instruction_count());
  info.computation_count = static_cast<int64_t>(program.computation_count());
  info.kernel_count = static_cast<int64_t>(report.kernels.kernels.size());
  return Programs(database).put(info);
}

/// Rows of the distinct kernels, in the order of KernelList::distinct.
Result<std::vector<KernelRow>> put_kernels(Database& database, const ModuleReport& report) {
  Kernels kernels(database);
  std::vector<KernelRow> rows;
  rows.reserve(report.kernels.distinct.size());
  for (const graph::KernelId id : report.kernels.distinct) {
    const auto info = kernel_info(*report.module.program, report.kernels.kernels[id]);
    HLOSCOPE_ASSIGN(const KernelRow row, kernels.put(info));
    rows.push_back(row);
  }
  return rows;
}

Status put_program_kernels(Database& database, const ModuleReport& report, ProgramRow program,
                           const std::vector<KernelRow>& rows) {
  std::vector<ProgramKernel> kernels;
  const auto& list = report.kernels;
  kernels.reserve(list.kernels.size());
  for (size_t i = 0; i < list.kernels.size(); ++i) {
    const graph::KernelId id(i);
    const graph::Kernel& kernel = list.kernels[id];
    kernels.push_back({rows[list.distinct_of[id]],
                       std::string((*report.module.program)[kernel.instruction].name),
                       kernel.executions});
  }
  return Programs(database).set_kernels(program, kernels);
}

/// One run to be stored.
struct Times {
  TimeSource source;
  const IndexedVector<graph::KernelId, analysis::ModelTime>& of_kernels;
  double total_ns;
};

/// By position in KernelList::distinct.
std::vector<std::string> tile_texts(const ModuleReport& report) {
  std::vector<std::string> texts;
  texts.reserve(report.times.tiles.size());
  for (const analysis::TileChoice& choice : report.times.tiles) {
    texts.push_back(sim::tile_text(choice.tile));
  }
  return texts;
}

Hash128 times_hash(const ModuleReport& report, const Times& times,
                   const std::vector<std::string>& tiles) {
  Hasher hasher;
  hasher.add(std::bit_cast<uint64_t>(times.total_ns));
  for (size_t i = 0; i < report.kernels.distinct.size(); ++i) {
    const graph::KernelId id = report.kernels.distinct[i];
    const Hash128& hash = report.kernels.kernels[id].hash;
    const analysis::ModelTime& time = times.of_kernels[id];
    hasher.add(hash.high).add(hash.low).add(std::bit_cast<uint64_t>(time.time_ns));
    hasher.add(std::bit_cast<uint64_t>(time.compute_ns));
    hasher.add(std::bit_cast<uint64_t>(time.memory_ns)).add(static_cast<uint64_t>(time.bound));
    hasher.add(tiles[i]).add(std::bit_cast<uint64_t>(report.times.tiles[i].footprint_bytes));
  }
  return hasher.digest();
}

/// Equal kernels have one row, also where the program states several tiles for them: their time is
/// then the mean over all executions, of no one tile. `executions`: of each time.
std::vector<KernelTime> one_of_each(std::vector<KernelTime> times,
                                    const std::vector<double>& executions) {
  std::vector<size_t> order(times.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return times[i].kernel.value; });
  std::vector<KernelTime> out;
  double runs = 0;
  for (const size_t i : order) {
    const KernelTime& time = times[i];
    if (out.empty() || out.back().kernel != time.kernel) {
      out.push_back(time);
      runs = executions[i];
      continue;
    }
    KernelTime& mean = out.back();
    const double all = runs + executions[i];
    const double share = all > 0 ? executions[i] / all : 0.5;
    mean.time_ns += share * (time.time_ns - mean.time_ns);
    mean.compute_ns += share * (time.compute_ns - mean.compute_ns);
    mean.memory_ns += share * (time.memory_ns - mean.memory_ns);
    mean.tile = {};
    if (time.vmem_bytes) mean.vmem_bytes = std::max(mean.vmem_bytes.value_or(0), *time.vmem_bytes);
    runs = all;
  }
  return out;
}

/// By position in KernelList::distinct.
std::vector<double> executions_of(const ModuleReport& report) {
  std::vector<double> out(report.kernels.distinct.size());
  for (size_t i = 0; i < report.kernels.kernels.size(); ++i) {
    const graph::KernelId id(i);
    out[report.kernels.distinct_of[id]] += report.kernels.kernels[id].executions;
  }
  return out;
}

std::vector<KernelTime> kernel_times(const ModuleReport& report, const Times& times,
                                     const std::vector<KernelRow>& rows,
                                     const std::vector<std::string>& tiles) {
  std::vector<KernelTime> out;
  out.reserve(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const analysis::ModelTime& time = times.of_kernels[report.kernels.distinct[i]];
    out.push_back({rows[i], time.time_ns, time.compute_ns, time.memory_ns,
                   analysis::name(time.bound), tiles[i]});
    const double vmem_bytes = report.times.tiles[i].footprint_bytes;
    if (vmem_bytes > 0) out.back().vmem_bytes = vmem_bytes;
  }
  return one_of_each(std::move(out), executions_of(report));
}

/// What is stored of one run.
struct NewRun {
  TimeSource source;
  std::vector<KernelTime> times;  ///< By kernel row.
  double total_ns = 0;
  Hash128 hash;
};

/// What a run depends on besides program and machine, as JSON.
std::string settings_of(const ModuleReport& report, TimeSource source) {
  const bool is_own_fusion = report.origin == analysis::KernelOrigin::kOwnFusion;
  if (source != TimeSource::kPredicted) {
    return is_own_fusion ? std::string(kOwnFusionSettings) : RunKey().settings;
  }
  nlohmann::ordered_json settings;
  if (is_own_fusion) settings["kernels"] = "own fusion";
  settings["model"] = report.predicted.by.model;
  settings["model_hash"] = report.predicted.by.hash.hex();
  return settings.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Result<RunId> put_run(Database& database, const ModuleReport& report, ProgramRow program,
                      const NewRun& run) {
  RunKey key;
  key.program = program;
  key.source_kind = source_kind(run.source);
  key.machine_id = report.machine.id;
  key.machine_hash = report.machine.hash;
  key.settings = settings_of(report, run.source);
  key.tool_version = HLOSCOPE_VERSION;
  Runs runs(database);
  HLOSCOPE_ASSIGN(const auto known, runs.find(key, run.hash));
  if (known) return *known;
  HLOSCOPE_ASSIGN(const RunId id, runs.start(key));
  HLOSCOPE_TRY(runs.add_times(id, run.times));
  HLOSCOPE_TRY(runs.finish(id, run.total_ns, run.hash));
  return id;
}

/// Times that are of no tile that we know, of equal kernels that of the first with one.
NewRun plain_run(const ModuleReport& report, const std::vector<KernelRow>& rows, TimeSource source,
                 double total_ns) {
  NewRun run{source, {}, total_ns, {}};
  Hasher hasher;
  hasher.add(std::bit_cast<uint64_t>(total_ns));
  std::vector<bool> has_time(rows.size());
  const std::vector<double> executions = executions_of(report);
  std::vector<double> of_times;
  for (size_t i = 0; i < report.kernels.kernels.size(); ++i) {
    const graph::KernelId id(i);
    const uint32_t distinct = report.kernels.distinct_of[id];
    const std::optional<double> time_ns = analysis::time_ns(report, source, id);
    if (!time_ns || has_time[distinct]) continue;
    has_time[distinct] = true;
    of_times.push_back(executions[distinct]);
    run.times.push_back(
        {rows[distinct], *time_ns, 0, 0, analysis::name(analysis::Bound::kUnknown)});
    const Hash128& hash = report.kernels.kernels[id].hash;
    hasher.add(hash.high).add(hash.low).add(std::bit_cast<uint64_t>(*time_ns));
  }
  run.times = one_of_each(std::move(run.times), of_times);
  run.hash = hasher.digest();
  return run;
}

Result<StoredRuns> put_runs(Database& database, const ModuleReport& report, ProgramRow program,
                            const std::vector<KernelRow>& rows) {
  const std::vector<std::string> tiles = tile_texts(report);
  const auto put = [&](const Times& times) {
    return put_run(database, report, program,
                   {times.source, kernel_times(report, times, rows, tiles), times.total_ns,
                    times_hash(report, times, tiles)});
  };
  StoredRuns runs;
  HLOSCOPE_ASSIGN(runs.simulated,
                  put({TimeSource::kSimulated, report.times.simulated, report.simulated_total_ns}));
  HLOSCOPE_ASSIGN(runs.analytical, put({TimeSource::kAnalytical, report.times.analytical,
                                        report.analytical_total_ns}));
  const auto put_plain = [&](TimeSource source, double total_ns) -> Result<RunId> {
    if (!has_place(report, source)) return RunId();
    return put_run(database, report, program, plain_run(report, rows, source, total_ns));
  };
  HLOSCOPE_ASSIGN(runs.compiler, put_plain(TimeSource::kCompiler, report.compiler_total_ns));
  HLOSCOPE_ASSIGN(runs.predicted, put_plain(TimeSource::kPredicted, report.predicted.total_ns));
  return runs;
}

/// The kernel that the measured runs of a module belong to: tile runs (no layout hash) are of the
/// one kernel; no row when they are of the whole program.
KernelRow measured_kernel(const ModuleReport& report, const std::vector<KernelRow>& rows) {
  const bool is_tile = report.kernels.kernels.size() == 1 &&
                       report.module.runs.front().layout_hash == 0 &&
                       report.origin != analysis::KernelOrigin::kOwnFusion;
  return is_tile ? rows.front() : KernelRow{};
}

Status put_measured(Database& database, const ModuleReport& report, ProgramRow program,
                    const std::vector<KernelRow>& rows) {
  if (report.module.runs.empty()) return {};
  MeasuredSource source;
  source.hash = measured_hash(report.module);
  source.file_path = report.file_path;
  source.module_number = report.module_number;
  source.program = program;
  const KernelRow kernel = measured_kernel(report, rows);
  const hlo::MeasuredRun* reference = analysis::reference_run(report.module);
  std::vector<MeasuredTime> times;
  times.reserve(report.module.runs.size());
  for (const hlo::MeasuredRun& run : report.module.runs) {
    MeasuredTime& time = times.emplace_back();
    time.kernel = kernel;
    time.run_index = run.run_index;
    time.is_default = run.is_default;
    time.is_reference = &run == reference;
    if (!run.failed && run.time_ns > 0) time.time_ns = static_cast<double>(run.time_ns);
    time.bounds = bounds_text(run);
    time.layout_hash = run.layout_hash;
  }
  HLOSCOPE_TRY(Measured(database).put(source, times));
  return {};
}

/// The times of a file beside the program, each of one kernel.
Status put_measured_file(Database& database, const ModuleReport& report, ProgramRow program,
                         const std::vector<KernelRow>& rows) {
  if (!report.measured_file) return {};
  MeasuredSource source;
  source.hash = measured_hash(report.module, report.measured_file->hash);
  source.file_path = report.measured_file->file_path;
  source.module_number = report.module_number;
  source.program = program;
  if (!report.measured_file->device.empty()) source.device = report.measured_file->device;
  std::vector<MeasuredTime> times;
  for (size_t i = 0; i < report.measured_ns.size(); ++i) {
    const graph::KernelId id(i);
    // Zero is no time that an estimate can be compared with.
    if (!report.measured_ns[id] || *report.measured_ns[id] <= 0) continue;
    MeasuredTime& time = times.emplace_back();
    time.kernel = rows[report.kernels.distinct_of[id]];
    time.run_index = id.value;
    time.is_default = true;
    time.is_reference = true;
    time.time_ns = report.measured_ns[id];
  }
  HLOSCOPE_TRY(Measured(database).put(source, times));
  return {};
}

}  // namespace

std::string_view source_kind(TimeSource source) {
  for (const auto& [known, kind] : kKinds) {
    if (known == source) return kind;
  }
  return {};
}

std::optional<TimeSource> time_source(std::string_view source_kind) {
  for (const auto& [source, kind] : kKinds) {
    if (kind == source_kind) return source;
  }
  return std::nullopt;
}

Result<StoredRuns> store_report(Database& database, const ModuleReport& report) {
  HLOSCOPE_TRY(database.writable());
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(database.connection()));
  HLOSCOPE_ASSIGN(const ProgramRow program, put_program(database, report));
  HLOSCOPE_ASSIGN(const auto rows, put_kernels(database, report));
  HLOSCOPE_TRY(put_program_kernels(database, report, program, rows));
  HLOSCOPE_ASSIGN(const StoredRuns runs, put_runs(database, report, program, rows));
  HLOSCOPE_TRY(put_measured(database, report, program, rows));
  HLOSCOPE_TRY(put_measured_file(database, report, program, rows));
  HLOSCOPE_TRY(transaction.commit());
  return runs;
}

}  // namespace hloscope::db
