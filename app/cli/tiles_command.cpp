#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/json_rows.h"
#include "app/cli/json_text.h"
#include "app/cli/kernel_choice.h"
#include "app/cli/terminal.h"
#include "app/cli/tile_rows.h"
#include "app/cli/unusable_tiles.h"
#include "core/base/units.h"
#include "core/sim/estimate.h"
#include "core/sim/simulate.h"
#include "core/sim/tile_space.h"
#include "core/sim/written_tile.h"

namespace hloscope::cli {

namespace {

using Bounds = std::vector<int64_t>;
using Json = nlohmann::ordered_json;

constexpr size_t kTilesShown = 50;

struct TilesOptions : InputOptions {
  std::string kernel;
  bool count = false;
  bool list = false;
  size_t limit = 0;  ///< 0: not given.
  size_t random = 0;
  uint64_t seed = 1;
  std::string neighbours;
  std::string check;

  /// Asks for tiles, not for the loops.
  [[nodiscard]] bool wants_rows() const {
    return list || random > 0 || !neighbours.empty() || !check.empty();
  }
};

// A kernel with the machine it is looked at for.
struct TiledKernel {
  const ChosenKernel& chosen;
  const sim::Machine& machine;
  const sim::Rates& rates;
  sim::TileSpace space;
};

std::string text_of(const TiledKernel& subject, const Bounds& bounds) {
  return sim::tile_text(sim::tile_of(subject.chosen.model, bounds));
}

// Where a loop's bound stands in a Tile: "out 1", "kernel 3"; "-" for one that is always whole.
std::string place_of(const sim::KernelModel& model, sim::LoopId loop) {
  const auto place = [loop](const std::vector<sim::LoopId>& loops, const char* part) {
    const auto at = std::find(loops.begin(), loops.end(), loop);
    return at == loops.end() ? std::string() : fmt::format("{} {}", part, at - loops.begin() + 1);
  };
  const std::string output = place(model.output_loops, "out");
  if (!output.empty()) return output;
  const std::string kernel = place(model.kernel_loops, "kernel");
  return kernel.empty() ? "-" : kernel;
}

std::vector<Bounds> listed(const TiledKernel& subject, const TilesOptions& options) {
  std::vector<Bounds> out;
  const bool as_text = !options.json && !options.csv;
  const size_t most = options.limit == 0 && as_text ? kTilesShown : options.limit;
  subject.space.each([&](const Bounds& bounds) {
    out.push_back(bounds);
    return most == 0 || out.size() < most;
  });
  return out;
}

std::vector<Bounds> drawn(const TiledKernel& subject, const TilesOptions& options) {
  Rng rng(options.seed);
  std::vector<Bounds> out;
  for (size_t i = 0; i < options.random; ++i) {
    Bounds bounds = subject.space.random(rng);
    if (subject.space.fits(bounds)) out.push_back(std::move(bounds));
  }
  return out;
}

Result<Bounds> checked(const TiledKernel& subject, const std::string& text) {
  HLOSCOPE_ASSIGN(const sim::Tile tile, sim::parse_tile(text));
  return subject.space.check(tile);
}

Error not_tiled(sim::KernelKind kind) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("it is not cut in tiles ({})", kind_name(kind));
  error.hint = "'hloscope-cli simulate' gives its time";
  return error;
}

Error several_modules(const std::string& file, size_t count) {
  Error error;
  error.code = ErrorCode::kInvalidInput;
  error.message = fmt::format("{} has {} modules of one kernel", file, count);
  error.hint = fmt::format("name one as {}#N, N from 1", file);
  return error;
}

// The tiles that the options ask for.
Result<std::vector<Bounds>> asked_bounds(const TiledKernel& subject, const TilesOptions& options) {
  if (!options.check.empty()) {
    HLOSCOPE_ASSIGN(Bounds bounds, checked(subject, options.check));
    return std::vector<Bounds>{std::move(bounds)};
  }
  if (!options.neighbours.empty()) {
    HLOSCOPE_ASSIGN(const Bounds bounds, checked(subject, options.neighbours));
    return subject.space.neighbours(bounds);
  }
  if (options.random > 0) return drawn(subject, options);
  if (options.limit == 0 && (options.json || options.csv)) {
    HLOSCOPE_ASSIGN(const double count, subject.space.count());
    if (count > kMostTiles) {
      return fail(too_many_tiles(
          count, "--limit N lists the first N, --random N --seed S draws some of all"));
    }
  }
  return listed(subject, options);
}

Json loops_json(const sim::KernelModel& model) {
  auto out = Json::array();
  for (uint32_t l = 0; l < model.loops.size(); ++l) {
    const sim::LoopDim& loop = model.loops[l];
    out.push_back({{"dimension", place_of(model, sim::LoopId(l))},
                   {"size", loop.size},
                   {"unit", loop.unit},
                   {"least_bound", 1},
                   {"most_bound", std::max<int64_t>(loop.units(), 1)},
                   {"is_contracted", loop.is_contracted}});
  }
  return out;
}

Json head_json(const TiledKernel& subject) {
  return {{"file", subject.chosen.file_path},
          {"module_number", subject.chosen.module_number},
          {"kernel", subject.chosen.name()},
          {"computation", subject.chosen.computation()},
          {"source", "simulated"},
          {"machine", subject.machine.id},
          {"machine_hash", subject.machine.hash.hex()},
          {"kernels_from", analysis::name(subject.chosen.origin)},
          {"vmem_bytes", subject.rates.vmem_bytes}};
}

std::string head_text(const TiledKernel& subject) {
  return fmt::format("{} in {}, {}: {}\n{}\n{}\n", subject.chosen.name(),
                     subject.chosen.computation(), subject.chosen.file,
                     analysis::kernel_label(*subject.chosen.module.program, subject.chosen.kernel),
                     simulated_line(subject.machine), origin_text(subject.chosen.origin));
}

std::string loop_table(const sim::KernelModel& model) {
  TextTable table({{"Loop", TextTable::Align::kLeft},
                   {"Size"},
                   {"Unit"},
                   {"Bounds"},
                   {"Summed over", TextTable::Align::kLeft}});
  for (sim::LoopId id : model.order) {
    const sim::LoopDim& loop = model.loops[id.value];
    table.add_row({place_of(model, id), grouped(static_cast<double>(loop.size)),
                   fmt::format("{}", loop.unit),
                   fmt::format("1..{}", std::max<int64_t>(loop.units(), 1)),
                   loop.is_contracted ? "yes" : "no"});
  }
  return table.text() + "outermost first; bounds count units\n";
}

// A tile with what it takes.
std::string tile_line(const TiledKernel& subject, const Bounds& bounds) {
  return fmt::format("{}: {:.2f} of {:.2f} MiB of VMEM{}", text_of(subject, bounds),
                     sim::footprint_bytes(subject.chosen.model, bounds) / kBytesPerMib,
                     subject.rates.vmem_bytes / kBytesPerMib,
                     subject.space.fits(bounds) ? "" : ", does not fit");
}

Json tile_json(const TiledKernel& subject, const Bounds& bounds) {
  const sim::Simulation simulation = sim::simulate(subject.chosen.model, bounds, subject.rates);
  return {{"tile", text_of(subject, bounds)},
          {"fits", subject.space.fits(bounds)},
          {"footprint_bytes", sim::footprint_bytes(subject.chosen.model, bounds)},
          {"time_ns", simulation.time_ns},
          {"iterations", simulation.tiles}};
}

// Large spaces can take half a minute: only when asked for.
std::optional<double> counted_tiles(const TiledKernel& subject, const TilesOptions& options) {
  constexpr double kQuicklyCounted = 1e7;
  if (!options.count && subject.space.all_count() > kQuicklyCounted) return std::nullopt;
  return subject.space.count(terminal_progress()).value_or(0);  // Fails only when cancelled.
}

std::string count_text(const TiledKernel& subject, std::optional<double> counted) {
  if (!counted) {
    return fmt::format("{} tiles, fitting or not; --count counts those that fit\n",
                       grouped(subject.space.all_count()));
  }
  const double count = *counted;
  return fmt::format("{} tiles fit in VMEM, of {}\n", grouped(count),
                     grouped(subject.space.all_count()));
}

std::string summary_text(const TiledKernel& subject, std::optional<double> count) {
  const sim::KernelModel& model = subject.chosen.model;
  const Bounds chosen = sim::default_bounds(model, subject.rates);
  const sim::Simulation simulation = sim::simulate(model, chosen, subject.rates);
  std::string out = head_text(subject) + "\n" + loop_table(model);
  out += fmt::format("\nwhole    {}\n", tile_line(subject, whole_bounds(model)));
  out += fmt::format("default  {}, {} µs in {} iteration{}\n", tile_line(subject, chosen),
                     microseconds(simulation.time_ns), grouped(simulation.tiles),
                     simulation.tiles == 1 ? "" : "s");
  const ChosenKernel& kernel = subject.chosen;
  if (const auto written = sim::written_bounds(*kernel.module.program, kernel.kernel.instruction,
                                               model, subject.rates)) {
    out += fmt::format("program  {}, {} µs: the program says so, its times are at this tile\n",
                       tile_line(subject, *written),
                       microseconds(sim::simulate(model, *written, subject.rates).time_ns));
  }
  if (const auto unusable = unusable_tile(kernel, subject.rates)) {
    out += fmt::format("program  not {}; its times are at the default\n", *unusable);
  }
  return out + count_text(subject, count);
}

void write_summary(const TiledKernel& subject, const TilesOptions& options) {
  const sim::KernelModel& model = subject.chosen.model;
  const std::optional<double> count = counted_tiles(subject, options);
  Json out = head_json(subject);
  out["tile_count"] = count ? Json(*count) : Json();
  out["all_tile_count"] = subject.space.all_count();
  if (!options.count) {
    out["loops"] = loops_json(model);
    out["whole_tile"] = tile_json(subject, whole_bounds(model));
    out["default_tile"] = tile_json(subject, sim::default_bounds(model, subject.rates));
    const auto unusable = unusable_tile(subject.chosen, subject.rates);
    out["unusable_tile"] = unusable ? Json(*unusable) : Json();
  }
  if (options.json) {
    std::cout << json_text(Json::array({out})) << "\n";
  } else if (options.csv) {
    std::cout << json_rows_csv(options.count ? Json::array({out}) : out["loops"], true);
  } else if (options.count) {
    std::cout << head_text(subject) << count_text(subject, count);
  } else {
    std::cout << summary_text(subject, count);
  }
}

void write_rows(const TiledKernel& subject, const TilesOptions& options,
                std::vector<Bounds> bounds) {
  const sim::KernelModel& model = subject.chosen.model;
  ThreadPool pool;
  std::vector<TileRow> rows = tile_rows(model, std::move(bounds), subject.rates, pool);
  const MeasuredTiles measured = measured_tiles(subject.chosen);
  for (TileRow& row : rows) row.measured_ns = measured.find(row.bounds);
  auto list = Json::array();
  if (options.json || options.csv) {
    for (const TileRow& row : rows) list.push_back(tile_row_json(row, model));
  }
  if (options.json) {
    Json out = head_json(subject);
    out["tiles"] = std::move(list);
    std::cout << json_text(Json::array({out})) << "\n";
  } else if (options.csv) {
    std::cout << json_rows_csv(list, true);
  } else {
    std::cout << head_text(subject) << "\n"
              << (options.check.empty() ? "" : "this tile fits\n")
              << tile_table(rows, model, !measured.tiles.empty());
  }
}

void run_tiles(const TilesOptions& options, int& exit_code) {
  const auto machine = load_machine(options.machine, exit_code);
  if (!machine) return;
  const sim::Rates rates(*machine);
  for (const std::string& text : {options.check, options.neighbours}) {
    if (text.empty() || sim::parse_tile(text)) continue;
    print_error(sim::parse_tile(text).error());
    exit_code = kUsage;
    return;
  }
  const std::vector<ChosenKernel> found = choose_kernels(options, options.kernel, exit_code);
  if (found.empty()) return;
  if (found.size() > 1) {
    print_error(several_modules(options.files.front(), found.size()));
    exit_code = kBadInput;
    return;
  }
  const TiledKernel subject{found[0], *machine, rates, sim::TileSpace(found[0].model, rates)};
  if (found[0].model.kind != sim::KernelKind::kTiled) {
    print_error(found[0].located(not_tiled(found[0].model.kind)));
    exit_code = kBadInput;
  } else if (!options.wants_rows()) {
    write_summary(subject, options);
  } else if (auto bounds = asked_bounds(subject, options)) {
    write_rows(subject, options, std::move(*bounds));
  } else {
    print_error(found[0].located(bounds.error()));
    exit_code = kBadInput;
  }
}

void add_options(CLI::App& command, TilesOptions& options) {
  const CLI::Range at_least_one(int64_t{1}, int64_t{1} << 31);
  command.add_option("FILE", options.files, "HLO text or proto; FILE#N is its Nth module")
      ->required()
      ->expected(1);
  add_machine_option(command, options);
  add_raw_option(command, options);
  auto* json = command.add_flag("--json", options.json, "write JSON");
  command.add_flag("--csv", options.csv, "write CSV")->excludes(json);
  command.add_option("--kernel", options.kernel,
                     "NAME or COMPUTATION/NAME; not needed where there is only one");
  command.add_option("--limit", options.limit, "of --list (default: 50 in text)")
      ->check(at_least_one);
  command.add_option("--seed", options.seed, "of --random")->capture_default_str();
  CLI::Option_group* what = command.add_option_group("what", "What to show");
  what->add_flag("--count", options.count, "only how many tiles there are");
  what->add_flag("--list", options.list, "the tiles that fit, smallest bounds first");
  what->add_option("--random", options.random, "N random tiles that fit")->check(at_least_one);
  what->add_option("--neighbours", options.neighbours, "tiles one step away from this one");
  what->add_option("--check", options.check, "whether this tile is one, and fits");
  what->require_option(0, 1);
}

}  // namespace

void add_tiles_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<TilesOptions>();
  CLI::App* command = app.add_subcommand("tiles", "the tiles that a kernel can run with");
  add_options(*command, *options);
  command->footer(
      "A tile is written as out=12x4x4x3,kernel=3x1x24x3: a bound per loop, in physical order, "
      "major to minor.\n"
      "Example: hloscope-cli tiles samples/tpu_v3_tiles.pb#1 --json\n"
      "  [{\"file\": \"...\", \"module_number\": 1, \"kernel\": \"...\", \"computation\": \"...\", "
      "\"source\": \"simulated\",\n    \"machine\": \"tpu_v3\", \"machine_hash\": \"...\", "
      "\"kernels_from\": \"compiled\", "
      "\"vmem_bytes\": 1.6e7, \"tile_count\": 900, \"all_tile_count\": 1200,\n    \"loops\": "
      "[{\"dimension\": \"out 1\", \"size\": 128, \"unit\": 8, \"least_bound\": 1, "
      "\"most_bound\": 16,\n    \"is_contracted\": false}], \"whole_tile\": {\"tile\": "
      "\"out=16x1\", \"fits\": true, \"footprint_bytes\": 1e6,\n    \"time_ns\": 1e4, "
      "\"iterations\": 1}, \"default_tile\": {...}}]\n"
      "With --list, --random, --neighbours or --check \"tiles\" in place of the loops and counts:\n"
      "  [{..., \"tiles\": [{\"tile\": \"out=4x1\", \"time_ns\": 1e4, \"iterations\": 4, "
      "\"footprint_bytes\": 1e6,\n    \"bottleneck\": \"MXU\", \"measured_ns\": null}]}]");
  command->callback([options, &exit_code] { run_tiles(*options, exit_code); });
}

}  // namespace hloscope::cli
