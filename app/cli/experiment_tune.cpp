#include "app/cli/experiment_tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <mutex>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "app/cli/tune_experiment_rows.h"
#include "app/cli/whole_number.h"
#include "core/base/thread_pool.h"
#include "core/base/write_file.h"
#include "db/new_session.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct Arguments {
  std::vector<std::string> files;
  std::vector<std::string> recorded;
  tune::ExperimentOptions options;
  std::string curves;
  size_t threads = 0;
  bool json = false;
};

struct NamedProgram {
  std::string name;
  hlo::ProgramPtr program;
};

Result<std::vector<NamedProgram>> read_programs(const std::vector<std::string>& files) {
  std::vector<NamedProgram> out;
  for (const std::string& file : files) {
    HLOSCOPE_ASSIGN(const hlo::Module module, db::read_module(file));
    out.push_back({std::string(module.program->name()), module.program});
  }
  return out;
}

// Each program on a thread of its own: what comes out does not depend on their number.
Result<std::vector<tune::ProgramOutcome>> run_programs(const Arguments& arguments,
                                                       const std::vector<NamedProgram>& programs,
                                                       std::stop_token stop) {
  ThreadPool pool(arguments.threads);
  const Progress shown = terminal_progress(stop);
  std::vector<Result<tune::ProgramOutcome>> results(programs.size());
  std::vector<double> shares(programs.size(), 0);
  std::mutex mutex;
  pool.parallel_for(programs.size(), [&](size_t i) {
    const Progress progress(stop, [&, i](double share, std::string_view what) {
      const std::scoped_lock lock(mutex);
      shares[i] = share;
      double all = 0;
      for (const double one : shares) all += one;
      shown.report(all / static_cast<double>(shares.size()), what);
    });
    results[i] =
        tune::run_experiment(programs[i].name, programs[i].program, arguments.options, progress);
  });
  std::vector<tune::ProgramOutcome> out;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) {
      Error error = std::move(results[i]).error();
      if (error.code != ErrorCode::kCancelled)
        error.message = programs[i].name + ": " + error.message;
      return fail(std::move(error));
    }
    out.push_back(std::move(*results[i]));
  }
  return out;
}

std::vector<tune::EvaluatorSettings> rankers(const Arguments& arguments) {
  return {{tune::EvaluatorKind::kModel, arguments.options.models, 0, 1},
          {tune::EvaluatorKind::kAnalytical, {}, 0, 1},
          {tune::EvaluatorKind::kSimulator, {}, 0, 1}};
}

// Every module with more than one measured tile.
Result<std::vector<tune::RecordedOutcome>> run_recorded(const Arguments& arguments,
                                                        std::stop_token stop) {
  std::vector<tune::RecordedOutcome> out;
  for (const std::string& address : arguments.recorded) {
    HLOSCOPE_ASSIGN(const LoadedFile loaded, load(address));
    for (size_t i = 0; i < loaded.file.modules.size(); ++i) {
      const hlo::Module& module = loaded.file.modules[i];
      const tune::Recorded recorded = db::recorded_runs(module, address);
      if (recorded.runs.size() < 2) continue;
      HLOSCOPE_ASSIGN(const std::string kernel, db::only_kernel(module.program));
      auto outcome = tune::run_recorded(module.program, kernel, recorded, rankers(arguments),
                                        arguments.options.machine, terminal_progress(stop));
      if (!outcome) return fail(std::move(outcome).error());
      if (outcome->orders.front().times_ns.size() > 1) out.push_back(std::move(*outcome));
    }
  }
  return out;
}

void print_programs(const Arguments& arguments, const std::vector<tune::ProgramOutcome>& outcomes) {
  if (outcomes.empty()) return;
  const tune::ExperimentOptions& options = arguments.options;
  std::cout << fmt::format(
      "{}: model first is {} trials by {}, then its best {} are run and, while hardware time is "
      "left,\nmore around the best of them; hardware only searches by annealing on the hardware "
      "itself. {} stands for the hardware: each "
      "configuration costs {:g} s to\ncompile and {} runs. {} of each; gain: hardware only / model "
      "first - 1, mean ± standard deviation\nover seeds; p: Wilcoxon signed-rank; above best: "
      "model first against the best that any run found.\n\n",
      tune::name(options.space), options.model_trials, outcomes.front().guided_by, options.top_k,
      outcomes.front().hardware, options.compile_s, options.repeats,
      counted(static_cast<int64_t>(options.seeds), "seed", "seeds"));
  if (options.space == tune::SpaceKind::kProgramTiles) {
    std::cout << fmt::format("Default: the tiles that {}.\n\n",
                             options.default_tiles == tune::DefaultTiles::kAnalytical
                                 ? "the analytical model chooses, as a compiler does"
                                 : "the simulator itself runs fastest of a few");
  }
  std::cout << experiment_table(outcomes, options).text() << "\nOver the programs:\n"
            << experiment_means(outcomes, options).text();
}

void print_recorded(const std::vector<tune::RecordedOutcome>& outcomes) {
  if (outcomes.empty()) return;
  std::cout << fmt::format(
      "Recorded runs ({}): slowdown of the best tile found against the best of all, after so many "
      "measurements\n\n{}\n",
      outcomes.front().device, recorded_table(outcomes).text());
}

Status run_experiment_tune(const Arguments& arguments) {
  const Interrupt interrupt;
  HLOSCOPE_ASSIGN(const std::vector<NamedProgram> programs, read_programs(arguments.files));
  HLOSCOPE_ASSIGN(const std::vector<tune::RecordedOutcome> recorded,
                  run_recorded(arguments, interrupt.token()));
  HLOSCOPE_ASSIGN(const std::vector<tune::ProgramOutcome> outcomes,
                  run_programs(arguments, programs, interrupt.token()));
  clear_terminal_progress();
  if (!arguments.curves.empty()) HLOSCOPE_TRY(write_file(arguments.curves, curves_csv(outcomes)));
  if (arguments.json) {
    ordered_json json = experiment_json(outcomes, arguments.options);
    if (!arguments.recorded.empty()) json["recorded"] = recorded_json(recorded);
    std::cout << json_text(json) << "\n";
    return {};
  }
  print_recorded(recorded);
  print_programs(arguments, outcomes);
  return {};
}

void add_options(CLI::App& command, Arguments& arguments) {
  tune::ExperimentOptions& options = arguments.options;
  command.add_option("files", arguments.files, "programs that are not optimised: FILE or FILE#N")
      ->type_name("FILE");
  command.add_option("--machine", options.machine, "simulated")->capture_default_str();
  command.add_option("--models", options.models, "learned model [the built-in one]");
  command.add_option("--hardware", options.hardware_s, "budgets of hardware time, in seconds")
      ->check(above_zero())
      ->capture_default_str();
  command.add_option("--model-trials", options.model_trials, "of the search before the hardware")
      ->check(above_zero())
      ->capture_default_str();
  command
      .add_option("--top", options.top_k,
                  "of the model's best are run; the hardware time that is left refines the best")
      ->check(above_zero())
      ->capture_default_str();
  command.add_option("--seeds", options.seeds)
      ->check(CLI::Range(uint64_t{1}, uint64_t{200}))
      ->capture_default_str();
  command
      .add_option("--temperature", options.temperature,
                  "of annealing, with the model and on the hardware [0.0001]")
      ->check(above_zero());
  command.add_option("--compile-s", options.compile_s, "hardware time of each configuration")
      ->check(above_zero())
      ->capture_default_str();
  command.add_option("--repeats", options.repeats, "runs of each configuration")
      ->check(above_zero())
      ->capture_default_str();
  command.add_option("--curves", arguments.curves, "CSV file: every run's best so far");
  command.add_option("--threads", arguments.threads, "0: all; they do not change the result")
      ->check(CLI::Range(size_t{0}, ThreadPool::kMaxThreads))
      ->capture_default_str();
  command.add_flag("--json", arguments.json, "JSON instead of text");
}

void start(const std::shared_ptr<Arguments>& arguments, int& exit_code) {
  std::sort(arguments->options.hardware_s.begin(), arguments->options.hardware_s.end());
  settle(run_experiment_tune(*arguments), exit_code);
}

void add_fusion(CLI::App& experiment, int& exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *experiment.add_subcommand(
      "fusion-autotune", "fusion searched with a model and then hardware, against hardware only");
  add_options(command, *arguments);
  command.get_option("files")->required();
  command.footer(
      "The autotuner experiment of the paper (MLSys 2021, section 6), the simulator in the place "
      "of "
      "the hardware.\nAnnealing from the default fusion and from a random one; the same hardware "
      "time for both sides.\n"
      "Example: hloscope-cli experiment fusion-autotune a.hlo b.hlo --seeds 20 --curves curves.csv "
      "--json\n"
      "  {\"space\": \"fusion\", \"seeds\": 20, \"programs\": [{\"program\": \"a\", \"rows\": "
      "[{\"start\": \"default\",\n   \"hardware_s\": 60, \"gain\": {\"mean\": 0.02, \"spread\": "
      "0.004}, \"p\": 0.0001, ...}, ...]}],\n   \"means\": [{\"start\": \"default\", "
      "\"hardware_s\": 60, \"gain\": {...}, \"programs_better\": 5, ...}]}");
  command.callback([arguments, &exit_code] { start(arguments, exit_code); });
}

void add_tiles(CLI::App& experiment, int& exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  arguments->options.space = tune::SpaceKind::kProgramTiles;
  CLI::App& command = *experiment.add_subcommand(
      "tile-autotune", "tiles chosen with a model and then measured, against measuring only");
  add_options(command, *arguments);
  command
      .add_option("--recorded", arguments->recorded,
                  "tuning files with measured tiles: each model ranks them, the best are measured")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--default-tiles",
          [arguments](const std::string& text) {
            arguments->options.default_tiles = *tune::parse_default_tiles(text);
          },
          "the default configuration: what the analytical model chooses, as a compiler does, or "
          "what the simulator runs fastest of a few [analytical]")
      ->check(CLI::IsMember({"simulated", "analytical"}));
  command.footer(
      "Measured tiles of a file are replayed in the order that each model gives, beside random "
      "draws; programs are\nsearched with the simulator in the place of the hardware, tiles of "
      "all their kernels at once.\n"
      "Example: hloscope-cli experiment tile-autotune --recorded tpu_v3_tiles.pb --json\n"
      "  {\"space\": \"program-tiles\", \"programs\": [], \"recorded\": [{\"kernel\": "
      "\"fusion.191\", \"tiles\": 579,\n   \"best_ns\": 137300.0, \"orders\": [{\"order\": "
      "\"predicted (tpu_v3_tile@4f1c09ab)\", \"top_1_slowdown\": 0.005,\n   "
      "\"measurements_to_1_percent\": 1, ...}, ...]}]}");
  command.callback([arguments, &exit_code] { start(arguments, exit_code); });
}

}  // namespace

void add_tune_experiments(CLI::App& experiment, int& exit_code) {
  add_fusion(experiment, exit_code);
  add_tiles(experiment, exit_code);
}

}  // namespace hloscope::cli
