#include <fmt/format.h>

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
#include "core/base/thread_pool.h"
#include "db/evaluate_models.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct EvaluateOptions {
  db::ExampleChoice source;
  std::vector<std::string> models;
  std::string part = "test";
  size_t threads = 0;
  bool json = false;
};

// The metrics over all examples of the part, or over those of one program.
void add_values(ordered_json& out, const db::Evaluation& evaluation,
                const std::vector<std::optional<double>>& values) {
  for (size_t m = 0; m < evaluation.metrics.size(); ++m) {
    out[std::string(evaluation.metrics[m].key)] = or_null(values[m]);
  }
}

ordered_json model_json(const db::Evaluation& evaluation, const db::EvaluatedModel& model) {
  const bool is_ranked = evaluation.task != data::name(data::Task::kFusion);
  ordered_json out = {{"model", model.name},
                      {"kind", model.kind},
                      {"kernels", model.kernels},
                      {"skipped", model.skipped},
                      {is_ranked ? "kernels_with_tau" : "large_kernels", model.with_value}};
  add_values(out, evaluation, model.values);
  auto programs = ordered_json::array();
  for (size_t p = 0; p < evaluation.programs.size(); ++p) {
    ordered_json program = {{"program", evaluation.programs[p]},
                            {"kernels", evaluation.program_examples[p]}};
    add_values(program, evaluation, model.programs[p]);
    programs.push_back(std::move(program));
  }
  out["by_program"] = std::move(programs);
  if (model.training.empty()) return out;
  out["trained_with_this_split"] = model.trained_with_this_split;
  out["training"] = ordered_json::parse(model.training, nullptr, false);
  return out;
}

ordered_json evaluation_json(const EvaluateOptions& options, const db::Evaluation& evaluation) {
  auto models = ordered_json::array();
  for (const db::EvaluatedModel& model : evaluation.models) {
    models.push_back(model_json(evaluation, model));
  }
  return {{"file", options.source.file},
          {"task", evaluation.task},
          {"target", evaluation.label},
          {"target_kind", evaluation.target_kind},
          {"split", evaluation.split},
          {"part", evaluation.part},
          {"knows_the_graphs", options.source.hold_out_configurations},
          {"kernels", evaluation.examples},
          {"models", models}};
}

std::string value_text(const db::EvaluationMetric& metric, const std::optional<double>& value) {
  if (!value) return "-";
  return metric.is_fraction ? percent(value) : fmt::format("{:.3f}", *value);
}

std::string models_text(const db::Evaluation& evaluation) {
  std::vector<TextTable::Column> columns{{"model", TextTable::Align::kLeft}};
  for (const db::EvaluationMetric& metric : evaluation.metrics) {
    columns.push_back({std::string(metric.title)});
  }
  TextTable table(columns);
  for (const db::EvaluatedModel& model : evaluation.models) {
    std::vector<std::string> cells{model.name};
    for (size_t m = 0; m < evaluation.metrics.size(); ++m) {
      cells.push_back(value_text(evaluation.metrics[m], model.values[m]));
    }
    table.add_row(std::move(cells));
  }
  return table.text();
}

void print(const EvaluateOptions& options, const db::Evaluation& evaluation) {
  const bool is_layout = evaluation.task == data::name(data::Task::kLayout);
  const std::string noun = graph_noun(is_layout ? data::Task::kLayout : data::Task::kTile);
  std::cout << printable_lines(
      fmt::format("{}: {} times, split '{}', part {}, {}\n", options.source.file, evaluation.label,
                  evaluation.split, evaluation.part,
                  counted(static_cast<int64_t>(evaluation.examples), noun, noun + "s")));
  if (options.source.hold_out_configurations) {
    std::cout << "the graphs are those of the training part, with other configurations: nothing is "
                 "said of other graphs\n";
  }
  std::cout << models_text(evaluation)
            << (evaluation.task == data::name(data::Task::kFusion)
                    ? "program: error of the sum over a program's kernels\n"
                    : fmt::format("top k: slowdown of the fastest of the first k; means over {}s "
                                  "with 10 configurations or more\n",
                                  noun));
  for (const db::EvaluatedModel& model : evaluation.models) {
    if (model.trained_with_this_split) continue;
    std::cout << fmt::format(
        "{}: trained with another data set or split, and may know {}s of this part\n", model.name,
        noun);
  }
}

Status evaluate(const EvaluateOptions& options) {
  const Interrupt interrupt;
  const db::EvaluationOrder order{options.source, options.part, options.models, options.threads};
  HLOSCOPE_ASSIGN(const db::Evaluation evaluation,
                  db::evaluate_models(order, terminal_progress(interrupt.token())));
  clear_terminal_progress();
  if (options.json) {
    std::cout << json_text(evaluation_json(options, evaluation)) << "\n";
  } else {
    print(options, evaluation);
  }
  return {};
}

void add_options(CLI::App& command, EvaluateOptions& options) {
  add_source_options(command, options.source);
  command.add_option("MODEL", options.models,
                     "models: .safetensors files of train, or names of built-in ones");
  command.add_option("--part", options.part, "of the split")
      ->check(CLI::IsMember({"train", "valid", "test"}))
      ->capture_default_str();
  command.add_option("--machine", options.source.machine,
                     "of the analytical model [that of simulated times, else tpu_v3]");
  command.add_option("--threads", options.threads, "0: all; they do not change the result")
      ->check(CLI::Range(size_t{0}, ThreadPool::kMaxThreads))
      ->capture_default_str();
  command.add_flag("--json", options.json, "JSON instead of text");
}

}  // namespace

void add_evaluate_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<EvaluateOptions>();
  CLI::App& command = *app.add_subcommand(
      "evaluate", "compares trained models with the analytical one and with linear regression");
  add_options(command, *options);
  command.footer(
      "Class factors and the regression are fitted on the training part. Errors and slowdowns are "
      "fractions in JSON.\n"
      "Example: hloscope-cli evaluate tiles.hloscope tiles.safetensors --split random --json\n"
      "  {\"file\": \"tiles.hloscope\", \"task\": \"tile\", \"target\": \"simulated (...)\", "
      "\"part\": \"test\", \"kernels\": 310,\n   \"models\": [{\"model\": \"tiles.safetensors\", "
      "\"kind\": \"learned\", \"kendall_tau\": 0.7,\n   \"top1_slowdown\": 0.02, ..., "
      "\"by_program\": [{\"program\": \"...\", \"kernels\": 12, ...}]}, "
      "{\"model\": \"analytical\", ...}, ...]}");
  command.callback([options, &exit_code] { settle(evaluate(*options), exit_code); });
}

}  // namespace hloscope::cli
