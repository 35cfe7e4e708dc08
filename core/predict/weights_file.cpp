#include "core/predict/weights_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/write_file.h"
#include "core/features/feature.h"
#include "core/nn/parameter_file.h"
#include "core/predict/estimate_features.h"

namespace hloscope::predict {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kArchitecture = "architecture";
constexpr const char* kWidths = "input_widths";
constexpr const char* kFeatureTable = "feature_table";
constexpr const char* kEstimateTable = "estimate_table";
constexpr const char* kNormaliser = "normaliser";
constexpr const char* kTraining = "training";
constexpr const char* kSpread = "spread";
constexpr uint64_t kWidestInput = 65536;
constexpr const char* kHint = "is it a model that this program trained?";

Result<std::string> metadata(const nn::SafeTensors& content, const char* key) {
  const auto at = content.metadata.find(key);
  if (at != content.metadata.end()) return at->second;
  return fail(ErrorCode::kInvalidInput, fmt::format("no metadata '{}'", key), kHint);
}

Status check_object(const std::string& text, const char* key) {
  if (Json::parse(text, nullptr, false).is_object()) return {};
  return fail(ErrorCode::kInvalidInput, fmt::format("metadata '{}' is not a JSON object", key),
              kHint);
}

Result<std::string> object_of(const nn::SafeTensors& content, const char* key) {
  HLOSCOPE_ASSIGN(std::string text, metadata(content, key));
  HLOSCOPE_TRY(check_object(text, key));
  return text;
}

Status check_table(const nn::SafeTensors& content, const char* key, const char* what,
                   const Hash128& ours) {
  HLOSCOPE_ASSIGN(const std::string table, metadata(content, key));
  if (table == ours.hex()) return {};
  return fail(ErrorCode::kUnsupported,
              fmt::format("the model was trained with the {} {}, but this program has {}", what,
                          table, ours.hex()),
              "train it again with this program, or use the version that trained it");
}

Result<size_t> width_of(const Json& json, const char* name) {
  const auto at = json.find(name);
  if (at != json.end() && at->is_number_unsigned() && at->get<uint64_t>() <= kWidestInput) {
    return at->get<size_t>();
  }
  return fail(ErrorCode::kInvalidInput,
              fmt::format("metadata '{}' has no '{}' from 0 to {}", kWidths, name, kWidestInput),
              kHint);
}

Result<InputWidths> widths_of(const nn::SafeTensors& content) {
  HLOSCOPE_ASSIGN(const std::string text, object_of(content, kWidths));
  const Json json = Json::parse(text, nullptr, false);
  InputWidths widths;
  HLOSCOPE_ASSIGN(widths.node, width_of(json, "node"));
  HLOSCOPE_ASSIGN(widths.graph, width_of(json, "graph"));
  HLOSCOPE_ASSIGN(widths.configuration, width_of(json, "configuration"));
  return widths;
}

}  // namespace

nn::SafeTensors model_content(const StoredModel& stored) {
  const InputWidths& widths = stored.model.widths();
  const Json json = {
      {"node", widths.node}, {"graph", widths.graph}, {"configuration", widths.configuration}};
  nn::SafeTensors content;
  content.metadata = {{kArchitecture, to_json(stored.model.options())},
                      {kWidths, json.dump()},
                      {kFeatureTable, features::table_hash().hex()},
                      {kEstimateTable, estimate_table_hash().hex()},
                      {kNormaliser, stored.normaliser},
                      {kTraining, stored.training}};
  if (stored.spread) content.metadata[kSpread] = stored.spread->to_json();
  if (stored.novelty) stored.novelty->save(content);
  nn::save_parameters(stored.model.parameters(), content);
  return content;
}

Result<StoredModel> model_from(const nn::SafeTensors& content) {
  HLOSCOPE_TRY(check_table(content, kFeatureTable, "feature table", features::table_hash()));
  HLOSCOPE_TRY(check_table(content, kEstimateTable, "estimate table", estimate_table_hash()));
  HLOSCOPE_ASSIGN(const std::string architecture, metadata(content, kArchitecture));
  HLOSCOPE_ASSIGN(const ModelOptions options, parse_model_options(architecture));
  HLOSCOPE_ASSIGN(const InputWidths widths, widths_of(content));
  HLOSCOPE_TRY(check_model_options(options, widths));
  HLOSCOPE_ASSIGN(std::string normaliser, object_of(content, kNormaliser));
  HLOSCOPE_ASSIGN(std::string training, object_of(content, kTraining));
  StoredModel stored{Model<float>(options, widths, 0), std::move(normaliser), std::move(training)};
  HLOSCOPE_TRY(nn::load_parameters(content, stored.model.parameters()));
  HLOSCOPE_ASSIGN(stored.novelty, Novelty::load(content));
  if (const auto spread = content.metadata.find(kSpread); spread != content.metadata.end()) {
    HLOSCOPE_ASSIGN(stored.spread, SpreadFit::from_json(spread->second));
  }
  return stored;
}

Result<std::string> format_model(const StoredModel& stored) {
  HLOSCOPE_TRY(check_object(stored.normaliser, kNormaliser));
  HLOSCOPE_TRY(check_object(stored.training, kTraining));
  return nn::format_safetensors(model_content(stored));
}

Status save_model(const std::string& path, const StoredModel& stored) {
  HLOSCOPE_ASSIGN(const std::string bytes, format_model(stored));
  return write_file(path, bytes);
}

Result<StoredModel> load_model(const std::string& path) {
  HLOSCOPE_ASSIGN(const nn::SafeTensors content, nn::read_safetensors(path));
  auto stored = model_from(content);
  if (!stored) {
    Error error = std::move(stored).error();
    error.file = path;
    return fail(std::move(error));
  }
  return stored;
}

}  // namespace hloscope::predict
