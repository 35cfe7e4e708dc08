#include "db/evaluate_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/predict/baselines.h"
#include "core/predict/ensemble.h"
#include "core/predict/learned.h"
#include "core/predict/ridge.h"
#include "db/example_choice.h"

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
    return {{"MAPE", true, false},
            {"median APE", true, false},
            {"tau", false, true},
            {"MAPE >= 5 µs", true, false},
            {"program", true, false}};
  }
  std::vector<EvaluationMetric> out = {{"tau", false, true},
                                       {"OPA", false, true},
                                       {"top 1", true, false},
                                       {"top 5", true, false},
                                       {"top 10", true, false}};
  if (task == data::Task::kTile) out.push_back({"tile APE", true, false});
  return out;
}

std::optional<double> mean(const predict::Mean& value) {
  return value.n > 0 ? std::optional(value.mean) : std::nullopt;
}

Values values_of(const predict::ExampleSet& set, const predict::Predictions& predictions) {
  if (!set.is_ranked()) {
    const predict::TimeMetrics metrics = predict::time_metrics(set, predictions);
    return {metrics.all.mape, metrics.all.median_ape, metrics.all.kendall_tau, metrics.large.mape,
            metrics.program_mape};
  }
  const predict::RankingMetrics metrics = predict::ranking_metrics(set, predictions);
  Values out = {mean(metrics.kendall_tau), mean(metrics.opa), mean(metrics.top1_slowdown),
                mean(metrics.top5_slowdown), mean(metrics.top10_slowdown)};
  if (set.info.task == data::Task::kTile) out.push_back(metrics.mean_ape);
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
  for (const uint32_t program : on.programs) out.push_back(values_of(on.set, parts[program]));
  return out;
}

std::vector<Values> times_by_program(const On& on, const predict::Predictions& predictions) {
  const predict::TimeMetrics metrics = predict::time_metrics(on.set, predictions);
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
  EvaluatedModel row{std::move(name), std::move(kind), true, values_of(on.set, predictions), {}};
  row.programs =
      on.set.is_ranked() ? ranks_by_program(on, predictions) : times_by_program(on, predictions);
  return row;
}

bool knows_this_split(const On& on, const predict::StoredModel& stored) {
  const auto record = nlohmann::json::parse(stored.training, nullptr, false);
  return record.is_object() && record.value("data_set_hash", "") == on.set_hash;
}

Result<EvaluatedModel> file_row(const On& on, const std::string& file) {
  HLOSCOPE_ASSIGN(const predict::StoredModel stored, predict::load_model(file));
  HLOSCOPE_ASSIGN(const predict::Normaliser normaliser,
                  predict::Normaliser::from_json(stored.normaliser));
  HLOSCOPE_ASSIGN(const predict::Predictions predictions,
                  predict::predict_learned(on.set, on.examples, {stored.model, normaliser}, on.pool,
                                           on.progress));
  EvaluatedModel row = row_of(on, file, "learned", predictions);
  row.trained_with_this_split = knows_this_split(on, stored);
  return row;
}

Result<EvaluatedModel> builtin_row(const On& on, const std::string& name) {
  HLOSCOPE_ASSIGN(const predict::Ensemble ensemble, predict::Ensemble::builtin(name));
  HLOSCOPE_ASSIGN(auto scores,
                  predict::predict_ensemble(on.set, on.examples, ensemble, on.pool, on.progress));
  predict::Predictions predictions{on.examples, {}};
  for (predict::EnsembleScores& score : scores) {
    if (!on.set.is_ranked()) {
      for (double& value : score.mean) value = std::exp(value);
    }
    predictions.scores.push_back(std::move(score.mean));
  }
  EvaluatedModel row = row_of(on, name, "learned", predictions);
  row.trained_with_this_split = knows_this_split(on, ensemble.first().stored);
  return row;
}

Result<EvaluatedModel> learned_row(const On& on, const std::string& name) {
  const std::vector<std::string> known = predict::builtin_ensembles();
  const bool is_builtin = std::find(known.begin(), known.end(), name) != known.end();
  auto row = is_builtin ? builtin_row(on, name) : file_row(on, name);
  if (row || row.error().code == ErrorCode::kCancelled) return row;
  Error error = std::move(row).error();
  if (error.file.empty()) error.file = name;
  return fail(std::move(error));
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
