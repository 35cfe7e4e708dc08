#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "app/cli/whole_number.h"
#include "core/base/write_file.h"
#include "db/generation_order.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct GenerateOptions {
  std::vector<std::string> paths;
  std::string output;
  std::string name;
  std::string task = "fusion";
  std::string machine = "tpu_v3";
  std::optional<int64_t> configurations;
  int64_t tiles = 100;
  double noise = 0;
  int64_t repeats = 3;
  uint64_t seed = 1;
  std::optional<int64_t> kernels;
  std::string shard;
  size_t threads = 0;
  bool force = false;
  bool json = false;
};

Status read_shard(const GenerateOptions& options, data::DataSetInfo& info) {
  if (options.shard.empty()) return {};
  static const std::regex kForm("([0-9]{1,6})/([0-9]{1,6})");
  std::smatch match;
  if (std::regex_match(options.shard, match, kForm)) {
    info.shard_index = static_cast<uint32_t>(std::stoul(match[1]));
    info.shard_count = static_cast<uint32_t>(std::stoul(match[2]));
    if (info.shard_index < info.shard_count) return {};
  }
  return fail(ErrorCode::kInvalidInput,
              fmt::format("--shard {} is no shard: i/n with i from 0 to n - 1", options.shard),
              "the four shards of a work in four parts are 0/4, 1/4, 2/4 and 3/4");
}

// Folders hold all sorts of files, so those that are no HLO get one line together.
void say_left_out(const db::PlannedGeneration& list) {
  if (list.unreadable.empty() && list.repeated.empty()) return;
  clear_terminal_progress();
  std::string names;
  for (const Error& error : list.unreadable) {
    names += (names.empty() ? "" : ", ") + std::filesystem::path(error.file).filename().string();
  }
  if (!names.empty()) {
    std::fprintf(stderr, "left out, as no HLO: %s (`check` says why)\n", names.c_str());
  }
  for (const std::string& path : list.repeated) {
    std::fprintf(stderr, "left out: %s: the same program as another file\n", path.c_str());
  }
}

Result<db::Generation> generation_of(const GenerateOptions& options, const Progress& progress) {
  db::GenerationOrder order;
  order.paths = options.paths;
  order.output = options.output;
  order.name = options.name;
  order.task = *data::find_task(options.task);
  order.machine = options.machine;
  order.configurations = options.configurations;
  order.tiles = options.tiles;
  order.noise = options.noise;
  order.repeats = options.repeats;
  order.seed = options.seed;
  order.kernels = options.kernels;
  HLOSCOPE_ASSIGN(db::PlannedGeneration planned, db::plan_generation(order, progress));
  say_left_out(planned);
  db::Generation out = std::move(planned.generation);
  HLOSCOPE_TRY(read_shard(options, out.info));
  if (out.info.shard_count > 1 && out.graph_limit) {
    return fail(ErrorCode::kInvalidInput, "--kernels does not go with --shard",
                "a shard does not know what the others find: say --configurations");
  }
  return out;
}

Status check_target(const GenerateOptions& options) {
  // CLI::Range() lets it pass.
  if (std::isnan(options.noise)) {
    return fail(ErrorCode::kInvalidInput, "--noise nan is no fraction", "write 0.02 for 2 %");
  }
  HLOSCOPE_TRY(check_output(options.output, options.paths));
  return check_new_file(options.output, options.force);
}

void print_summary(const GenerateOptions& options, const db::Generation& generation,
                   const db::DataSetCounts& counts) {
  if (options.json) {
    const ordered_json out = {{"file", options.output},
                              {"task", options.task},
                              {"target", generation.info.target.label()},
                              {"programs", generation.programs.size()},
                              {"configurations", counts.units},
                              {"kernels_met", counts.kernels},
                              {"kernels", counts.graphs},
                              {"repeated", counts.repeated_share()},
                              {"samples", counts.samples}};
    fmt::print("{}\n", json_text(out));
    return;
  }
  fmt::print("{}: {}\n", options.output, generation.info.target.label());
  fmt::print("{}, {}, {} met (distinct in each)\n",
             counted(std::ssize(generation.programs), "program", "programs"),
             counted(counts.units, "fusion configuration", "fusion configurations"),
             counted(counts.kernels, "kernel", "kernels"));
  fmt::print("{} ({} were met before), {}\n",
             counted(counts.graphs, "distinct kernel", "distinct kernels"),
             percent(counts.repeated_share()), counted(counts.samples, "sample", "samples"));
}

Status generate(const GenerateOptions& options) {
  HLOSCOPE_TRY(check_target(options));
  const Interrupt interrupt;
  const Progress progress = terminal_progress(interrupt.token());
  HLOSCOPE_ASSIGN(const db::Generation generation, generation_of(options, progress.part(0, 0.02)));
  ThreadPool pool(options.threads);
  auto counts = db::generate_data_set(generation, options.output, pool, progress.part(0.02, 1));
  if (!counts && counts.error().code == ErrorCode::kCancelled) {
    return fail(ErrorCode::kCancelled, "stopped",
                fmt::format("what is done stands in {}: give the same command to go on",
                            db::part_path(options.output).string()));
  }
  HLOSCOPE_TRY(counts);
  progress.report(1, "");
  print_summary(options, generation, *counts);
  return {};
}

void add_amounts(CLI::App& command, GenerateOptions& options) {
  command
      .add_option("--configurations", options.configurations,
                  "fusion configurations per family of programs: the default fusion and random "
                  "ones [100 for task fusion, 1 for task tile]")
      ->check(CLI::Range(int64_t{1}, int64_t{100'000'000}));
  command.add_option("--kernels", options.kernels, "stop after so many distinct kernels")
      ->check(above_zero());
  command.add_option("--tiles", options.tiles, "task tile: at most so many tiles per kernel")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000}))
      ->capture_default_str();
  command
      .add_option("--noise", options.noise,
                  "run-to-run noise of simulated times, as a fraction (0.02: 2 %)")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--repeats", options.repeats, "with noise: a time is the least of so many")
      ->check(CLI::Range(int64_t{1}, int64_t{1000}))
      ->capture_default_str();
  command.add_option("--seed", options.seed, "of every random choice")->capture_default_str();
}

}  // namespace

void add_dataset_generate(CLI::App& dataset, int& exit_code) {
  const auto options = std::make_shared<GenerateOptions>();
  CLI::App& command = *dataset.add_subcommand(
      "generate", "simulated times of the kernels of programs, under many fusion configurations");
  command.add_option("PROGRAM", options->paths, "HLO files, FILE#N, or folders of them")
      ->required();
  command.add_option("-o,--output", options->output, "the data set file to make")->required();
  command.add_option("--name", options->name, "of the data set [that of the file]");
  command
      .add_option("--task", options->task,
                  "fusion: one time per kernel; tile: times of many tiles per kernel")
      ->check(CLI::IsMember({"fusion", "tile"}))
      ->capture_default_str();
  command
      .add_option("--machine", options->machine, "machine id (tpu_v2 .. tpu_v6e) or machine file")
      ->capture_default_str();
  add_amounts(command, *options);
  command.add_option("--shard", options->shard, "i/n: only this part of the work; see merge");
  command.add_option("--threads", options->threads, "0: all; the result is the same")
      ->check(CLI::Range(size_t{0}, ThreadPool::kMaxThreads))
      ->capture_default_str();
  command.add_flag("--force", options->force, "replace the file");
  command.add_flag("--json", options->json, "print the summary as JSON");
  command.footer(
      "Ended by Ctrl-C, kill or a crash, the same command goes on where it was: what is done "
      "stands "
      "in FILE.part.\nExample: hloscope-cli dataset generate samples -o kernels.hloscope "
      "--configurations 20 --noise 0.02");
  command.callback([options, &exit_code] { settle(generate(*options), exit_code); });
}

}  // namespace hloscope::cli
