#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/predict.h"
#include "app/cli/text_table.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

size_t parameter_count(const predict::StoredModel& stored) {
  size_t out = 0;
  const auto& parameters = stored.model.parameters();
  for (const nn::ParameterId id : parameters.ids())
    out += parameters.rows(id) * parameters.cols(id);
  return out;
}

ordered_json model_json(const std::string& file, const predict::StoredModel& stored) {
  return {{"file", file},
          {"parameters", parameter_count(stored)},
          {"architecture", ordered_json::parse(predict::to_json(stored.model.options()))},
          {"has_spread_fit", stored.spread.has_value()},
          {"knows_far", stored.novelty.has_value()},
          {"training", ordered_json::parse(stored.training, nullptr, false)}};
}

void add_rows(TextTable& table, const std::string& prefix, const ordered_json& object) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      add_rows(table, prefix + key + ".", value);
    } else {
      table.add_row(
          {prefix + key, value.is_string() ? value.get<std::string>() : json_text(value, -1)});
    }
  }
}

/// A file that cannot be read is named, and keeps no other back.
void show(const std::vector<std::string>& files, bool json, int& exit_code) {
  auto all = ordered_json::array();
  for (const std::string& file : files) {
    const Result<predict::StoredModel> stored = predict::load_model(file);
    if (stored) {
      all.push_back(model_json(file, *stored));
    } else {
      settle(fail(stored.error()), exit_code);
    }
  }
  if (json) {
    std::cout << json_text(all) << "\n";
    return;
  }
  using enum TextTable::Align;
  for (ordered_json& model : all) {
    // The record repeats the architecture.
    if (model["training"].is_object()) model["training"].erase("model");
    TextTable table({{"property", kLeft}, {"value", kLeft}});
    add_rows(table, "", model);
    std::cout << table.text();
  }
}

ordered_json builtin_json(const predict::Ensemble& ensemble) {
  ordered_json out = ensemble_json(ensemble);
  out["task"] = data::name(ensemble.task());
  out["machine"] = ensemble.machine_id();
  out["is_calibrated"] = ensemble.spread().kernels > 0;
  out["knows_far"] = ensemble.novelty() != nullptr;
  out["files"] = ordered_json::array();
  for (const predict::Ensemble::Member& member : ensemble.members()) {
    out["files"].push_back(model_json(member.file, member.stored));
  }
  return out;
}

std::string validation_text(const ordered_json& files) {
  std::vector<std::string> values;
  std::string metric;
  for (const ordered_json& file : files) {
    const ordered_json validation = file["training"].is_object()
                                        ? file["training"].value("validation", ordered_json())
                                        : ordered_json();
    if (!validation.is_object() || !validation.value("value", ordered_json()).is_number()) continue;
    metric = validation.value("metric", "");
    const auto value = validation["value"].get<double>();
    values.push_back(metric == "kendall_tau" ? fmt::format("{:.3f}", value) : percent(value));
  }
  if (values.empty()) return "-";
  return fmt::format("{} {}",
                     metric == "mape"          ? "MAPE"
                     : metric == "kendall_tau" ? "tau"
                                               : metric,
                     fmt::join(values, ", "));
}

std::string record_text(const ordered_json& model, const char* key) {
  const ordered_json& training = model["files"][0]["training"];
  if (!training.is_object() || !training.contains(key)) return "-";
  return training[key].is_string() ? training[key].get<std::string>()
                                   : json_text(training[key], -1);
}

/// What fits in a line: a value of the validation part for each of its models. JSON has the rest.
std::string builtin_text(const ordered_json& models) {
  using enum TextTable::Align;
  TextTable table({{"Model", kElided},
                   {"Task", kLeft},
                   {"Learned from", kLeft},
                   {"Data set", kElided},
                   {"Kernels"},
                   {"Parameters"},
                   {"Validation part", kLeft}});
  for (const ordered_json& model : models) {
    table.add_row(
        {model["model"].get<std::string>(), model["task"] == "tile" ? "rank tiles" : "kernel times",
         kind_of(model["trained_on"].get<std::string>()), record_text(model, "data_set"),
         record_text(model, "training_kernels"),
         grouped(model["files"][0]["parameters"].get<size_t>()), validation_text(model["files"])});
  }
  return table.text() +
         "built into this program; 'hloscope-cli predict' uses them, models FILE shows files\n";
}

Status show_builtin(bool json) {
  auto models = ordered_json::array();
  for (const std::string& name : predict::builtin_ensembles()) {
    HLOSCOPE_ASSIGN(const predict::Ensemble ensemble, predict::Ensemble::builtin(name));
    models.push_back(builtin_json(ensemble));
  }
  if (json) {
    std::cout << json_text(models) << "\n";
  } else if (models.empty()) {
    std::cout << "this program was built without models; 'hloscope-cli train' makes one\n";
  } else {
    std::cout << builtin_text(models);
  }
  return {};
}

}  // namespace

void add_models_command(CLI::App& app, int& exit_code) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand("models", "shows what trained models are");
  command.add_option("FILE", options->files,
                     ".safetensors files of train [the models that are built in]");
  command.add_flag("--json", options->json, "JSON instead of text");
  command.footer(
      "Example: hloscope-cli models tiles.safetensors --json\n"
      "  [{\"file\": \"tiles.safetensors\", \"parameters\": 198017, \"architecture\": "
      "{\"network\": \"sage\", ...},\n   \"has_spread_fit\": false, \"knows_far\": true, "
      "\"training\": {\"data_set\": \"tiles\", \"split\": \"random\", ...}}]\n"
      "Without FILE: [{\"model\": \"tpu_v3_fusion\", \"model_hash\": \"...\", \"members\": 3, "
      "\"trained_on\": \"simulated (...)\",\n   \"task\": \"fusion\", \"machine\": \"tpu_v3\", "
      "\"is_calibrated\": true, \"knows_far\": true, \"files\": [...]}]");
  command.callback([options, &exit_code] {
    if (options->files.empty()) return settle(show_builtin(options->json), exit_code);
    show(options->files, options->json, exit_code);
  });
}

}  // namespace hloscope::cli
