#include "db/evaluate_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/predict/baselines.h"
#include "core/predict/ridge.h"
#include "db/example_choice.h"
#include "db/model_predictions.h"

namespace hloscope::db {
namespace {

using Values = std::vector<std::optional<double>>;

// What is evaluated, with what.
struct On {
  const predict::ExampleSet& set;
  std::vector<uint32_t> examples;
  std::string set_hash;
  ThreadPool& pool;
  Progress progress;
  std::vector<uint32_t> programs;  // Those that examples are of, by position in the set.
};

std::vector<EvaluationMetric> metrics_of(data::Task task) {
  if (task == data::Task::kFusion) {
    return {{"MAPE", "mape", true, false},
            {"median APE", "median_ape", true, false},
            {"tau", "kendall_tau", false, true},
            {"MAPE >= 5 µs", "large_mape", true, false},
            {"program", "program_mape", true, false}};
  }
  std::vector<EvaluationMetric> out = {{"tau", "kendall_tau", false, true},
                                       {"OPA", "opa", false, true},
                                       {"top 1", "top1_slowdown", true, false},
                                       {"top 5", "top5_slowdown", true, false},
                                       {"top 10", "top10_slowdown", true, false}};
  if (task == data::Task::kTile) out.push_back({"tile APE", "tile_ape", true, false});
  return out;
}

std::optional<double> mean(const predict::Mean& value) {
  return value.n > 0 ? std::optional(value.mean) : std::nullopt;
}

Values values_of(const predict::TimeMetrics& metrics) {
  return {metrics.all.mape, metrics.all.median_ape, metrics.all.kendall_tau, metrics.large.mape,
          metrics.program_mape};
}

Values values_of(const predict::RankingMetrics& metrics, data::Task task) {
  Values out = {mean(metrics.kendall_tau), mean(metrics.opa), mean(metrics.top1_slowdown),
                mean(metrics.top5_slowdown), mean(metrics.top10_slowdown)};
  if (task == data::Task::kTile) out.push_back(metrics.mean_ape);
  return out;
}

/// The programs of the example's part that it was met in.
std::vector<uint32_t> programs_of(const On& on, uint32_t example) {
  const predict::Example& of = on.set.examples[example];
  std::vector<uint32_t> out;
  for (const predict::SeenIn& seen : of.seen_in) {
    if (on.set.program_parts[seen.program] == of.part) out.push_back(seen.program);
  }
  return out;
}

/// How well the configurations are ranked in each program of On::programs.
std::vector<Values> ranks_by_program(const On& on, const predict::Predictions& predictions) {
  std::map<uint32_t, predict::Predictions> parts;
  for (size_t i = 0; i < predictions.examples.size(); ++i) {
    for (const uint32_t program : programs_of(on, predictions.examples[i])) {
      parts[program].examples.push_back(predictions.examples[i]);
      parts[program].scores.push_back(predictions.scores[i]);
    }
  }
  std::vector<Values> out;
  for (const uint32_t program : on.programs) {
    out.push_back(values_of(predict::ranking_metrics(on.set, parts[program]), on.set.info.task));
  }
  return out;
}

std::vector<Values> times_by_program(const On& on, const predict::TimeMetrics& metrics) {
  std::vector<Values> out(on.programs.size(), Values(5));
  for (const predict::ProgramTime& program : metrics.programs) {
    const auto at = std::find(on.programs.begin(), on.programs.end(), program.program);
    if (at == on.programs.end()) continue;
    std::optional<double> of_sum;
    if (program.target_ns > 0) {
      of_sum = std::abs(program.predicted_ns - program.target_ns) / program.target_ns;
    }
    out[static_cast<size_t>(at - on.programs.begin())] = {program.all.mape, program.all.median_ape,
                                                          program.all.kendall_tau,
                                                          program.large.mape, of_sum};
  }
  return out;
}

EvaluatedModel row_of(const On& on, std::string name, std::string kind,
                      const predict::Predictions& predictions) {
  EvaluatedModel row;
  row.name = std::move(name);
  row.kind = std::move(kind);
  if (on.set.is_ranked()) {
    const predict::RankingMetrics metrics = predict::ranking_metrics(on.set, predictions);
    row.kernels = metrics.rows.size();
    row.skipped = metrics.skipped;
    row.with_value = metrics.kendall_tau.n;
    row.values = values_of(metrics, on.set.info.task);
    row.programs = ranks_by_program(on, predictions);
  } else {
    const predict::TimeMetrics metrics = predict::time_metrics(on.set, predictions);
    row.kernels = metrics.all.n;
    row.skipped = metrics.skipped;
    row.with_value = metrics.large.n;
    row.values = values_of(metrics);
    row.programs = times_by_program(on, metrics);
  }
  return row;
}

Result<EvaluatedModel> learned_row(const On& on, const std::string& name) {
  HLOSCOPE_ASSIGN(const ModelPredictions said,
                  model_predictions(on.set, on.examples, name, on.pool, on.progress));
  EvaluatedModel row = row_of(on, name, "learned", said.predictions);
  const auto record = nlohmann::json::parse(said.training, nullptr, false);
  row.trained_with_this_split =
      record.is_object() && record.value("data_set_hash", "") == on.set_hash;
  row.training = said.training;
  return row;
}

Status add_controls(const On& on, std::vector<EvaluatedModel>& rows) {
  const std::vector<uint32_t> training = on.set.of(data::Part::kTrain);
  if (on.set.info.task == data::Task::kLayout) {
    rows.push_back(row_of(on, "fewest given layouts first", "guess",
                          predict::predict_given_layouts(on.set, on.examples)));
  } else {
    rows.push_back(
        row_of(on, "analytical", "analytical", predict::predict_analytical(on.set, on.examples)));
    const predict::ClassScales scales = predict::fit_class_scales(on.set, training);
    rows.push_back(row_of(on, "analytical, scaled by class", "analytical",
                          predict::predict_scaled(on.set, on.examples, scales)));
  }
  if (training.empty()) return {};
  const predict::Normaliser normaliser = predict::fit_normaliser(on.set, training);
  HLOSCOPE_ASSIGN(const predict::RidgeModel ridge,
                  predict::fit_ridge(on.set, training, normaliser, {}, on.progress));
  HLOSCOPE_ASSIGN(const predict::Predictions predictions,
                  predict::predict_ridge(on.set, on.examples, normaliser, ridge, on.progress));
  rows.push_back(row_of(on, "ridge regression", "linear", predictions));
  return {};
}

Evaluation head_of(On& on, const EvaluationOrder& order) {
  Evaluation out;
  out.task = data::name(on.set.info.task);
  out.label = on.set.label();
  out.target_kind = data::name(on.set.info.target.kind);
  out.split = on.set.split;
  out.part = order.part;
  out.examples = on.examples.size();
  out.metrics = metrics_of(on.set.info.task);
  std::map<uint32_t, size_t> counts;
  for (const uint32_t example : on.examples) {
    for (const uint32_t program : programs_of(on, example)) ++counts[program];
  }
  for (const auto& [program, count] : counts) {
    on.programs.push_back(program);
    out.programs.push_back(on.set.programs[program].name);
    out.program_examples.push_back(count);
  }
  return out;
}

}  // namespace

Result<Evaluation> evaluate_models(const EvaluationOrder& order, const Progress& progress) {
  const auto part = data::find_part(order.part);
  if (!part) return fail(ErrorCode::kInvalidInput, "there is no part " + order.part);
  ThreadPool pool(order.threads);
  HLOSCOPE_ASSIGN(const predict::ExampleSet set, read_examples(order.examples, pool, progress));
  On on{set, set.of(*part), order.models.empty() ? "" : set.hash().hex(), pool, progress, {}};
  if (on.examples.empty()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("part {} of split '{}' has nothing with times", order.part, set.split),
                "choose another part or split");
  }
  Evaluation out = head_of(on, order);
  for (const std::string& name : order.models) {
    HLOSCOPE_ASSIGN(EvaluatedModel row, learned_row(on, name));
    out.models.push_back(std::move(row));
  }
  HLOSCOPE_TRY(add_controls(on, out.models));
  return out;
}

}  // namespace hloscope::db
