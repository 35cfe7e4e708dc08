#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/learned_models.h"
#include "app/cli/printable.h"
#include "app/cli/terminal.h"
#include "core/base/staged_file.h"
#include "core/base/write_file.h"
#include "core/predict/train.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct TrainArguments {
  ExampleSource source;
  std::string preset = "sage-columnwise";
  std::string model_options;
  std::string output;
  predict::TrainOptions training;
  size_t threads = 0;
  bool force = false;
  bool json = false;

  [[nodiscard]] std::string checkpoint() const { return output + ".part"; }
};

void print_point(const predict::TrainPoint& point) {
  clear_terminal_progress();
  std::string validation = "no validation part";
  if (point.validation) {
    validation = fmt::format("validation {} {:.4f}", point.metric, *point.validation);
  }
  std::cout << fmt::format("step {:6}  loss {:.5f}  {}{}\n", point.step, point.loss, validation,
                           point.is_best && point.validation ? "  best so far" : "")
            << std::flush;
}

// Empty: there is none, the training begins.
Result<std::optional<nn::SafeTensors>> read_checkpoint(const TrainArguments& arguments) {
  std::error_code error;
  if (!std::filesystem::exists(arguments.checkpoint(), error)) {
    return std::optional<nn::SafeTensors>();
  }
  return nn::read_safetensors(arguments.checkpoint());
}

Status check_arguments(const TrainArguments& arguments) {
  const std::vector<std::string> inputs{arguments.source.file};
  HLOSCOPE_TRY(check_output(arguments.output, inputs));
  HLOSCOPE_TRY(check_new(arguments.output, arguments.force));
  HLOSCOPE_TRY(check_writable(arguments.output));
  return check_writable(arguments.checkpoint());
}

Result<predict::TrainOptions> options_for(const TrainArguments& arguments,
                                          const predict::ExampleSet& set) {
  predict::TrainOptions out = arguments.training;
  HLOSCOPE_ASSIGN(out.model, predict::preset(arguments.preset, set.info.task, set.has_estimates()));
  if (arguments.model_options.empty()) return out;
  HLOSCOPE_ASSIGN(out.model, predict::parse_model_options(arguments.model_options, out.model));
  return out;
}

void print_start(const predict::ExampleSet& set, bool goes_on) {
  clear_terminal_progress();
  std::cout << printable_lines(
                   fmt::format("{}: {}, {} {}s to train on, {} for validation ({}){}\n",
                               set.info.name, set.label(), set.of(data::Part::kTrain).size(),
                               graph_noun(set.info.task), set.of(data::Part::kValid).size(),
                               set.split, goes_on ? "; goes on from its checkpoint" : ""))
            << std::flush;
}

// A failure of a stopped training says how to go on.
Error with_advice(Error error, const TrainArguments& arguments) {
  if (error.code == ErrorCode::kCancelled && std::filesystem::exists(arguments.checkpoint())) {
    error.hint = fmt::format("{} keeps it: the same command goes on", arguments.checkpoint());
  }
  if (error.code == ErrorCode::kInvalidInput &&
      error.message.find("checkpoint") != error.message.npos) {
    error.file = arguments.checkpoint();
  }
  return error;
}

Status train(const TrainArguments& arguments) {
  HLOSCOPE_TRY(check_arguments(arguments));
  const Interrupt interrupt;
  ThreadPool pool(arguments.threads);
  predict::TrainHooks hooks;
  hooks.progress = terminal_progress(interrupt.token());
  HLOSCOPE_ASSIGN(const predict::ExampleSet set,
                  read_examples(arguments.source, pool, hooks.progress));
  HLOSCOPE_ASSIGN(const predict::TrainOptions options, options_for(arguments, set));
  HLOSCOPE_ASSIGN(const std::optional<nn::SafeTensors> resume, read_checkpoint(arguments));
  if (resume) hooks.resume = &*resume;
  if (!arguments.json) {
    print_start(set, resume.has_value());
    hooks.evaluated = print_point;
  }
  hooks.checkpoint = [&arguments](const nn::SafeTensors& content) {
    return nn::write_safetensors(arguments.checkpoint(), content);
  };
  auto trained = predict::train(set, options, pool, hooks);
  clear_terminal_progress();
  if (!trained) return fail(with_advice(std::move(trained).error(), arguments));
  HLOSCOPE_TRY(predict::save_model(arguments.output, *trained));
  std::error_code ignored;
  std::filesystem::remove(arguments.checkpoint(), ignored);
  const auto record = ordered_json::parse(trained->training, nullptr, false);
  if (arguments.json) {
    std::cout << json_text({{"file", arguments.output}, {"training", record}}) << "\n";
  } else {
    std::cout << fmt::format("{}: the parameters after step {}\n", arguments.output,
                             record["best_step"].get<uint64_t>());
  }
  return {};
}

void add_options(CLI::App& command, TrainArguments& arguments) {
  predict::TrainOptions& training = arguments.training;
  add_source_options(command, arguments.source);
  command.add_option("-o,--output", arguments.output, "the model: a .safetensors file")->required();
  command.add_option("--machine", arguments.source.machine,
                     "of the analytical estimates [that of simulated times, else tpu_v3]");
  command.add_option("--preset", arguments.preset, "architecture")
      ->check(CLI::IsMember(predict::preset_names()))
      ->capture_default_str();
  command.add_option("--model-options", arguments.model_options,
                     "JSON object of what differs from the preset, e.g. {\"hidden_width\": 64}");
  command.add_option("--steps", training.steps, "at most")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--seed", training.seed, "of parameters and batches")->capture_default_str();
  command.add_option("--learning-rate", training.learning_rate, "the greatest one")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--batch-nodes", training.batch_nodes, "nodes of a batch, about")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--configurations", training.configurations,
                  "tasks tile and layout: of a kernel in a batch, at most")
      ->check(CLI::Range(size_t{2}, size_t{1024}))
      ->capture_default_str();
  command.add_option("--evaluate-every", training.evaluate_every, "steps between evaluations")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--patience", training.patience,
                  "evaluations without a better one until the end; 0: no limit")
      ->capture_default_str();
  command.add_option("--threads", arguments.threads, "0: all; they do not change the result")
      ->check(CLI::Range(size_t{0}, ThreadPool::kMaxThreads))
      ->capture_default_str();
  command.add_flag("--force", arguments.force, "replace the output");
  command.add_flag("--json", arguments.json, "JSON instead of text");
}

}  // namespace

void add_train_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<TrainArguments>();
  CLI::App& command =
      *app.add_subcommand("train", "trains a model of kernel times with a data set");
  add_options(command, *arguments);
  command.footer(
      "Task tile: the model ranks the tiles of a kernel; task layout: the layouts of a program; "
      "task fusion: it gives\nthe time of a kernel. What is kept is what was best on the "
      "validation part. Ctrl-C keeps a checkpoint beside\nthe output (.part); the same command "
      "goes on from it and ends with the same bytes.\n"
      "--hold-out-configurations is for layouts of too few programs to hold any out: what is held "
      "out are then\nconfigurations of the programs that are learned from.\n"
      "Example: hloscope-cli train tiles.hloscope --split random -o tiles.safetensors --json\n"
      "  {\"file\": \"tiles.safetensors\", \"training\": {\"data_set\": \"tiles\", \"target\": "
      "\"simulated (...)\",\n   \"split\": \"random\", \"steps_done\": 3000, \"best_step\": 2700,\n"
      "   \"validation\": {\"metric\": \"kendall_tau\", \"value\": 0.7}, ...}}");
  command.callback([arguments, &exit_code] { settle(train(*arguments), exit_code); });
}

}  // namespace hloscope::cli
