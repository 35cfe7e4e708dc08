#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/learned_models.h"
#include "app/cli/predict.h"
#include "app/cli/printable.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "core/base/staged_file.h"
#include "core/predict/ensemble_metrics.h"

namespace hloscope::cli {

namespace {

using Json = nlohmann::ordered_json;

struct EnsembleOptions {
  db::ExampleChoice source;
  std::vector<std::string> models;
  std::string part = "test";
  bool write = false;
  bool json = false;
};

struct Evaluated {
  predict::EnsembleMetrics metrics;
  predict::SpreadFit spread;
  std::string target;
};

Json to_json(const predict::ErrorSummary& summary) {
  return {{"kernels", summary.kernels},
          {"mape", or_null(summary.mape)},
          {"median_ape", or_null(summary.median_ape)}};
}

Json to_json(const predict::EnsembleMetrics& metrics) {
  return {{"all", to_json(metrics.all)},
          {"coverage", or_null(metrics.coverage)},
          {"near", to_json(metrics.near)},
          {"far", to_json(metrics.far)},
          {"deviation_auc", or_null(metrics.deviation_auc)},
          {"distance_auc", or_null(metrics.distance_auc)}};
}

std::string figure_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

Result<predict::EnsembleErrors> errors_of(const predict::ExampleSet& set, std::string_view part,
                                          const predict::Ensemble& ensemble, ThreadPool& pool,
                                          const Progress& progress) {
  const std::vector<uint32_t> examples = set.of(*data::find_part(part));
  if (examples.empty()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("part {} of split '{}' has no kernel with times", part, set.split),
                "choose another --part or --split");
  }
  return predict::ensemble_errors(set, examples, ensemble, pool, progress);
}

// All files or none; the first one last, as its spread is the one that counts.
Status write_spread(const predict::Ensemble& ensemble, const predict::SpreadFit& spread) {
  std::vector<NewContent> files;
  for (const predict::Ensemble::Member& member : ensemble.members()) {
    predict::StoredModel stored = member.stored;
    stored.spread = spread;
    HLOSCOPE_ASSIGN(std::string bytes, predict::format_model(stored));
    files.push_back({member.file, std::move(bytes)});
  }
  std::ranges::reverse(files);
  return replace_files(files);
}

std::string to_text(const EnsembleOptions& options, const predict::Ensemble& ensemble,
                    const Evaluated& evaluated) {
  const predict::EnsembleMetrics& metrics = evaluated.metrics;
  std::string out = printable_lines(fmt::format(
      "{}: {} times, split '{}', part {}, {} kernels\n{}\n", options.source.file, evaluated.target,
      options.source.split, options.part, metrics.all.kernels, ensemble_text(ensemble)));
  TextTable table({{"kernels", TextTable::Align::kLeft}, {"number"}, {"MAPE"}, {"median APE"}});
  for (const auto& [name, summary] :
       {std::pair{"all", metrics.all}, {"near", metrics.near}, {"far", metrics.far}}) {
    table.add_row(
        {name, grouped(summary.kernels), percent(summary.mape), percent(summary.median_ape)});
  }
  out += table.text();
  out += fmt::format("{} of the times lie within the spread ({} expected; fitted to {} kernels)\n",
                     percent(metrics.coverage), percent(predict::SpreadFit::kCoverage),
                     grouped(evaluated.spread.kernels));
  return out + fmt::format(
                   "the tenth with the largest errors is told by spread with AUC {}, by distance "
                   "with {} (0.5 is chance)\n",
                   figure_text(metrics.deviation_auc), figure_text(metrics.distance_auc));
}

Status run_ensemble(const EnsembleOptions& options) {
  const Interrupt interrupt;
  const Progress progress = terminal_progress(interrupt.token());
  ThreadPool pool;
  HLOSCOPE_ASSIGN(predict::Ensemble ensemble, predict::Ensemble::load(options.models));
  if (options.write) {
    for (const std::string& file : options.models) HLOSCOPE_TRY(check_writable(file));
  }
  HLOSCOPE_ASSIGN(const predict::ExampleSet set,
                  db::read_examples(options.source, pool, progress.part(0, 0.4)));
  if (ensemble.task() != data::Task::kFusion) {
    return fail(ErrorCode::kInvalidInput, "these models rank tiles: they have no times to spread",
                "'hloscope-cli evaluate' compares them");
  }
  Evaluated evaluated{{}, ensemble.spread(), set.label()};
  if (options.write) {
    HLOSCOPE_ASSIGN(const predict::EnsembleErrors valid,
                    errors_of(set, "valid", ensemble, pool, progress.part(0.4, 0.7)));
    HLOSCOPE_ASSIGN(evaluated.spread, predict::fit_spread(valid.deviations, valid.errors));
    HLOSCOPE_TRY(write_spread(ensemble, evaluated.spread));
    // The files have other hashes now.
    HLOSCOPE_ASSIGN(ensemble, predict::Ensemble::load(options.models));
  }
  HLOSCOPE_ASSIGN(const predict::EnsembleErrors errors,
                  errors_of(set, options.part, ensemble, pool, progress.part(0.7, 1)));
  std::optional<double> threshold;
  if (ensemble.novelty() != nullptr) threshold = ensemble.novelty()->threshold();
  evaluated.metrics = predict::ensemble_metrics(errors, evaluated.spread, threshold);
  clear_terminal_progress();
  if (!options.json) {
    std::cout << to_text(options, ensemble, evaluated);
    return {};
  }
  Json out = {{"file", options.source.file},
              {"target", evaluated.target},
              {"split", options.source.split},
              {"part", options.part}};
  out.update(ensemble_json(ensemble));
  out["spread"] = {{"floor", evaluated.spread.floor},
                   {"factor", evaluated.spread.factor},
                   {"kernels", evaluated.spread.kernels}};
  out.update(to_json(evaluated.metrics));
  std::cout << json_text(out) << "\n";
  return {};
}

}  // namespace

void add_ensemble_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<EnsembleOptions>();
  CLI::App& command = *app.add_subcommand(
      "ensemble", "how good models of kernel times are together, and what their spread is worth");
  command.add_option("FILE", options->source.file, "a data set of task fusion")->required();
  command.add_option("MODEL", options->models, "models: .safetensors files of train")->required();
  command.add_option("--split", options->source.split, "its split: see dataset split")->required();
  command.add_option("--part", options->part, "of the split")
      ->check(CLI::IsMember({"train", "valid", "test"}))
      ->capture_default_str();
  command.add_flag("--write", options->write,
                   "first fit the spread to the validation part and keep it in the files");
  command.add_flag("--json", options->json, "JSON instead of text");
  command.footer(
      "Train with other seeds gives the models. Kernels are near or far by what the files know of "
      "the kernels they\nlearned from. --write replaces all files or, where something fails, none; "
      "only a kill in the moment of\nreplacing may leave some with the new spread and some "
      "without: "
      "give the command again.\n"
      "Example: hloscope-cli ensemble kernels.hloscope a.safetensors b.safetensors c.safetensors "
      "--split manual --write --json\n"
      "  {\"file\": \"kernels.hloscope\", \"target\": \"simulated (...)\", \"split\": \"manual\", "
      "\"part\": \"test\", \"model\": \"...\",\n   \"model_hash\": \"...\", \"members\": 3, "
      "\"trained_on\": \"simulated (...)\", \"spread\": {\"floor\": 0.02, \"factor\": 1.4,\n   "
      "\"kernels\": 800}, \"all\": {\"kernels\": 900, \"mape\": 0.06, \"median_ape\": 0.03}, "
      "\"coverage\": 0.67,\n   \"near\": {...}, \"far\": {...}, \"deviation_auc\": 0.8, "
      "\"distance_auc\": 0.8}");
  command.callback([options, &exit_code] { settle(run_ensemble(*options), exit_code); });
}

}  // namespace hloscope::cli
