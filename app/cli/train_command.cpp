#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/learned_models.h"
#include "app/cli/printable.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "app/cli/whole_number.h"
#include "core/base/write_file.h"
#include "db/training_session.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct TrainArguments {
  db::TrainingOrder order;
  bool force = false;
  bool json = false;
};

void print_point(const db::TrainingPoint& point) {
  clear_terminal_progress();
  std::string validation = "no validation part";
  if (point.validation) {
    validation = fmt::format("validation {} {:.4f}", point.metric, *point.validation);
  }
  std::cout << fmt::format("step {:6}  loss {:.5f}  {}{}\n", point.step, point.loss, validation,
                           point.is_best && point.validation ? "  best so far" : "")
            << std::flush;
}

void print_start(const db::TrainingStart& start) {
  clear_terminal_progress();
  const std::string noun = graph_noun(start.task);
  std::cout << printable_lines(fmt::format(
                   "{}: {}, {} to train on, {} for validation ({}){}\n", start.data_set,
                   start.target, counted(static_cast<int64_t>(start.training), noun, noun + "s"),
                   start.validation, start.split,
                   start.goes_on ? "; goes on from its checkpoint" : ""))
            << std::flush;
}

// A training that was stopped says how to go on.
Error with_advice(Error error, const std::string& output) {
  const std::string checkpoint = db::checkpoint_path(output);
  if (error.code == ErrorCode::kCancelled && std::filesystem::exists(checkpoint)) {
    error.hint = fmt::format("{} keeps it: the same command goes on", checkpoint);
  }
  return error;
}

Status train(const TrainArguments& arguments) {
  const db::TrainingOrder& order = arguments.order;
  const std::vector<std::string> inputs{order.examples.file};
  HLOSCOPE_TRY(check_output(order.output, inputs));
  HLOSCOPE_TRY(check_new_file(order.output, arguments.force));
  const Interrupt interrupt;
  db::TrainingHooks hooks;
  hooks.progress = terminal_progress(interrupt.token());
  if (!arguments.json) {
    hooks.started = print_start;
    hooks.evaluated = print_point;
  }
  auto trained = db::run_training(order, hooks);
  clear_terminal_progress();
  if (!trained) return fail(with_advice(std::move(trained).error(), order.output));
  if (arguments.json) {
    const auto record = ordered_json::parse(trained->record, nullptr, false);
    std::cout << json_text({{"file", order.output}, {"training", record}}) << "\n";
  } else {
    std::cout << fmt::format("{}: the parameters after step {}\n", order.output,
                             trained->best_step);
  }
  return {};
}

void add_options(CLI::App& command, TrainArguments& arguments) {
  db::TrainingOrder& order = arguments.order;
  add_source_options(command, order.examples);
  command.add_option("-o,--output", order.output, "the model: a .safetensors file")->required();
  command.add_option("--machine", order.examples.machine,
                     "of the analytical estimates [that of simulated times, else tpu_v3]");
  command.add_option("--preset", order.preset, "architecture")
      ->check(CLI::IsMember(db::training_presets()))
      ->capture_default_str();
  command.add_option("--model-options", order.model_options,
                     "JSON object of what differs from the preset, e.g. {\"hidden_width\": 64}");
  command.add_option("--steps", order.steps, "at most")->check(above_zero())->capture_default_str();
  command.add_option("--seed", order.seed, "of parameters and batches")->capture_default_str();
  command.add_option("--learning-rate", order.learning_rate, "the greatest one")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command.add_option("--batch-nodes", order.batch_nodes, "nodes of a batch, about")
      ->check(above_zero())
      ->capture_default_str();
  command
      .add_option("--configurations", order.configurations,
                  "tasks tile and layout: of a kernel in a batch, at most")
      ->check(CLI::Range(size_t{2}, size_t{1024}))
      ->capture_default_str();
  command.add_option("--evaluate-every", order.evaluate_every, "steps between evaluations")
      ->check(above_zero())
      ->capture_default_str();
  command
      .add_option("--patience", order.patience,
                  "evaluations without a better one until the end; 0: no limit")
      ->capture_default_str();
  command.add_option("--threads", order.threads, "0: all; they do not change the result")
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
