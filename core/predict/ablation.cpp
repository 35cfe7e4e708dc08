#include "core/predict/ablation.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/predict/learned.h"

namespace hloscope::predict {

namespace {

using Json = nlohmann::ordered_json;

struct Values {
  const char* option;
  std::vector<const char*> values;
};

// In the order of the table; the value of the base is left out there.
std::vector<Values> values_of(data::Task task) {
  const bool is_tile = task == data::Task::kTile;
  std::vector<Values> out = {{"edges", {"directed", "undirected", "both"}},
                             {"static_features", {"off", "node", "kernel"}},
                             {"loss", {"mape", "mse"}},
                             {"readout", {"per_node", "columnwise", "lstm", "transformer"}},
                             {"network", {"sage", "gat", "none"}},
                             {"analytical", {"residual", "features", "off"}}};
  if (is_tile) {
    out[2].values.insert(out[2].values.end(), {"pairwise_hinge", "list_mle"});
    out.push_back({"join", {"early", "late"}});
  }
  return out;
}

Result<AblationVariant> variant(data::Task task, const ModelOptions& base, const char* option,
                                const char* value) {
  const Json had = Json::parse(to_json(base));
  AblationVariant out{option, value, had.at(option).get<std::string>(), base};
  Json change = {{option, value}};
  if (task == data::Task::kFusion && out.option == "analytical") {
    change["join"] = out.value == "off" ? "none" : "late";
  }
  HLOSCOPE_ASSIGN(out.model, parse_model_options(change.dump(), base));
  return out;
}

AblationVariant lstm(const ModelOptions& base) {
  AblationVariant out{"preset", "lstm", "sage-columnwise", base};
  out.model.network = Network::kNone;
  out.model.readout = Readout::kLstm;
  return out;
}

constexpr AblationMetric kTileMetrics[] = {{"kendall_tau", "tau", false},
                                           {"top1_slowdown", "top 1", true},
                                           {"top5_slowdown", "top 5", true},
                                           {"tile_ape", "tile APE", true}};
constexpr AblationMetric kFusionMetrics[] = {
    {"mape", "MAPE", true}, {"large_mape", "MAPE >= 5 µs", true}, {"kendall_tau", "tau", false}};

std::optional<double> value(const Mean& mean) {
  return mean.n > 0 ? std::optional(mean.mean) : std::nullopt;
}

// By position in ablation_metrics().
std::vector<std::optional<double>> measure(const ExampleSet& set, const Predictions& predictions) {
  if (set.is_ranked()) {
    const RankingMetrics all = ranking_metrics(set, predictions);
    return {value(all.kendall_tau), value(all.top1_slowdown), value(all.top5_slowdown),
            all.mean_ape};
  }
  const TimeMetrics all = time_metrics(set, predictions);
  return {all.all.mape, all.large.mape, all.all.kendall_tau};
}

}  // namespace

std::string_view name(AblationBase base) {
  return base == AblationBase::kResidual ? "residual" : "off";
}

std::optional<AblationBase> find_ablation_base(std::string_view wanted) {
  for (const AblationBase base : {AblationBase::kResidual, AblationBase::kOff}) {
    if (name(base) == wanted) return base;
  }
  return std::nullopt;
}

Result<std::vector<AblationVariant>> ablation_variants(data::Task task, AblationBase base) {
  if (task == data::Task::kLayout) {
    return fail(ErrorCode::kUnsupported, "the ablation of the paper is not of layouts",
                "give a data set of task tile or fusion");
  }
  HLOSCOPE_ASSIGN(const ModelOptions model,
                  preset("sage-columnwise", task, base == AblationBase::kResidual));
  std::vector<AblationVariant> out{{"", "", "", model}};
  for (const Values& values : values_of(task)) {
    for (const char* value : values.values) {
      HLOSCOPE_ASSIGN(AblationVariant one, variant(task, model, values.option, value));
      if (one.model != model) out.push_back(std::move(one));
    }
  }
  out.push_back(lstm(model));
  return out;
}

std::span<const AblationMetric> ablation_metrics(data::Task task) {
  if (task == data::Task::kFusion) return kFusionMetrics;
  return kTileMetrics;
}

Result<AblationRun> run_ablation(const ExampleSet& set, data::Part part,
                                 const TrainOptions& options, ThreadPool& pool,
                                 const Progress& progress) {
  // Measuring takes a small part of the time of training.
  constexpr double kTrained = 0.95;
  TrainHooks hooks;
  hooks.progress = progress.part(0, kTrained);
  const auto begin = std::chrono::steady_clock::now();
  HLOSCOPE_ASSIGN(const StoredModel stored, train(set, options, pool, hooks));
  const auto end = std::chrono::steady_clock::now();
  HLOSCOPE_ASSIGN(const Normaliser normaliser, Normaliser::from_json(stored.normaliser));
  HLOSCOPE_ASSIGN(const Predictions predictions,
                  predict_learned(set, set.of(part), {stored.model, normaliser}, pool,
                                  progress.part(kTrained, 1)));
  AblationRun out;
  out.metrics = measure(set, predictions);
  out.best_step = Json::parse(stored.training).value("best_step", uint64_t{0});
  out.train_s = std::chrono::duration<double>(end - begin).count();
  return out;
}

SeedSummary summarise_seeds(std::span<const std::optional<double>> values) {
  SeedSummary out;
  double sum = 0;
  for (const auto& value : values) {
    if (!value) continue;
    sum += *value;
    ++out.n;
  }
  if (out.n == 0) return out;
  const auto n = static_cast<double>(out.n);
  out.mean = sum / n;
  if (out.n == 1) return out;
  double squares = 0;
  for (const auto& value : values) {
    if (value) squares += (*value - *out.mean) * (*value - *out.mean);
  }
  out.spread = std::sqrt(squares / (n - 1));
  return out;
}

}  // namespace hloscope::predict
