#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/text_table.h"
#include "core/predict/weights_file.h"

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

Result<ordered_json> model_json(const std::string& file) {
  HLOSCOPE_ASSIGN(const predict::StoredModel stored, predict::load_model(file));
  return ordered_json{
      {"file", file},
      {"parameters", parameter_count(stored)},
      {"architecture", ordered_json::parse(predict::to_json(stored.model.options()))},
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

Status show(const std::vector<std::string>& files, bool json) {
  auto all = ordered_json::array();
  for (const std::string& file : files) {
    HLOSCOPE_ASSIGN(ordered_json model, model_json(file));
    all.push_back(std::move(model));
  }
  if (json) {
    std::cout << json_text(all) << "\n";
    return {};
  }
  using enum TextTable::Align;
  for (ordered_json& model : all) {
    // The record repeats the architecture.
    if (model["training"].is_object()) model["training"].erase("model");
    TextTable table({{"property", kLeft}, {"value", kLeft}});
    add_rows(table, "", model);
    std::cout << table.text();
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
  command.add_option("FILE", options->files, "models: .safetensors files of train")->required();
  command.add_flag("--json", options->json, "JSON instead of text");
  command.footer(
      "Example: hloscope-cli models tiles.safetensors --json\n"
      "  [{\"file\": \"tiles.safetensors\", \"parameters\": 198017, \"architecture\": "
      "{\"network\": "
      "\"sage\", ...},\n   \"training\": {\"data_set\": \"tiles\", \"split\": \"random\", ...}}]");
  command.callback(
      [options, &exit_code] { settle(show(options->files, options->json), exit_code); });
}

}  // namespace hloscope::cli
