#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/simulate.h"
#include "core/base/write_file.h"
#include "core/hlo/address.h"

namespace hloscope::cli {

namespace {

constexpr auto kSimulateFooter =
    "Without --kernel: the whole program. A tile is written as the TPU's tuning data writes it:\n"
    "bounds in physical order, major to minor, tiled dimensions counted in tiles; 'hloscope-cli "
    "tiles' lists them.\n"
    "A module with one kernel needs no --kernel. Traces open in ui.perfetto.dev.\n"
    "Kernels of a program that is not optimised are those of own fusion, or with --raw its "
    "instructions.\n"
    "Example: hloscope-cli simulate samples/mobilenet_v2.hlo --json\n"
    "  [{\"file\": \"...\", \"module_number\": 1, \"name\": \"...\", \"source\": \"simulated\", "
    "\"machine\": \"tpu_v3\",\n    \"machine_hash\": \"...\", \"is_optimized\": true, "
    "\"kernels_from\": \"compiled\", \"branches\": \"mean\", \"simulated_total_ns\": 1e6, "
    "\"rule_share\": 0.99,\n    "
    "\"kernel_count\": 100, \"distinct_kernels\": 50, \"unknown_loops\": 0, \"by_class\": "
    "{\"matmul/conv\": {\"kernels\": 9,\n    \"executions\": 9, \"time_ns\": 1e5, \"share\": "
    "0.1}}, \"busy_ns\": {\"MXU\": 1e5, ...}, \"parts_ns\": {\"HBM traffic\": 1e5, ...}, "
    "\"roofline\": {\"matrix_flops_per_s\": 6e13, ...},\n    \"fallbacks\": [{\"opcode\": "
    "\"sort\", \"kernels\": 1, \"time_ns\": 10}],\n    "
    "\"assumed\": [{\"kind\": \"collective\", \"kernels\": 1, \"time_ns\": 1e3}], \"kernels\": "
    "[{\"kernel\": \"fusion.1\", ...}]}]\n"
    "Example: hloscope-cli simulate samples/tpu_v3_tiles.pb#1 --tile out=1x1x1x1 --json\n"
    "  [{\"file\": \"...\", \"kernel\": \"...\", \"tile\": \"out=...\", \"time_ns\": 1e4, "
    "\"iterations\": 12, \"launch_ns\": 200,\n    \"bottleneck\": \"MXU\", \"busy_ns\": {\"MXU\": "
    "1e4}, \"first_iterations\": [{\"start_ns\": 0, ...}], ...}]\n"
    "Example: hloscope-cli simulate samples/tpu_v3_tiles.pb --all-tiles --json\n"
    "  [{\"file\": \"...\", \"kernel\": \"...\", \"tile_count\": 900, \"default_tile\": \"...\", "
    "\"tiles\": [{\"tile\": \"out=...\",\n    \"time_ns\": 1e4, \"iterations\": 12, "
    "\"footprint_bytes\": 1e6, \"bottleneck\": \"MXU\", \"measured_ns\": null}]}]";

// Options that do not go together, in words; empty when all is well.
std::string conflict(const SimulateOptions& options) {
  const bool one_kernel = !options.kernel.empty() || !options.tile.empty() || options.all_tiles;
  if (options.all_tiles && !options.tile.empty())
    return "--tile and --all-tiles exclude each other";
  if (options.all_tiles && !options.trace.empty()) return "--trace shows one tile, not --all-tiles";
  if (options.sample > 0 && !options.all_tiles) return "--sample goes with --all-tiles";
  if (one_kernel && !options.db.empty()) {
    return "--db stores whole programs: leave out --kernel, --tile and --all-tiles";
  }
  if (options.baseline.is_asked_for() && (one_kernel || options.branches == "max")) {
    return "--baseline and --baseline-run are of whole programs with the mean of branches: leave "
           "out --kernel, --tile, --all-tiles and --branches max";
  }
  if (!options.db.empty() && options.branches == "max") {
    return "--db stores the mean of branches: leave out --branches max";
  }
  return {};
}

// Without the number of the module.
std::vector<std::string> files_of(const InputOptions& options) {
  std::vector<std::string> files;
  for (const std::string& address : options.files)
    files.push_back(hlo::parse_address(address).path);
  return files;
}

void run_simulate(const SimulateOptions& options, int& exit_code) {
  const std::string wrong = conflict(options);
  if (!wrong.empty()) {
    Error error;
    error.code = ErrorCode::kInvalidInput;
    error.message = wrong;
    error.hint = "hloscope-cli simulate --help";
    print_error(error);
    exit_code = kUsage;
  } else if (const Status ok = check_output(options.trace, files_of(options)); !ok) {
    print_error(ok.error());
    exit_code = kBadInput;
  } else if (options.all_tiles) {
    simulate_tiles(options, exit_code);
  } else if (!options.kernel.empty() || !options.tile.empty()) {
    simulate_kernels(options, exit_code);
  } else {
    simulate_programs(options, exit_code);
  }
}

void add_options(CLI::App& command, SimulateOptions& options) {
  const CLI::Range at_least_one(int64_t{1}, int64_t{1} << 31);
  add_file_options(command, options);
  add_machine_option(command, options);
  add_raw_option(command, options);
  command.add_option("--kernel", options.kernel, "only this kernel: NAME or COMPUTATION/NAME");
  command.add_option("--tile", options.tile, "with this tile, e.g. out=12x4x4x3,kernel=3x1x24x3");
  command.add_flag("--all-tiles", options.all_tiles, "every tile of the kernel that fits, by time");
  command.add_option("--sample", options.sample, "of --all-tiles: N random ones")
      ->check(at_least_one);
  command.add_option("--seed", options.seed, "of --sample")->capture_default_str();
  command
      .add_option("--limit", options.limit,
                  "rows (default: 50 in text, of a program 20; all in CSV and JSON)")
      ->check(at_least_one);
  command.add_option("--iterations", options.iterations, "rows of the table of iterations")
      ->check(CLI::Range(int64_t{0}, int64_t{100000}))
      ->capture_default_str();
  command
      .add_option("--branches", options.branches,
                  "conditionals take the mean of their branches or the largest")
      ->check(CLI::IsMember({"mean", "max"}))
      ->capture_default_str();
  command.add_option("--trace", options.trace, "write a Chrome trace to this file");
  auto* db =
      command.add_option("--db", options.db, "also store program and times in this database");
  add_baseline_options(command, options.baseline, db);
}

}  // namespace

void write_trace(const std::string& path, const sim::Machine& machine,
                 const std::vector<sim::TraceProcess>& processes, int& exit_code) {
  if (path.empty()) return;
  if (const Status status = write_file(path, sim::chrome_trace(machine, processes)); !status) {
    print_error(status.error());
    exit_code = kBadInput;
    return;
  }
  std::cerr << fmt::format("wrote {}\n", path);
}

void add_simulate_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command =
      app.add_subcommand("simulate", "simulated time of programs, kernels and tiles");
  add_options(*command, *options);
  command->footer(kSimulateFooter);
  command->callback([options, &exit_code] { run_simulate(*options, exit_code); });
}

}  // namespace hloscope::cli
