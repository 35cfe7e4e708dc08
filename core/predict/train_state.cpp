#include "core/predict/train_state.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/features/feature.h"
#include "core/nn/parameter_file.h"

namespace hloscope::predict {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCheckpoint = "checkpoint";
constexpr std::string_view kCurrent = "current/";

std::string_view name(nn::Decay decay) {
  switch (decay) {
    case nn::Decay::kNone:
      return "none";
    case nn::Decay::kCosine:
      return "cosine";
    case nn::Decay::kStep:
      break;
  }
  return "step";
}

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

tl::unexpected<Error> bad_checkpoint(const std::string& what) {
  return fail(ErrorCode::kInvalidInput, what,
              "remove the checkpoint to start anew, or give the options it was begun with");
}

// The names of what differs, for the message.
std::string differences(const Json& a, const Json& b) {
  std::string out;
  for (const auto& [key, value] : b.items()) {
    if (a.contains(key) && a[key] == value) continue;
    out += (out.empty() ? "" : ", ") + key;
  }
  return out;
}

Status read_counts(const Json& json, TrainState& state) {
  for (const auto& [key, to] : {std::pair{"step", &state.step},
                                {"evaluated", &state.evaluated},
                                {"best_step", &state.best_step},
                                {"loss_count", &state.loss_count}}) {
    const auto at = json.find(key);
    if (at == json.end() || !at->is_number_unsigned()) {
      return bad_checkpoint(fmt::format("the checkpoint has no '{}'", key));
    }
    *to = at->get<uint64_t>();
  }
  const auto sum = json.find("loss_sum");
  if (sum == json.end() || !sum->is_number()) {
    return bad_checkpoint("the checkpoint has no 'loss_sum'");
  }
  state.loss_sum = sum->get<double>();
  const auto best = json.find("best_value");
  if (best != json.end() && best->is_number()) state.best_value = best->get<double>();
  const auto metric = json.find("metric");
  if (metric != json.end() && metric->is_string()) state.metric = metric->get<std::string>();
  return {};
}

// A training goes through all steps that the file says it did: a wrong number is no short loop.
Status check_counts(const TrainState& state, uint64_t steps) {
  const auto at_most = [](const char* what, uint64_t value, uint64_t limit) -> Status {
    if (value <= limit) return {};
    return bad_checkpoint(fmt::format(
        "the checkpoint is damaged: its {} is {}, at most {} is possible", what, value, limit));
  };
  HLOSCOPE_TRY(at_most("step", state.step, steps));
  HLOSCOPE_TRY(at_most("evaluated", state.evaluated, state.step));
  HLOSCOPE_TRY(at_most("best_step", state.best_step, state.evaluated));
  HLOSCOPE_TRY(at_most("loss_count", state.loss_count, state.step - state.evaluated));
  return at_most("adam.steps", state.adam.steps(), state.step);
}

}  // namespace

std::string identity_json(const ExampleSet& set, const TrainOptions& options) {
  const Json json = {{"data_set", set.info.name},
                     {"data_set_hash", set.hash().hex()},
                     {"task", data::name(set.info.task)},
                     {"target", set.label()},
                     {"target_kind", data::name(set.info.target.kind)},
                     {"split", set.split},
                     {"feature_table", features::table_hash().hex()},
                     {"machine", set.machine},
                     {"model", Json::parse(to_json(options.model), nullptr, false)},
                     {"seed", options.seed},
                     {"steps", options.steps},
                     {"batch_nodes", options.batch_nodes},
                     {"configurations", options.configurations},
                     {"learning_rate", options.learning_rate},
                     {"decay", name(options.decay)},
                     {"warmup_steps", options.warmup_steps},
                     {"weight_decay", options.weight_decay},
                     {"max_gradient_norm", options.max_gradient_norm},
                     {"evaluate_every", options.evaluate_every},
                     {"patience", options.patience},
                     {"validation_kernels", options.validation_kernels},
                     {"training_kernels", set.of(data::Part::kTrain).size()}};
  return json.dump();
}

std::string record_json(const std::string& identity, const TrainState& state) {
  Json json = Json::parse(identity, nullptr, false);
  json["steps_done"] = state.step;
  json["best_step"] = state.best_step;
  json["validation"] = {{"metric", state.metric}, {"value", optional_json(state.best_value)}};
  return json.dump();
}

void add_state(const TrainState& state, const std::string& identity, nn::SafeTensors& content) {
  const Json json = {{"identity", Json::parse(identity, nullptr, false)},
                     {"step", state.step},
                     {"evaluated", state.evaluated},
                     {"best_step", state.best_step},
                     {"best_value", optional_json(state.best_value)},
                     {"metric", state.metric},
                     {"loss_sum", state.loss_sum},
                     {"loss_count", state.loss_count}};
  content.metadata[kCheckpoint] = json.dump();
  nn::save_parameters(state.model.parameters(), content, kCurrent);
  nn::save_adam(state.adam, state.model.parameters(), content);
}

Status load_state(const nn::SafeTensors& content, const std::string& identity, uint64_t steps,
                  TrainState& state) {
  const auto metadata = content.metadata.find(kCheckpoint);
  if (metadata == content.metadata.end()) return bad_checkpoint("the file is no checkpoint");
  const Json json = Json::parse(metadata->second, nullptr, false);
  if (!json.is_object() || !json.contains("identity")) {
    return bad_checkpoint("the checkpoint is damaged");
  }
  const std::string other = differences(json["identity"], Json::parse(identity, nullptr, false));
  if (!other.empty()) {
    return bad_checkpoint("the checkpoint is of another training; different are: " + other);
  }
  HLOSCOPE_TRY(read_counts(json, state));
  HLOSCOPE_TRY(nn::load_parameters(content, state.best.parameters()));
  HLOSCOPE_TRY(nn::load_parameters(content, state.model.parameters(), kCurrent));
  HLOSCOPE_TRY(nn::load_adam(content, state.model.parameters(), state.adam));
  return check_counts(state, steps);
}

}  // namespace hloscope::predict
