#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/baseline_options.h"
#include "app/cli/branch_executions.h"
#include "app/cli/json_rows.h"
#include "app/cli/json_text.h"
#include "app/cli/simulate.h"
#include "app/cli/simulate_units.h"
#include "app/cli/store.h"
#include "app/cli/text_table.h"
#include "app/cli/unusable_tiles.h"
#include "core/sim/simulate.h"

namespace hloscope::cli {

namespace {

using graph::KernelId;
using Json = nlohmann::ordered_json;

constexpr size_t kSimulatedShown = 20;
constexpr int64_t kTracedTiles = 16;  // Per kernel of a program.

// Part of the program's time.
struct TimeShare {
  size_t kernels = 0;
  double executions = 0;
  double time_ns = 0;  // Executions included.
};

// A program's time, added up.
struct ProgramTimes {
  std::vector<double> executions;  // By KernelId.
  std::vector<KernelId> by_time;   // The longest, executions included, first.
  double total_ns = 0;
  double rule_share = 1;
  std::array<TimeShare, hlo::kOpClassCount> classes{};
  std::map<std::string, TimeShare> fallbacks;  // By opcode.
  std::map<std::string, TimeShare> assumed;    // By kind of kernel: see kind_name().
  UnitTimes units;
  size_t unknown_loops = 0;
};

void add(TimeShare& part, double executions, double time_ns) {
  ++part.kernels;
  part.executions += executions;
  part.time_ns += time_ns;
}

graph::BranchRule branch_rule(const SimulateOptions& options) {
  return options.branches == "max" ? graph::BranchRule::kMaximum : graph::BranchRule::kMean;
}

std::vector<double> one_execution(const analysis::ModuleReport& report) {
  std::vector<double> ns;
  for (const analysis::ModelTime& time : report.times.simulated) ns.push_back(time.time_ns);
  return ns;
}

// Opcodes without a rule, and kernels whose time rests on assumptions; only those few kernels are
// modelled again.
void add_doubts(const analysis::ModuleReport& report, KernelId id, double executions,
                double time_ns, ProgramTimes& out) {
  const hlo::Program& program = *report.module.program;
  const hlo::InstructionId instruction = report.kernels.kernels[id].instruction;
  const analysis::Bound bound = report.times.simulated[id].bound;
  const bool has_fallback = report.times.tiles[report.kernels.distinct_of[id]].has_fallback;
  if (bound != analysis::Bound::kLink && !has_fallback) return;
  const sim::KernelModel model = sim::kernel_model(program, instruction);
  if (model.kind == sim::KernelKind::kCollective || model.kind == sim::KernelKind::kHost) {
    add(out.assumed[std::string(kind_name(model.kind))], executions, time_ns);
  }
  for (hlo::Opcode opcode : model.fallbacks) {
    add(out.fallbacks[std::string(hlo::name(opcode))], executions, time_ns);
  }
}

ProgramTimes program_times(const analysis::ModuleReport& report, graph::BranchRule branches) {
  ProgramTimes out;
  const std::vector<double> once_ns = one_execution(report);
  out.executions = branch_executions(*report.module.program, report.kernels, once_ns, branches);
  double with_rules_ns = 0;
  std::vector<double> time_ns;
  for (uint32_t k = 0; k < once_ns.size(); ++k) {
    const KernelId id(k);
    const double ns = once_ns[k] * out.executions[k];
    time_ns.push_back(ns);
    out.total_ns += ns;
    if (!report.times.tiles[report.kernels.distinct_of[id]].has_fallback) with_rules_ns += ns;
    const auto op_class = static_cast<size_t>(report.kernels.kernels[id].op_class);
    add(out.classes[op_class], out.executions[k], ns);
    add_doubts(report, id, out.executions[k], ns, out);
    out.by_time.push_back(id);
  }
  if (out.total_ns > 0) out.rule_share = with_rules_ns / out.total_ns;
  std::stable_sort(out.by_time.begin(), out.by_time.end(), [&time_ns](KernelId a, KernelId b) {
    return time_ns[a.value] > time_ns[b.value];
  });
  for (const graph::Loop& loop : report.kernels.loops) out.unknown_loops += loop.known ? 0 : 1;
  out.units = unit_times(report, out.executions);
  return out;
}

double part_share(double part_ns, double total_ns) {
  return total_ns > 0 ? part_ns / total_ns : 0;
}

std::string parts_text(const std::map<std::string, TimeShare>& parts, double total_ns) {
  std::string out;
  for (const auto& [name, part] : parts) {
    out += fmt::format("  {}: {}, {} µs ({:.2f} %)\n", name,
                       counted(static_cast<int64_t>(part.kernels), "kernel", "kernels"),
                       microseconds(part.time_ns), 100 * part_share(part.time_ns, total_ns));
  }
  return out;
}

// A share is never shown as all of it when it is not.
std::string rounded_down(double part) {
  return fmt::format("{:.2f} %", std::floor(part * 1e4) / 100);
}

bool states_tiles(const hlo::Program& program) {
  for (uint32_t i = 0; i < program.shapes().size(); ++i) {
    if (!program.shape(hlo::ShapeId(i)).layout.tiles.empty()) return true;
  }
  return false;
}

// Programs of other compilers have layouts that a TPU's would not choose: their padding is what
// makes many of their kernels slow.
std::string layout_text(const analysis::ModuleReport& report) {
  const analysis::Cost& cost = report.cost.weighted;
  if (states_tiles(*report.module.program) || cost.padded_bytes <= 0) return {};
  const double padding = std::max(0.0, 1 - cost.bytes_accessed / cost.padded_bytes);
  return fmt::format(
      "no TPU tiles in this program: its own order of dimensions is assumed\n"
      "{:.0f} % of the bytes are padding\n",
      100 * padding);
}

std::string unfit_text(const analysis::ModuleReport& report, const ProgramTimes& times) {
  const double vmem_bytes = sim::Rates(report.machine).vmem_bytes;
  size_t kernels = 0;
  double ns = 0;
  for (KernelId id : times.by_time) {
    const analysis::TileChoice& tile = report.times.tiles[report.kernels.distinct_of[id]];
    if (tile.footprint_bytes <= vmem_bytes) continue;
    ++kernels;
    ns += report.times.simulated[id].time_ns * times.executions[id.value];
  }
  if (kernels == 0) return {};
  return fmt::format("{} with no tile that fits in VMEM, timed as a whole: {:.2f} % of the time\n",
                     counted(static_cast<int64_t>(kernels), "kernel", "kernels"),
                     100 * part_share(ns, times.total_ns));
}

std::string head_text(const analysis::ModuleReport& report, const ProgramTimes& times,
                      const SimulateOptions& options) {
  std::string out = fmt::format("{}: {}\n{}\n", display_name(report), report.module.program->name(),
                                simulated_line(report.machine));
  out +=
      fmt::format("{} µs in all, over {} ({} distinct), each as often as it runs; branches: {}\n",
                  microseconds(times.total_ns),
                  counted(static_cast<int64_t>(report.kernels.kernels.size()), "kernel", "kernels"),
                  report.kernels.distinct.size(), options.branches);
  out += origin_text(report.origin) + "\n";
  if (times.unknown_loops > 0) {
    out += fmt::format("{} loop{} of unknown trip count, run once here\n", times.unknown_loops,
                       times.unknown_loops == 1 ? "" : "s");
  }
  out += layout_text(report) + unfit_text(report, times) + unusable_tiles_text(report);
  out += fmt::format("{} of the time in kernels whose every opcode has a rule of its own\n",
                     rounded_down(times.rule_share));
  if (!times.fallbacks.empty()) {
    out += "no rule of their own (operands taken whole, work not known):\n" +
           parts_text(times.fallbacks, times.total_ns);
  }
  if (!times.assumed.empty()) {
    out += "assumed (network and speed of the links between chips and to the host):\n" +
           parts_text(times.assumed, times.total_ns);
  }
  return out;
}

std::string class_table(const ProgramTimes& times) {
  TextTable table({{"Class", TextTable::Align::kLeft},
                   {"Kernels"},
                   {"Executions"},
                   {"Simulated µs"},
                   {"Share %"}});
  for (size_t i = 0; i < times.classes.size(); ++i) {
    const TimeShare& part = times.classes[i];
    if (part.kernels == 0) continue;
    table.add_row({std::string(hlo::name(static_cast<hlo::OpClass>(i))), grouped(part.kernels),
                   fmt::format("{:g}", part.executions), microseconds(part.time_ns),
                   fmt::format("{:.1f}", 100 * part_share(part.time_ns, times.total_ns))});
  }
  return "\n" + table.text();
}

std::string simulated_table(const analysis::ModuleReport& report, const ProgramTimes& times,
                            size_t limit) {
  using enum TextTable::Align;
  TextTable table({{"Kernel", kElided},
                   {"Executions"},
                   {"Simulated µs"},
                   {"All µs"},
                   {"Share %"},
                   {"Bound", kLeft},
                   {"What", kElided}});
  for (KernelId id : times.by_time) {
    if (table.rows() == limit) break;
    const graph::Kernel& kernel = report.kernels.kernels[id];
    const analysis::ModelTime& time = report.times.simulated[id];
    const double executions = times.executions[id.value];
    table.add_row(
        {std::string((*report.module.program)[kernel.instruction].name),
         fmt::format("{:g}", executions), microseconds(time.time_ns),
         microseconds(time.time_ns * executions),
         fmt::format("{:.1f}", 100 * part_share(time.time_ns * executions, times.total_ns)),
         std::string(analysis::name(time.bound)),
         analysis::kernel_label(*report.module.program, kernel)});
  }
  std::string out = "\n" + table.text();
  const size_t left = times.by_time.size() - table.rows();
  if (left > 0) out += fmt::format("... {} more; --limit N shows N\n", left);
  return out;
}

Json to_json(const TimeShare& part, double total_ns) {
  return {{"kernels", part.kernels},
          {"executions", part.executions},
          {"time_ns", part.time_ns},
          {"share", part_share(part.time_ns, total_ns)}};
}

Json parts_json(const std::map<std::string, TimeShare>& parts, const char* key, double total_ns) {
  auto out = Json::array();
  for (const auto& [name, part] : parts) {
    Json entry = {{key, name}};
    entry.update(to_json(part, total_ns));
    out.push_back(std::move(entry));
  }
  return out;
}

Json kernel_json(const analysis::ModuleReport& report, const ProgramTimes& times, KernelId id) {
  const hlo::Program& program = *report.module.program;
  const graph::Kernel& kernel = report.kernels.kernels[id];
  const analysis::ModelTime& time = report.times.simulated[id];
  const analysis::TileChoice& tile = report.times.tiles[report.kernels.distinct_of[id]];
  const double all_ns = time.time_ns * times.executions[id.value];
  const std::string text = sim::tile_text(tile.tile);
  Json out = {{"kernel", program[kernel.instruction].name},
              {"computation", program[kernel.computation].name},
              {"class", hlo::name(kernel.op_class)},
              {"executions", times.executions[id.value]},
              {"simulated_ns", time.time_ns},
              {"all_ns", all_ns},
              {"share", part_share(all_ns, times.total_ns)},
              {"bound", analysis::name(time.bound)},
              {"tile", text.empty() ? Json(nullptr) : Json(text)},
              {"iterations", tile.tiles},
              {"footprint_bytes", tile.footprint_bytes},
              {"has_fallback", tile.has_fallback},
              {"label", analysis::kernel_label(program, kernel)}};
  out["parts_ns"] = time_parts_json(times.units.kernels_ns[report.kernels.distinct_of[id]]);
  add_work_and_limits(out, report, id);
  return out;
}

Json kernels_json(const analysis::ModuleReport& report, const ProgramTimes& times, size_t limit) {
  auto out = Json::array();
  for (KernelId id : times.by_time) {
    if (limit > 0 && out.size() == limit) break;
    out.push_back(kernel_json(report, times, id));
  }
  return out;
}

Json to_json(const analysis::ModuleReport& report, const ProgramTimes& times,
             const SimulateOptions& options) {
  Json classes = Json::object();
  for (size_t i = 0; i < times.classes.size(); ++i) {
    classes[std::string(hlo::name(static_cast<hlo::OpClass>(i)))] =
        to_json(times.classes[i], times.total_ns);
  }
  return {{"file", report.file_path},
          {"module_number", report.module_number},
          {"name", report.module.program->name()},
          {"source", "simulated"},
          {"machine", report.machine.id},
          {"machine_hash", report.machine.hash.hex()},
          {"is_optimized", report.origin == analysis::KernelOrigin::kCompiled},
          {"kernels_from", analysis::name(report.origin)},
          {"branches", options.branches},
          {"simulated_total_ns", times.total_ns},
          {"rule_share", times.rule_share},
          {"kernel_count", report.kernels.kernels.size()},
          {"distinct_kernels", report.kernels.distinct.size()},
          {"unknown_loops", times.unknown_loops},
          {"unusable_tiles", unusable_tiles_json(report)},
          {"by_class", classes},
          {"busy_ns", busy_json(times.units)},
          {"parts_ns", time_parts_json(times.units.parts_ns)},
          {"roofline", roofline_json(report)},
          {"fallbacks", parts_json(times.fallbacks, "opcode", times.total_ns)},
          {"assumed", parts_json(times.assumed, "kind", times.total_ns)},
          {"kernels", kernels_json(report, times, options.limit)}};
}

std::string to_csv(const analysis::ModuleReport& report, const ProgramTimes& times,
                   const SimulateOptions& options, bool with_header) {
  auto rows = Json::array();
  for (const Json& row : kernels_json(report, times, options.limit)) {
    Json one = {{"file", report.file_path},
                {"module_number", report.module_number},
                {"machine", report.machine.id},
                {"machine_hash", report.machine.hash.hex()},
                {"source", "simulated"}};
    one.update(row);
    one.erase("parts_ns");  // Kernels differ in which they have.
    rows.push_back(std::move(one));
  }
  return json_rows_csv(rows, with_header);
}

// The kernels that run, once each, in the order of the program. Equal kernels share one timeline.
sim::TraceProcess trace_of(const analysis::ModuleReport& report, const ProgramTimes& times) {
  const hlo::Program& program = *report.module.program;
  const sim::Rates rates(report.machine);
  std::vector<sim::Timeline> timelines;
  for (KernelId id : report.kernels.distinct) {
    const sim::KernelModel model =
        sim::kernel_model(program, report.kernels.kernels[id].instruction);
    timelines.push_back(sim::timeline(
        model, report.times.tiles[report.kernels.distinct_of[id]].bounds, rates, kTracedTiles));
  }
  sim::TraceProcess out{std::string(program.name()), {}};
  for (uint32_t k = 0; k < report.kernels.kernels.size(); ++k) {
    const KernelId id(k);
    if (times.executions[k] <= 0) continue;
    const uint32_t distinct = report.kernels.distinct_of[id];
    out.kernels.push_back({std::string(program[report.kernels.kernels[id].instruction].name),
                           report.times.simulated[id].time_ns, report.times.tiles[distinct].tiles,
                           times.executions[k], timelines[distinct]});
  }
  return out;
}

}  // namespace

void simulate_programs(const SimulateOptions& options, int& exit_code) {
  auto list = Json::array();
  std::vector<sim::TraceProcess> traces;
  const sim::Machine* machine = nullptr;
  bool is_first = true;
  const std::vector<ReportPtr> reports = load_reports(options, exit_code);
  const auto baseline = load_baseline(options.baseline, options, reports, options.db, exit_code);
  if (!baseline) return;
  for (const ReportPtr& report : reports) {
    if (!store_if_asked(options.db, *report)) exit_code = 1;
    const ProgramTimes times = program_times(*report, branch_rule(options));
    if (options.json) {
      list.push_back(to_json(*report, times, options));
      if (*baseline)
        list.back()["baseline"] = baseline_json(analysis::KernelTable(report, *baseline));
    } else if (options.csv) {
      std::cout << to_csv(*report, times, options, is_first);
    } else {
      const size_t limit = options.limit > 0 ? options.limit : kSimulatedShown;
      std::cout << (is_first ? "" : "\n") << head_text(*report, times, options)
                << (*baseline ? baseline_text(analysis::KernelTable(report, *baseline)) : "")
                << class_table(times) << units_text(*report, times.units, times.total_ns)
                << simulated_table(*report, times, limit);
    }
    if (!options.trace.empty()) traces.push_back(trace_of(*report, times));
    machine = &report->machine;
    is_first = false;
  }
  if (options.json) std::cout << json_text(list) << "\n";
  if (machine != nullptr) write_trace(options.trace, *machine, traces, exit_code);
}

}  // namespace hloscope::cli
