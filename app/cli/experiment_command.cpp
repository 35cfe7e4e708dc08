#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/ablation_file.h"
#include "app/cli/ablation_table.h"
#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/experiment_tune.h"
#include "app/cli/json_text.h"
#include "app/cli/learned_models.h"
#include "app/cli/printable.h"
#include "app/cli/terminal.h"
#include "app/cli/whole_number.h"
#include "core/base/write_file.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct AblationArguments {
  db::ExampleChoice source;
  std::vector<std::string> bases;
  std::string part = "test";
  std::string output;
  uint64_t steps = 1000;
  uint64_t seeds = 3;
  size_t threads = 0;
  bool json = false;

  [[nodiscard]] predict::TrainOptions training(const predict::ModelOptions& model,
                                               uint64_t seed) const {
    predict::TrainOptions out;
    out.model = model;
    out.seed = seed;
    out.steps = steps;
    out.patience = 0;  // All variants have the same number of steps.
    return out;
  }
};

std::string label(const predict::AblationVariant& variant) {
  return variant.option.empty() ? "base" : variant.option + " " + variant.value;
}

/// Trains what is not in the file yet, a seed after the other.
class Runner {
 public:
  Runner(const AblationArguments& arguments, const predict::ExampleSet& set, ThreadPool& pool,
         std::stop_token stop)
      : arguments_(arguments),
        set_(set),
        hash_(set.hash().hex()),
        pool_(pool),
        stop_(stop),
        shown_(terminal_progress(stop)) {}

  Status run(AblationFile& file, std::vector<BaseResult>& results) {
    size_t variants = 0;
    for (const BaseResult& result : results) variants += result.variants.size();
    count_ = variants * arguments_.seeds;
    for (uint64_t seed = 1; seed <= arguments_.seeds; ++seed) {
      for (BaseResult& result : results) {
        for (VariantResult& one : result.variants) {
          HLOSCOPE_TRY(run_one(file, key(result.base, one.variant, seed), seed, one));
          ++done_;
        }
      }
    }
    return {};
  }

 private:
  // By position in AblationFile::key_columns().
  [[nodiscard]] std::vector<std::string> key(predict::AblationBase base,
                                             const predict::AblationVariant& variant,
                                             uint64_t seed) const {
    return {hash_,
            set_.label(),
            set_.machine,
            set_.split,
            arguments_.part,
            std::string(predict::name(base)),
            variant.option,
            variant.value,
            fmt::format("{}", seed),
            fmt::format("{}", arguments_.steps),
            predict::to_json(variant.model)};
  }

  Status run_one(AblationFile& file, const std::vector<std::string>& key, uint64_t seed,
                 VariantResult& one) {
    if (const predict::AblationRun* known = file.find(key)) {
      one.runs.push_back(*known);
      return {};
    }
    HLOSCOPE_ASSIGN(const predict::AblationRun run,
                    predict::run_ablation(set_, *data::find_part(arguments_.part),
                                          arguments_.training(one.variant.model, seed), pool_,
                                          progress(label(one.variant))));
    one.runs.push_back(run);
    print_done(one, seed);
    return file.add({key, run});
  }

  [[nodiscard]] Progress progress(std::string what) const {
    const auto part = [this](double fraction) {
      return (static_cast<double>(done_) + fraction) / static_cast<double>(count_);
    };
    return Progress(stop_,
                    [this, part, what = std::move(what)](double fraction, std::string_view step) {
                      shown_.report(part(fraction), fmt::format("{}: {}", what, step));
                    });
  }

  void print_done(const VariantResult& one, uint64_t seed) const {
    if (arguments_.json) return;
    clear_terminal_progress();
    std::string metrics;
    const auto titles = predict::ablation_metrics(set_.info.task);
    for (size_t i = 0; i < titles.size(); ++i) {
      const auto& value = one.runs.back().metrics[i];
      metrics +=
          fmt::format("  {} {}", titles[i].name, value ? fmt::format("{:.4f}", *value) : "-");
    }
    std::cout << fmt::format("{} of {}: {}, seed {}:{}, {:.0f} s\n", done_ + 1, count_,
                             label(one.variant), seed, metrics, one.runs.back().train_s)
              << std::flush;
  }

  const AblationArguments& arguments_;
  const predict::ExampleSet& set_;
  std::string hash_;
  ThreadPool& pool_;
  std::stop_token stop_;
  Progress shown_;
  size_t done_ = 0;
  size_t count_ = 1;
};

std::string base_text(predict::AblationBase base) {
  return fmt::format("sage-columnwise, {}", base == predict::AblationBase::kResidual
                                                ? "which corrects the analytical model"
                                                : "without the analytical model");
}

void print(const AblationArguments& arguments, const predict::ExampleSet& set,
           const std::vector<BaseResult>& results) {
  clear_terminal_progress();
  for (const BaseResult& result : results) {
    std::cout << printable_lines(fmt::format(
        "\n{}: {} times, split '{}', part {}, {} kernels; {} steps, {}\nbase: {}\n",
        arguments.source.file, set.label(), set.split, arguments.part,
        set.of(*data::find_part(arguments.part)).size(), arguments.steps,
        counted(static_cast<int64_t>(arguments.seeds), "seed", "seeds"), base_text(result.base)));
    std::cout << ablation_table(result, set.info.task).text();
  }
  std::cout << (arguments.seeds > 1 ? "mean ± standard deviation over the seeds; " : "")
            << "change: to the base, of the means\n";
}

ordered_json json_of(const AblationArguments& arguments, const predict::ExampleSet& set,
                     const std::vector<BaseResult>& results) {
  auto tables = ordered_json::array();
  for (const BaseResult& result : results)
    tables.push_back(base_result_json(result, set.info.task));
  return {{"file", arguments.source.file},
          {"task", data::name(set.info.task)},
          {"target", set.label()},
          {"target_kind", data::name(set.info.target.kind)},
          {"split", set.split},
          {"part", arguments.part},
          {"kernels", set.of(*data::find_part(arguments.part)).size()},
          {"steps", arguments.steps},
          {"seeds", arguments.seeds},
          {"tables", std::move(tables)}};
}

Result<std::vector<BaseResult>> variants_of(const AblationArguments& arguments,
                                            const predict::ExampleSet& set) {
  std::vector<BaseResult> out;
  for (const std::string& name : arguments.bases) {
    const predict::AblationBase base = *predict::find_ablation_base(name);
    HLOSCOPE_ASSIGN(auto variants, predict::ablation_variants(set.info.task, base));
    BaseResult result{base, {}};
    for (auto& variant : variants) {
      const bool uses_estimates = variant.model.analytical != predict::Analytical::kOff;
      if (uses_estimates && !set.has_estimates()) continue;
      result.variants.push_back({std::move(variant), {}});
    }
    out.push_back(std::move(result));
  }
  return out;
}

Status check_set(const AblationArguments& arguments, const predict::ExampleSet& set) {
  if (set.of(*data::find_part(arguments.part)).empty()) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("part {} of split '{}' has no kernel with times", arguments.part, set.split),
        "choose another --part or --split");
  }
  const bool corrects = std::ranges::find(arguments.bases, "residual") != arguments.bases.end();
  if (corrects && set.info.task != data::Task::kLayout && !set.has_estimates()) {
    return fail(ErrorCode::kInvalidInput,
                "the analytical model knows nothing of these kernels: they have features only",
                "give --base off");
  }
  return {};
}

Status run_ablations(const AblationArguments& arguments) {
  const std::vector<std::string> inputs{arguments.source.file};
  if (!arguments.output.empty()) HLOSCOPE_TRY(check_output(arguments.output, inputs));
  const Interrupt interrupt;
  ThreadPool pool(arguments.threads);
  HLOSCOPE_ASSIGN(const predict::ExampleSet set,
                  db::read_examples(arguments.source, pool, terminal_progress(interrupt.token())));
  HLOSCOPE_TRY(check_set(arguments, set));
  HLOSCOPE_ASSIGN(std::vector<BaseResult> results, variants_of(arguments, set));
  HLOSCOPE_ASSIGN(AblationFile file, AblationFile::open(arguments.output, set.info.task));
  Status done = Runner(arguments, set, pool, interrupt.token()).run(file, results);
  if (!done) {
    Error error = std::move(done).error();
    if (error.code == ErrorCode::kCancelled && !arguments.output.empty()) {
      error.hint = fmt::format("{} keeps what is done: the same command goes on", arguments.output);
    }
    return fail(std::move(error));
  }
  if (arguments.json) {
    clear_terminal_progress();
    std::cout << json_text(json_of(arguments, set, results)) << "\n";
  } else {
    print(arguments, set, results);
  }
  return {};
}

void add_options(CLI::App& command, AblationArguments& arguments) {
  add_source_options(command, arguments.source);
  command
      .add_option("--base", arguments.bases,
                  "residual: it corrects the analytical model, as built-in models do; off: it "
                  "knows nothing of it, as in the paper; both may be given [residual]")
      ->check(CLI::IsMember({"residual", "off"}));
  command.add_option("-o,--output", arguments.output,
                     "CSV file of all trainings; those that are in it are not done again");
  command.add_option("--part", arguments.part, "of the split, to measure on")
      ->check(CLI::IsMember({"train", "valid", "test"}))
      ->capture_default_str();
  command.add_option("--machine", arguments.source.machine,
                     "of the analytical estimates [that of simulated times, else tpu_v3]");
  command.add_option("--steps", arguments.steps, "of each training")
      ->check(above_zero())
      ->capture_default_str();
  command.add_option("--seeds", arguments.seeds, "trainings of each variant")
      ->check(CLI::Range(uint64_t{1}, uint64_t{100}))
      ->capture_default_str();
  command.add_option("--threads", arguments.threads, "0: all; they do not change the result")
      ->check(CLI::Range(size_t{0}, ThreadPool::kMaxThreads))
      ->capture_default_str();
  command.add_flag("--json", arguments.json, "JSON instead of text");
}

void add_ablation(CLI::App& experiment, int& exit_code) {
  const auto arguments = std::make_shared<AblationArguments>();
  CLI::App& command = *experiment.add_subcommand(
      "ablation", "what each part of the model is worth: trainings that differ in one option");
  add_options(command, *arguments);
  command.footer(
      "The rows of the paper's ablation (MLSys 2021) on a data set of task tile or fusion. All "
      "trainings have the\nsame number of steps; the parameters that were best on the validation "
      "part are measured. Errors and slowdowns\nare fractions in JSON and CSV. With -o a command "
      "that was stopped goes on where it was.\n"
      "Example: hloscope-cli experiment ablation tiles.hloscope --split random --base off -o "
      "ablation.csv --json\n"
      "  {\"task\": \"tile\", \"target\": \"simulated (...)\", \"steps\": 1000, \"seeds\": 3, "
      "\"tables\": [{\"base\": \"off\",\n   \"variants\": [{\"option\": \"edges\", \"value\": "
      "\"undirected\", \"instead_of\": \"directed\",\n   \"kendall_tau\": {\"mean\": 0.7, "
      "\"spread\": 0.01, \"change\": -0.02}, ...}, ...]}]}");
  command.callback([arguments, &exit_code] {
    if (arguments->bases.empty()) arguments->bases = {"residual"};
    settle(run_ablations(*arguments), exit_code);
  });
}

}  // namespace

void add_experiment_command(CLI::App& app, int& exit_code) {
  CLI::App& experiment =
      *app.add_subcommand("experiment", "trains and compares many models, as in the papers");
  experiment.require_subcommand(1);
  experiment.footer(
      "Examples:\n"
      "  hloscope-cli experiment ablation tiles.hloscope --split random --base off -o "
      "ablation.csv\n"
      "  hloscope-cli experiment fusion-autotune a.hlo b.hlo --seeds 20 --curves curves.csv\n"
      "  hloscope-cli experiment tile-autotune --recorded tpu_v3_tiles.pb\n"
      "Options of one, and what comes out: hloscope-cli experiment NAME --help");
  add_ablation(experiment, exit_code);
  add_tune_experiments(experiment, exit_code);
}

}  // namespace hloscope::cli
