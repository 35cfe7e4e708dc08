#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/accuracy.h"
#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/learned_models.h"
#include "app/cli/printable.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "core/predict/baselines.h"
#include "core/predict/learned.h"
#include "core/predict/ridge.h"
#include "core/predict/weights_file.h"

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

// What is evaluated, with what.
struct Evaluation {
  const predict::ExampleSet& set;
  std::vector<uint32_t> examples;
  std::string set_hash;  // Empty without models.
  ThreadPool& pool;
  Progress progress;
};

ordered_json mean_json(const predict::Mean& mean) {
  return mean.n > 0 ? ordered_json(mean.mean) : ordered_json();
}

ordered_json ranking_json(const predict::RankingMetrics& metrics, data::Task task) {
  ordered_json out = {{"kernels", metrics.rows.size()},
                      {"skipped", metrics.skipped},
                      {"kernels_with_tau", metrics.kendall_tau.n},
                      {"kendall_tau", mean_json(metrics.kendall_tau)},
                      {"opa", mean_json(metrics.opa)},
                      {"top1_slowdown", mean_json(metrics.top1_slowdown)},
                      {"top5_slowdown", mean_json(metrics.top5_slowdown)},
                      {"top10_slowdown", mean_json(metrics.top10_slowdown)}};
  if (task == data::Task::kTile) out["tile_ape"] = or_null(metrics.mean_ape);
  return out;
}

ordered_json time_json(const predict::TimeMetrics& metrics) {
  return {{"kernels", metrics.all.n},
          {"skipped", metrics.skipped},
          {"mape", or_null(metrics.all.mape)},
          {"median_ape", or_null(metrics.all.median_ape)},
          {"kendall_tau", or_null(metrics.all.kendall_tau)},
          {"large_kernels", metrics.large.n},
          {"large_mape", or_null(metrics.large.mape)},
          {"program_mean_large_mape", or_null(metrics.mean_large_mape)},
          {"program_mape", or_null(metrics.program_mape)}};
}

ordered_json metrics_json(const Evaluation& on, const predict::Predictions& predictions) {
  if (on.set.is_ranked()) {
    return ranking_json(predict::ranking_metrics(on.set, predictions), on.set.info.task);
  }
  return time_json(predict::time_metrics(on.set, predictions));
}

ordered_json row_json(const std::string& name, const std::string& kind,
                      const ordered_json& metrics) {
  ordered_json row = {{"model", name}, {"kind", kind}};
  row.update(metrics);
  return row;
}

Result<ordered_json> learned_row(const Evaluation& on, const std::string& file) {
  HLOSCOPE_ASSIGN(const predict::StoredModel stored, predict::load_model(file));
  HLOSCOPE_ASSIGN(const predict::Normaliser normaliser,
                  predict::Normaliser::from_json(stored.normaliser));
  auto predictions = predict::predict_learned(on.set, on.examples, {stored.model, normaliser},
                                              on.pool, on.progress);
  if (!predictions) {
    Error error = std::move(predictions).error();
    error.file = file;
    return fail(std::move(error));
  }
  ordered_json row = row_json(file, "learned", metrics_json(on, *predictions));
  const auto record = ordered_json::parse(stored.training, nullptr, false);
  row["trained_with_this_split"] = record.value("data_set_hash", "") == on.set_hash;
  row["training"] = record;
  return row;
}

void add_guesses(const Evaluation& on, std::span<const uint32_t> training, ordered_json& rows) {
  if (on.set.info.task == data::Task::kLayout) {
    rows.push_back(row_json("fewest given layouts first", "guess",
                            metrics_json(on, predict::predict_given_layouts(on.set, on.examples))));
    return;
  }
  rows.push_back(row_json("analytical", "analytical",
                          metrics_json(on, predict::predict_analytical(on.set, on.examples))));
  const predict::ClassScales scales = predict::fit_class_scales(on.set, training);
  rows.push_back(row_json("analytical, scaled by class", "analytical",
                          metrics_json(on, predict::predict_scaled(on.set, on.examples, scales))));
}

Status add_controls(const Evaluation& on, ordered_json& rows) {
  const std::vector<uint32_t> training = on.set.of(data::Part::kTrain);
  add_guesses(on, training, rows);
  if (training.empty()) return {};
  const predict::Normaliser normaliser = predict::fit_normaliser(on.set, training);
  HLOSCOPE_ASSIGN(const predict::RidgeModel ridge,
                  predict::fit_ridge(on.set, training, normaliser, {}, on.progress));
  HLOSCOPE_ASSIGN(const predict::Predictions predictions,
                  predict::predict_ridge(on.set, on.examples, normaliser, ridge, on.progress));
  rows.push_back(row_json("ridge regression", "linear", metrics_json(on, predictions)));
  return {};
}

struct ShownMetric {
  const char* title;
  const char* key;
  bool is_fraction;
};

std::string cell(const ordered_json& row, const ShownMetric& metric) {
  const auto at = row.find(metric.key);
  if (at == row.end() || at->is_null()) return "-";
  const auto value = at->get<double>();
  return metric.is_fraction ? percent(value) : fmt::format("{:.3f}", value);
}

std::vector<ShownMetric> shown_metrics(data::Task task) {
  if (task != data::Task::kFusion) {
    std::vector<ShownMetric> out = {{"tau", "kendall_tau", false},
                                    {"OPA", "opa", false},
                                    {"top 1", "top1_slowdown", true},
                                    {"top 5", "top5_slowdown", true},
                                    {"top 10", "top10_slowdown", true}};
    if (task == data::Task::kTile) out.push_back({"tile APE", "tile_ape", true});
    return out;
  }
  return {{"MAPE", "mape", true},
          {"median APE", "median_ape", true},
          {"tau", "kendall_tau", false},
          {"MAPE >= 5 µs", "large_mape", true},
          {"program", "program_mape", true}};
}

void print(const EvaluateOptions& options, const Evaluation& on, const ordered_json& rows) {
  const std::string noun = graph_noun(on.set.info.task);
  std::cout << printable_lines(fmt::format("{}: {} times, split '{}', part {}, {} {}s\n",
                                           options.source.file, on.set.label(), on.set.split,
                                           options.part, on.examples.size(), noun));
  if (options.source.hold_out_configurations) {
    std::cout << "the graphs are those of the training part, with other configurations: nothing is "
                 "said of other graphs\n";
  }
  std::vector<TextTable::Column> columns{{"model", TextTable::Align::kLeft}};
  const std::vector<ShownMetric> metrics = shown_metrics(on.set.info.task);
  for (const ShownMetric& metric : metrics) columns.push_back({metric.title});
  TextTable table(columns);
  std::string notes;
  for (const ordered_json& row : rows) {
    std::vector<std::string> cells{row["model"].get<std::string>()};
    for (const ShownMetric& metric : metrics) cells.push_back(cell(row, metric));
    table.add_row(cells);
    if (!row.value("trained_with_this_split", true)) {
      notes +=
          fmt::format("{}: trained with another data set or split, and may know {}s of this part\n",
                      row["model"].get<std::string>(), noun);
    }
  }
  std::cout << table.text()
            << (on.set.is_ranked()
                    ? fmt::format("top k: slowdown of the fastest of the first k; means over {}s "
                                  "with 10 configurations or more\n",
                                  noun)
                    : "program: error of the sum over a program's kernels\n")
            << notes;
}

Status evaluate(const EvaluateOptions& options) {
  const Interrupt interrupt;
  ThreadPool pool(options.threads);
  const Progress progress = terminal_progress(interrupt.token());
  HLOSCOPE_ASSIGN(const predict::ExampleSet set, db::read_examples(options.source, pool, progress));
  const std::string set_hash = options.models.empty() ? "" : set.hash().hex();
  const Evaluation on{set, set.of(*data::find_part(options.part)), set_hash, pool, progress};
  if (on.examples.empty()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("part {} of split '{}' has no {} with times", options.part, set.split,
                            graph_noun(set.info.task)),
                "choose another --part or --split");
  }
  auto rows = ordered_json::array();
  for (const std::string& file : options.models) {
    HLOSCOPE_ASSIGN(ordered_json row, learned_row(on, file));
    rows.push_back(std::move(row));
  }
  HLOSCOPE_TRY(add_controls(on, rows));
  clear_terminal_progress();
  if (!options.json) {
    print(options, on, rows);
    return {};
  }
  std::cout << json_text({{"file", options.source.file},
                          {"task", data::name(set.info.task)},
                          {"target", set.label()},
                          {"target_kind", data::name(set.info.target.kind)},
                          {"split", set.split},
                          {"part", options.part},
                          {"knows_the_graphs", options.source.hold_out_configurations},
                          {"kernels", on.examples.size()},
                          {"models", rows}})
            << "\n";
  return {};
}

void add_options(CLI::App& command, EvaluateOptions& options) {
  add_source_options(command, options.source);
  command.add_option("MODEL", options.models, "models: .safetensors files of train");
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
      "\"kind\": \"learned\", \"kendall_tau\": 0.7,\n   \"top1_slowdown\": 0.02, ...}, "
      "{\"model\": \"analytical\", ...}, ...]}");
  command.callback([options, &exit_code] { settle(evaluate(*options), exit_code); });
}

}  // namespace hloscope::cli
