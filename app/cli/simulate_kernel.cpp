#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_rows.h"
#include "app/cli/json_text.h"
#include "app/cli/simulate.h"
#include "app/cli/text_table.h"
#include "app/cli/unusable_tiles.h"
#include "core/base/units.h"
#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "core/sim/written_tile.h"

namespace hloscope::cli {

namespace {

// A kernel timed with one tile.
struct TimedTile {
  std::vector<int64_t> bounds;
  bool is_default = true;
  bool is_written = false;              ///< In the program.
  std::optional<std::string> unusable;  ///< What the program says of a tile, and why it cannot be.
  bool fits = true;
  sim::Simulation simulation;
  sim::Timeline timeline;
  double analytical_ns = 0;
  std::optional<double> measured_ns;
};

Result<TimedTile> time_tile(const ChosenKernel& chosen, const sim::Rates& rates,
                            const std::string& tile_text) {
  const sim::KernelModel& model = chosen.model;
  const sim::TileSpace space(model, rates);
  TimedTile out;
  if (tile_text.empty()) {
    const auto written =
        sim::written_bounds(*chosen.module.program, chosen.kernel.instruction, model, rates);
    out.is_written = written.has_value();
    out.unusable = unusable_tile(chosen, rates);
    out.bounds = written ? *written : sim::default_bounds(model, rates);
    out.fits = space.fits(out.bounds);
  } else {
    if (model.kind != sim::KernelKind::kTiled) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("it is not cut in tiles ({})", kind_name(model.kind)),
                  "leave out --tile");
    }
    HLOSCOPE_ASSIGN(const sim::Tile tile, sim::parse_tile(tile_text));
    HLOSCOPE_ASSIGN(out.bounds, space.check(tile));
    out.is_default = false;
  }
  out.simulation = sim::simulate(model, out.bounds, rates);
  out.timeline = sim::timeline(model, out.bounds, rates);
  out.analytical_ns = sim::estimate(model, out.bounds, rates).time_ns;
  out.measured_ns = measured_tiles(chosen).find(out.bounds);
  return out;
}

std::string tile_of(const ChosenKernel& chosen, const TimedTile& timed) {
  if (chosen.model.kind != sim::KernelKind::kTiled) return {};
  return sim::tile_text(sim::tile_of(chosen.model, timed.bounds));
}

std::string head_text(const ChosenKernel& chosen, const TimedTile& timed,
                      const sim::Machine& machine) {
  const sim::Simulation& s = timed.simulation;
  std::string out = fmt::format(
      "{} in {}, {}: {}\n{}\n", chosen.name(), chosen.computation(), chosen.file,
      analysis::kernel_label(*chosen.module.program, chosen.kernel), simulated_line(machine));
  out += origin_text(chosen.origin) + "\n";
  const std::string tile = tile_of(chosen, timed);
  out +=
      fmt::format("time        {} µs in {} iteration{}, bottleneck {}\n", microseconds(s.time_ns),
                  grouped(s.tiles), s.tiles == 1 ? "" : "s", sim::name(s.bottleneck));
  out += fmt::format("analytical  {} µs (estimated)\n", microseconds(timed.analytical_ns));
  if (timed.measured_ns) {
    out += fmt::format("measured    {} µs (in this file)\n", microseconds(*timed.measured_ns));
  }
  if (timed.unusable) out += fmt::format("tile        not {}\n", *timed.unusable);
  if (tile.empty()) {
    return out + fmt::format("tile        none: {}\n", kind_name(chosen.model.kind));
  }
  return out + fmt::format("tile        {} ({})\n", tile,
                           timed.is_written   ? "as the program says"
                           : timed.is_default ? "the default"
                                              : "as given");
}

std::string parts_text(const TimedTile& timed, const sim::Rates& rates) {
  const sim::Simulation& s = timed.simulation;
  std::string out = fmt::format("launch      {} µs, first read {} µs, last write {} µs\n",
                                microseconds(s.launch_ns), microseconds(s.first_read_ns),
                                microseconds(s.last_write_ns));
  out += fmt::format("transfers   {} µs read, {} µs written, {} µs of all exposed\n",
                     microseconds(s.read_ns), microseconds(s.write_ns), microseconds(s.exposed_ns));
  out += fmt::format("bytes       {}B read, {}B written; {} + {} runs, {} descriptors\n",
                     with_prefix(s.bytes_read), with_prefix(s.bytes_written), grouped(s.runs_read),
                     grouped(s.runs_written), grouped(s.descriptors));
  return out + fmt::format("footprint   {:.2f} of {:.2f} MiB of VMEM{}\n",
                           s.footprint_bytes / kBytesPerMib, rates.vmem_bytes / kBytesPerMib,
                           timed.fits ? "" : ": no tile of this kernel fits");
}

std::string unit_table(const sim::Simulation& simulation) {
  TextTable table({{"Unit", TextTable::Align::kLeft}, {"Busy µs"}, {"of time %"}});
  for (size_t u = 0; u < sim::kUnitCount; ++u) {
    const double ns = simulation.busy_ns[u];
    if (ns <= 0) continue;
    table.add_row({std::string(sim::name(static_cast<sim::Unit>(u))), microseconds(ns),
                   fmt::format("{:.1f}", 100 * ns / simulation.time_ns)});
  }
  return "\n" + table.text();
}

std::string iteration_table(const TimedTile& timed, size_t most) {
  const std::vector<sim::TileTime>& tiles = timed.timeline.tiles;
  if (tiles.empty() || most == 0) return {};
  TextTable table(
      {{"Iteration"}, {"Start µs"}, {"End µs"}, {"Compute µs"}, {"Transfers under it µs"}});
  for (size_t i = 0; i < std::min(most, tiles.size()); ++i) {
    table.add_row({fmt::format("{}", i), microseconds(tiles[i].start_ns),
                   microseconds(tiles[i].end_ns), microseconds(tiles[i].compute_ns),
                   microseconds(tiles[i].transfer_ns)});
  }
  std::string out = "\n" + table.text();
  if (timed.simulation.tiles > static_cast<double>(table.rows())) {
    out += fmt::format("... {} in all\n", grouped(timed.simulation.tiles));
  }
  return out;
}

std::vector<std::string> fallback_names(const sim::KernelModel& model) {
  std::vector<std::string> names;
  for (hlo::Opcode opcode : model.fallbacks) names.emplace_back(hlo::name(opcode));
  return names;
}

std::string notes_text(const ChosenKernel& chosen, const sim::Machine& machine) {
  std::string out = "\n";
  const std::vector<std::string> fallbacks = fallback_names(chosen.model);
  if (!fallbacks.empty()) {
    out += fmt::format("no rule of their own (operands taken whole, work not known): {}\n",
                       fmt::join(fallbacks, ", "));
  }
  if (chosen.model.kind == sim::KernelKind::kCollective) {
    out += "assumed: a ring over the group; an HLO program does not say what network it runs on\n";
  }
  if (chosen.model.kind == sim::KernelKind::kOpaque) {
    out += "assumed: its operands and results through HBM; its work is not known\n";
  }
  if (chosen.model.kind == sim::KernelKind::kFree) {
    out += "takes no time: a bitcast, or a mark for the compiler\n";
  }
  const std::vector<std::string> assumed = assumed_constants(machine, chosen.model.kind);
  if (!assumed.empty()) {
    out += list_text("assumed constants of the machine:", assumed);
  }
  return out == "\n" ? std::string() : out;
}

nlohmann::ordered_json to_json(const ChosenKernel& chosen, const TimedTile& timed,
                               const sim::Machine& machine, double vmem_bytes) {
  const sim::Simulation& s = timed.simulation;
  const std::string tile = tile_of(chosen, timed);
  using Json = nlohmann::ordered_json;
  return {{"file", chosen.file_path},
          {"module_number", chosen.module_number},
          {"kernel", chosen.name()},
          {"computation", chosen.computation()},
          {"source", "simulated"},
          {"machine", machine.id},
          {"machine_hash", machine.hash.hex()},
          {"kernels_from", analysis::name(chosen.origin)},
          {"kind", kind_name(chosen.model.kind)},
          {"tile", tile.empty() ? Json(nullptr) : Json(tile)},
          {"is_default_tile", timed.is_default && !timed.is_written},
          {"unusable_tile", timed.unusable ? Json(*timed.unusable) : Json(nullptr)},
          {"time_ns", s.time_ns},
          {"analytical_ns", timed.analytical_ns},
          {"measured_ns", timed.measured_ns ? Json(*timed.measured_ns) : Json(nullptr)},
          {"iterations", s.tiles},
          {"launch_ns", s.launch_ns},
          {"first_read_ns", s.first_read_ns},
          {"last_write_ns", s.last_write_ns},
          {"compute_ns", s.compute_ns},
          {"read_ns", s.read_ns},
          {"write_ns", s.write_ns},
          {"exposed_ns", s.exposed_ns},
          {"bytes_read", s.bytes_read},
          {"bytes_written", s.bytes_written},
          {"runs_read", s.runs_read},
          {"runs_written", s.runs_written},
          {"descriptors", s.descriptors},
          {"footprint_bytes", s.footprint_bytes},
          {"vmem_bytes", vmem_bytes},
          {"fits", timed.fits},
          {"bottleneck", sim::name(s.bottleneck)}};
}

void add_lists(nlohmann::ordered_json& out, const ChosenKernel& chosen, const TimedTile& timed,
               const sim::Machine& machine, size_t iterations) {
  auto busy = nlohmann::ordered_json::object();
  for (size_t u = 0; u < sim::kUnitCount; ++u) {
    busy[std::string(sim::name(static_cast<sim::Unit>(u)))] = timed.simulation.busy_ns[u];
  }
  auto rows = nlohmann::ordered_json::array();
  for (const sim::TileTime& tile : timed.timeline.tiles) {
    if (rows.size() == iterations) break;
    rows.push_back({{"start_ns", tile.start_ns},
                    {"end_ns", tile.end_ns},
                    {"compute_ns", tile.compute_ns},
                    {"transfer_ns", tile.transfer_ns}});
  }
  out["busy_ns"] = std::move(busy);
  out["first_iterations"] = std::move(rows);
  out["fallbacks"] = fallback_names(chosen.model);
  out["assumed"] = assumed_constants(machine, chosen.model.kind);
}

sim::TraceProcess trace_of(const ChosenKernel& chosen, TimedTile timed) {
  const double executions = chosen.kernel.executions;
  return {chosen.name(),
          {{chosen.name(), timed.simulation.time_ns, timed.simulation.tiles, executions,
            std::move(timed.timeline)}}};
}

}  // namespace

void simulate_kernels(const SimulateOptions& options, int& exit_code) {
  const auto machine = load_machine(options.machine, exit_code);
  if (!machine) return;
  const sim::Rates rates(*machine);
  auto list = nlohmann::ordered_json::array();
  std::vector<sim::TraceProcess> traces;
  if (!options.tile.empty() && !sim::parse_tile(options.tile)) {
    print_error(sim::parse_tile(options.tile).error());
    exit_code = kUsage;
    return;
  }
  for (const ChosenKernel& chosen : choose_kernels(options, options.kernel, exit_code)) {
    Result<TimedTile> timed = time_tile(chosen, rates, options.tile);
    if (!timed) {
      print_error(chosen.located(timed.error()));
      exit_code = kBadInput;
      continue;
    }
    if (options.json || options.csv) {
      list.push_back(to_json(chosen, *timed, *machine, rates.vmem_bytes));
      add_lists(list.back(), chosen, *timed, *machine, options.iterations);
    } else {
      std::cout << head_text(chosen, *timed, *machine) << parts_text(*timed, rates)
                << unit_table(timed->simulation) << iteration_table(*timed, options.iterations)
                << notes_text(chosen, *machine);
    }
    traces.push_back(trace_of(chosen, std::move(*timed)));
  }
  if (options.json) std::cout << json_text(list) << "\n";
  if (options.csv) std::cout << json_rows_csv(list, true);
  if (!traces.empty()) write_trace(options.trace, *machine, traces, exit_code);
}

}  // namespace hloscope::cli
