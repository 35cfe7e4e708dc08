#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/bench.h"
#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/text_table.h"
#include "core/tune/problem.h"
#include "core/tune/strategy.h"

namespace hloscope::cli {

namespace {

struct TuneBenchOptions {
  std::string file;
  std::string evaluator = "model";
  std::vector<std::string> models;
  std::string machine = "tpu_v3";
  uint64_t trials = 10'000;
  uint64_t seed = 1;
  bool json = false;
};

struct TuneSpeed {
  std::string evaluator;      ///< Its kind.
  std::string source;         ///< As Evaluator::source().
  size_t edges = 0;           ///< Of the program.
  size_t configurations = 0;  ///< Distinct ones that were timed.
  double seconds = 0;
  double cpu_seconds = 0;  ///< Less than `seconds` where others use the processor too.
  double default_ns = 0;
  double best_ns = 0;

  double configs_per_s() const { return static_cast<double>(configurations) / seconds; }
};

Result<tune::Settings> bench_settings(const TuneBenchOptions& options) {
  tune::Settings settings;
  settings.space = tune::SpaceKind::kFusion;
  settings.machine = options.machine;
  settings.strategy.seed = options.seed;
  settings.strategy.temperature = 0.001;
  HLOSCOPE_ASSIGN(settings.search.kind, tune::parse_evaluator(options.evaluator));
  settings.search.models = options.models;
  settings.budget.trials = options.trials;
  return settings;
}

// As run_session() goes, but that nothing is stored.
Status search(tune::Problem& problem, const tune::Settings& settings, TuneSpeed& speed) {
  tune::TrialMemory memory;
  const auto strategy = tune::make_strategy(settings.strategy, *problem.space, memory);
  while (memory.size() < *settings.budget.trials) {
    std::optional<tune::Config> config = strategy->ask();
    if (!config) break;
    HLOSCOPE_ASSIGN(const std::vector<tune::Evaluation> found,
                    problem.search->evaluate({&*config, 1}, {}));
    tune::Trial trial;
    trial.number = memory.size();
    trial.config = std::move(*config);
    trial.predicted_ns = found.front().time_ns;
    trial.error = found.front().error;
    memory.add(trial);
    strategy->tell(trial);
    if (!trial.predicted_ns) continue;
    if (trial.number == 0) speed.default_ns = *trial.predicted_ns;
    if (speed.best_ns == 0 || *trial.predicted_ns < speed.best_ns) {
      speed.best_ns = *trial.predicted_ns;
    }
  }
  speed.configurations = memory.size();
  return {};
}

Result<TuneSpeed> measure(const TuneBenchOptions& options) {
  HLOSCOPE_ASSIGN(const tune::Settings settings, bench_settings(options));
  HLOSCOPE_ASSIGN(const LoadedFile file, load(options.file));
  HLOSCOPE_ASSIGN(tune::Problem problem,
                  tune::make_problem(file.file.modules.front().program, settings));
  TuneSpeed speed;
  speed.evaluator = options.evaluator;
  speed.source = problem.search->source();
  speed.edges = problem.space->dimensions();
  Status status;
  const std::clock_t begin = std::clock();
  speed.seconds = seconds_of([&] { status = search(problem, settings, speed); });
  speed.cpu_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  HLOSCOPE_TRY(status);
  return speed;
}

void print(const TuneSpeed& speed, bool as_json) {
  if (!as_json) {
    std::cout << fmt::format(
        "{} configurations a second: {} in {:.2f} s ({:.2f} s of CPU) on 1 thread, {}\n"
        "default {:.4g} ms, best found {:.4g} ms\n",
        grouped(std::round(speed.configs_per_s())),
        grouped(static_cast<double>(speed.configurations)), speed.seconds, speed.cpu_seconds,
        speed.source, speed.default_ns / 1e6, speed.best_ns / 1e6);
    return;
  }
  const nlohmann::ordered_json out = {{"configs_per_s", speed.configs_per_s()},
                                      {"configurations", speed.configurations},
                                      {"seconds", speed.seconds},
                                      {"cpu_seconds", speed.cpu_seconds},
                                      {"evaluator", speed.evaluator},
                                      {"model", speed.source},
                                      {"threads", 1},
                                      {"space", "fusion"},
                                      {"strategy", "annealing"},
                                      {"edges", speed.edges},
                                      {"default_ns", speed.default_ns},
                                      {"best_ns", speed.best_ns}};
  std::cout << json_text(out) << "\n";
}

void run_bench_tune(const TuneBenchOptions& options, int& exit_code) {
  const Result<TuneSpeed> speed = measure(options);
  if (!speed) {
    print_error(speed.error());
    exit_code = kBadInput;
    return;
  }
  print(*speed, options.json);
}

}  // namespace

void add_bench_tune(CLI::App& bench, int& exit_code) {
  auto options = std::make_shared<TuneBenchOptions>();
  CLI::App* tune = bench.add_subcommand("tune", "speed of a search over the fusions of a program");
  tune->add_option("FILE", options->file, "a program before optimisation, or FILE#N")->required();
  tune->add_option("--evaluator", options->evaluator, "model, analytical or simulator")
      ->check(CLI::IsMember({"model", "analytical", "simulator"}))
      ->capture_default_str();
  tune->add_option("--models", options->models, "name of a built-in model, or .safetensors files");
  tune->add_option("--machine", options->machine, "name or file of a machine")
      ->capture_default_str();
  tune->add_option("--trials", options->trials, "configurations")
      ->check(CLI::Range(uint64_t{1}, uint64_t{10'000'000}))
      ->capture_default_str();
  tune->add_option("--seed", options->seed, "of the search")->capture_default_str();
  tune->add_flag("--json", options->json, "write JSON");
  tune->footer(
      "Simulated annealing from the default fusion, every configuration another one, no kernel "
      "known before; one thread,\nnothing stored. What is needed once (clean-up, the default "
      "fusion) does not count.\n"
      "Example: hloscope-cli bench tune samples/resnet50_train.before_optimizations.txt --json\n"
      "  {\"configs_per_s\": 2400.0, \"configurations\": 2000, \"seconds\": 0.83, \"evaluator\": "
      "\"model\",\n   \"model\": \"predicted (tpu_v3_fusion_fast@...)\", \"threads\": 1, ...}");
  tune->callback([options, &exit_code] { run_bench_tune(*options, exit_code); });
}

}  // namespace hloscope::cli
