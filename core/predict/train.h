#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/nn/safetensors.h"
#include "core/nn/schedule.h"
#include "core/predict/example_set.h"
#include "core/predict/model_options.h"
#include "core/predict/weights_file.h"

namespace hloscope::predict {

/// Parts of a batch whose gradients are computed at the same time. Fixed, so that sums of gradients
/// do not depend on the number of threads.
inline constexpr size_t kGradientParts = 4;

struct TrainOptions {
  ModelOptions model;
  uint64_t seed = 1;            ///< Of parameters, batches and dropout.
  uint64_t steps = 3000;        ///< At most.
  size_t batch_nodes = 700;     ///< About.
  size_t configurations = 16;   ///< Tasks tile and layout: of a kernel in a batch, at most.
  double learning_rate = 2e-3;  ///< The greatest one.
  nn::Decay decay = nn::Decay::kCosine;
  uint64_t warmup_steps = 100;
  double weight_decay = 1e-4;     ///< As AdamW has it.
  double max_gradient_norm = 1;   ///< Longer gradients are scaled down to it.
  uint64_t evaluate_every = 100;  ///< Steps; the validation part, and a checkpoint.
  uint64_t patience = 10;         ///< Evaluations without a better one until the end; 0: no limit.
  size_t validation_kernels = 500;  ///< At most, spread evenly over the validation part.
};

/// An evaluation in the course of training.
struct TrainPoint {
  uint64_t step = 0;        ///< Steps that were done.
  double loss = 0;          ///< Mean over the steps since the last evaluation.
  std::string_view metric;  ///< "kendall_tau", "tile_ape" (kernels have few tiles) or "mape".
  std::optional<double> validation;  ///< None without a validation part.
  bool is_best = false;
};

/// How a training is watched, kept and carried on.
struct TrainHooks {
  Progress progress;
  std::function<void(const TrainPoint&)> evaluated;
  /// Given a checkpoint after each evaluation, and when the training is asked to stop. It is the
  /// content of a model file with the best parameters so far, and the state of training beside.
  std::function<Status(const nn::SafeTensors&)> checkpoint;
  const nn::SafeTensors* resume = nullptr;  ///< The checkpoint to go on from.
};

/// Trains on the training part of the set and returns the parameters that were best on the
/// validation part, or the last ones without one. Training that was stopped and carried on gives
/// the same bits as one that was not, for any number of threads. Errors: kInvalidInput (nothing to
/// train on; options that do not fit; a checkpoint of another training), those of
/// TrainHooks::checkpoint, kCancelled.
[[nodiscard]] Result<StoredModel> train(const ExampleSet& set, const TrainOptions& options,
                                        ThreadPool& pool, const TrainHooks& hooks = {});

}  // namespace hloscope::predict
