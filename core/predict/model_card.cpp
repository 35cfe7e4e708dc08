#include "core/predict/model_card.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/predict/ensemble.h"

namespace hloscope::predict {
namespace {

using nlohmann::ordered_json;

size_t parameter_count(const StoredModel& stored) {
  size_t out = 0;
  const auto& parameters = stored.model.parameters();
  for (const nn::ParameterId id : parameters.ids()) {
    out += parameters.rows(id) * parameters.cols(id);
  }
  return out;
}

void add_properties(ModelCard& card, const std::string& prefix, const ordered_json& object) {
  for (const auto& [key, value] : object.items()) {
    // The record repeats the architecture.
    if (prefix == "training." && key == "model") continue;
    if (value.is_object()) {
      add_properties(card, prefix + key + ".", value);
    } else {
      card.properties.emplace_back(prefix + key,
                                   value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
}

std::string text(const ordered_json& record, const char* key) {
  if (!record.is_object() || !record.contains(key)) return {};
  return record[key].is_string() ? record[key].get<std::string>() : record[key].dump();
}

ordered_json record_of(const StoredModel& stored) {
  return ordered_json::parse(stored.training, nullptr, false);
}

/// "12.3 %" or "0.812"; empty where there was no validation part.
std::string validation_value(const ordered_json& record, std::string& metric) {
  if (!record.is_object()) return {};
  const ordered_json validation = record.value("validation", ordered_json());
  if (!validation.is_object() || !validation.value("value", ordered_json()).is_number()) return {};
  metric = validation.value("metric", "");
  const auto value = validation["value"].get<double>();
  return metric == "kendall_tau" ? fmt::format("{:.3f}", value)
                                 : fmt::format("{:.1f} %", value * 100);
}

void add_validation(ModelCard& card, const StoredModel& stored) {
  std::string metric;
  const std::string value = validation_value(record_of(stored), metric);
  if (value.empty()) return;
  if (card.validation.empty()) {
    card.validation = (metric == "mape" ? "MAPE" : metric) + " " + value;
  } else {
    card.validation += ", " + value;
  }
}

ModelCard card_of(const StoredModel& stored) {
  ModelCard card;
  const ordered_json record = record_of(stored);
  card.task = predicts_time(stored.model.options().loss) ? "fusion" : "tile";
  if (const std::string task = text(record, "task"); !task.empty()) card.task = task;
  card.trained_on = text(record, "target");
  card.data_set = text(record, "data_set");
  card.split = text(record, "split");
  card.parameters = parameter_count(stored);
  card.is_calibrated = stored.spread.has_value();
  card.knows_far = stored.novelty.has_value();
  add_validation(card, stored);
  add_properties(card, "architecture.", ordered_json::parse(to_json(stored.model.options())));
  if (record.is_object()) add_properties(card, "training.", record);
  return card;
}

ModelCard card_of(const std::string& name, const Ensemble& ensemble) {
  ModelCard card = card_of(ensemble.first().stored);
  card.name = name;
  card.is_builtin = true;
  card.members = ensemble.members().size();
  card.task = data::name(ensemble.task());
  card.machine = ensemble.machine_id();
  card.trained_on = ensemble.trained_on();
  card.is_calibrated = ensemble.spread().kernels > 0;
  card.knows_far = ensemble.novelty() != nullptr;
  for (const Ensemble::Member& member : ensemble.members().subspan(1)) {
    add_validation(card, member.stored);
  }
  return card;
}

}  // namespace

Result<std::vector<ModelCard>> builtin_cards() {
  std::vector<ModelCard> out;
  for (const std::string& name : builtin_ensembles()) {
    HLOSCOPE_ASSIGN(const Ensemble ensemble, Ensemble::builtin(name));
    out.push_back(card_of(name, ensemble));
  }
  return out;
}

Result<ModelCard> card_of_file(const std::string& path) {
  HLOSCOPE_ASSIGN(const StoredModel stored, load_model(path));
  ModelCard card = card_of(stored);
  card.name = path;
  return card;
}

}  // namespace hloscope::predict
