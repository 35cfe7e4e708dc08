#pragma once

#include <span>
#include <string>

#include "core/base/progress.h"
#include "core/base/thread_pool.h"
#include "core/predict/example_set.h"
#include "core/predict/metrics.h"

namespace hloscope::db {

/// What a model says of some examples, and the record of its training.
struct ModelPredictions {
  predict::Predictions predictions;
  std::string training;  ///< JSON of StoredModel::training, of the first of an ensemble.
};

/// `name`: a .safetensors file, or a built-in model. Of tasks that are ranked scores, else ns.
/// Errors: those of load_model() and predict_learned(), which name the file; kCancelled.
[[nodiscard]] Result<ModelPredictions> model_predictions(const predict::ExampleSet& set,
                                                         std::span<const uint32_t> examples,
                                                         const std::string& name, ThreadPool& pool,
                                                         const Progress& progress = {});

}  // namespace hloscope::db
