#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/predict/metrics.h"
#include "core/predict/model.h"
#include "core/predict/normaliser.h"

namespace hloscope::predict {

/// A trained model and the normaliser of its inputs.
struct LearnedModel {
  const Model<float>& model;
  const Normaliser& normaliser;
};

/// Whether the normaliser is one of this program's features and gives what the model takes: a file
/// can say anything. Error: kInvalidInput.
[[nodiscard]] Status check_normaliser(const LearnedModel& learned);

/// Whether the model can say something of the data set. Error: kInvalidInput (of another task, or
/// trained with other features than the set was loaded with).
[[nodiscard]] Status check_fits(const ExampleSet& set, const LearnedModel& learned);

/// Of all samples of the given examples: ns where predicts_time(options().loss), else scores. The
/// same bits for any number of threads. Errors: those of check_fits(); kCancelled.
[[nodiscard]] Result<Predictions> predict_learned(const ExampleSet& set,
                                                  std::span<const uint32_t> examples,
                                                  const LearnedModel& learned, ThreadPool& pool,
                                                  const Progress& progress = {});

/// The same of each model, by position, with the same bits. Where neighbours have equal
/// normalisers, each batch is made once for all of them.
[[nodiscard]] Result<std::vector<Predictions>> predict_all_learned(
    const ExampleSet& set, std::span<const uint32_t> examples, std::span<const LearnedModel> models,
    ThreadPool& pool, const Progress& progress = {});

}  // namespace hloscope::predict
