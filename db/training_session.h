#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/data/data_set.h"

// The window includes this: nothing here may need feature.h, whose `slots` is a macro of Qt.
namespace hloscope::db {

/// What to learn from, and with what.
struct ExampleChoice {
  std::string file;   ///< A data set.
  std::string split;  ///< One of its splits.
  /// Task layout, in place of a split: holds out configurations of the same graphs.
  bool hold_out_configurations = false;
  /// Of the analytical estimates; empty: the one of the simulated times, else tpu_v3.
  std::string machine;
};

struct TrainingOrder {
  ExampleChoice examples;
  std::string preset = "sage-columnwise";
  std::string model_options;  ///< JSON object of what differs from the preset; may be empty.
  std::string output;         ///< The model: a .safetensors file.
  uint64_t seed = 1;
  uint64_t steps = 3000;  ///< At most.
  uint64_t batch_nodes = 700;
  uint64_t configurations = 16;
  double learning_rate = 2e-3;
  uint64_t evaluate_every = 100;
  uint64_t patience = 10;
  size_t threads = 0;  ///< 0: all.
};

/// What the training was begun with.
struct TrainingStart {
  std::string data_set;
  std::string target;  ///< Where the times come from.
  std::string split;
  data::Task task = data::Task::kFusion;
  size_t training = 0;  ///< Examples.
  size_t validation = 0;
  bool goes_on = false;  ///< From its checkpoint.
};

/// predict::TrainPoint.
struct TrainingPoint {
  uint64_t step = 0;
  double loss = 0;
  std::string metric;
  std::optional<double> validation;
  bool is_best = false;
};

/// Called on the thread that trains.
struct TrainingHooks {
  Progress progress;
  std::function<void(const TrainingStart&)> started;
  std::function<void(const TrainingPoint&)> evaluated;
};

struct TrainingResult {
  std::string file;
  std::string record;  ///< JSON of StoredModel::training.
  uint64_t best_step = 0;
};

/// Where a training that was stopped is kept: the best parameters so far, and what it needs to go
/// on.
[[nodiscard]] std::string checkpoint_path(const std::string& output);

/// Trains, and writes the model. When it is asked to stop, the checkpoint stays beside the output,
/// and the same order goes on from it and ends with the same bytes. Errors: kIo before any work
/// where the output or its checkpoint cannot be written; those of the data set and of
/// predict::train(); kCancelled.
[[nodiscard]] Result<TrainingResult> run_training(const TrainingOrder& order,
                                                  const TrainingHooks& hooks = {});

/// Makes the model of the checkpoint's best parameters, and removes the checkpoint. Errors:
/// kNotFound without a checkpoint; those of predict::model_from() and save_model().
[[nodiscard]] Result<TrainingResult> keep_best(const std::string& output);

/// "sage-columnwise", ...
[[nodiscard]] std::vector<std::string> training_presets();

}  // namespace hloscope::db
