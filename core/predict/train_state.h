#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/nn/adam.h"
#include "core/nn/safetensors.h"
#include "core/predict/model.h"
#include "core/predict/train.h"

namespace hloscope::predict {

/// All that a training goes on from. Batches and dropout follow from seed and step.
struct TrainState {
  TrainState(const Model<float>& first, const nn::AdamOptions& options)
      : model(first), best(first), adam(model.parameters(), options) {}

  Model<float> model;
  Model<float> best;
  nn::Adam<float> adam;
  uint64_t step = 0;       ///< Steps that were done.
  uint64_t evaluated = 0;  ///< The step after which the last evaluation was.
  uint64_t best_step = 0;
  std::optional<double> best_value;
  std::string metric = "none";  ///< Of best_value; as TrainPoint::metric.
  // Of the steps since the last evaluation.
  double loss_sum = 0;
  uint64_t loss_count = 0;
};

/// A JSON object of what a training follows from: data set, split, options.
[[nodiscard]] std::string identity_json(const ExampleSet& set, const TrainOptions& options);
/// The same and what came out: the record of a model.
[[nodiscard]] std::string record_json(const std::string& identity, const TrainState& state);

/// Adds the state of training to the content of a model file with the best parameters.
void add_state(const TrainState& state, const std::string& identity, nn::SafeTensors& content);
/// `state` is that of the first step of the same model, in a training of so many `steps`. Error:
/// kInvalidInput (no checkpoint, or of a training with another identity; counts that no such
/// training has; tensors missing or of another shape).
[[nodiscard]] Status load_state(const nn::SafeTensors& content, const std::string& identity,
                                uint64_t steps, TrainState& state);

}  // namespace hloscope::predict
