#include "db/model_predictions.h"

#include <algorithm>
#include <cmath>

#include "core/predict/ensemble.h"
#include "core/predict/learned.h"

namespace hloscope::db {
namespace {

Result<ModelPredictions> of_file(const predict::ExampleSet& set, std::span<const uint32_t> examples,
                                 const std::string& file, ThreadPool& pool,
                                 const Progress& progress) {
  HLOSCOPE_ASSIGN(const predict::StoredModel stored, predict::load_model(file));
  HLOSCOPE_ASSIGN(const predict::Normaliser normaliser,
                  predict::Normaliser::from_json(stored.normaliser));
  HLOSCOPE_ASSIGN(
      predict::Predictions predictions,
      predict::predict_learned(set, examples, {stored.model, normaliser}, pool, progress));
  return ModelPredictions{std::move(predictions), stored.training};
}

Result<ModelPredictions> of_builtin(const predict::ExampleSet& set,
                                    std::span<const uint32_t> examples, const std::string& name,
                                    ThreadPool& pool, const Progress& progress) {
  HLOSCOPE_ASSIGN(const predict::Ensemble ensemble, predict::Ensemble::builtin(name));
  HLOSCOPE_ASSIGN(auto scores, predict::predict_ensemble(set, examples, ensemble, pool, progress));
  ModelPredictions out{{{examples.begin(), examples.end()}, {}}, ensemble.first().stored.training};
  for (predict::EnsembleScores& score : scores) {
    if (!set.is_ranked()) {
      for (double& value : score.mean) value = std::exp(value);
    }
    out.predictions.scores.push_back(std::move(score.mean));
  }
  return out;
}

}  // namespace

Result<ModelPredictions> model_predictions(const predict::ExampleSet& set,
                                           std::span<const uint32_t> examples,
                                           const std::string& name, ThreadPool& pool,
                                           const Progress& progress) {
  const std::vector<std::string> known = predict::builtin_ensembles();
  const bool is_builtin = std::find(known.begin(), known.end(), name) != known.end();
  auto out = is_builtin ? of_builtin(set, examples, name, pool, progress)
                        : of_file(set, examples, name, pool, progress);
  if (out || out.error().code == ErrorCode::kCancelled) return out;
  Error error = std::move(out).error();
  if (error.file.empty()) error.file = name;
  return fail(std::move(error));
}

}  // namespace hloscope::db
