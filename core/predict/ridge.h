#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/predict/metrics.h"
#include "core/predict/normaliser.h"

namespace hloscope::predict {

/// A linear model of pooled features, as a control. Task fusion: log(ns) from mean and maximum over
/// the nodes, counts of opcodes, the number of nodes and static features. Task tile: log(ns) within
/// the kernel (all centred over its tiles) from tile features, and these times static features.
/// Task layout: the same from layout_counts().
struct RidgeModel {
  std::vector<double> weights;  ///< By feature.
  double intercept = 0;         ///< Task fusion.
};

struct RidgeOptions {
  double penalty = 1;  ///< Of the sum of squares of the weights.
};

/// Error: kInvalidInput without any training sample; kCancelled.
[[nodiscard]] Result<RidgeModel> fit_ridge(const ExampleSet& set,
                                           std::span<const uint32_t> training,
                                           const Normaliser& normaliser,
                                           const RidgeOptions& options = {},
                                           const Progress& progress = {});
/// Task fusion: ns. Task tile: scores. Error: kCancelled.
[[nodiscard]] Result<Predictions> predict_ridge(const ExampleSet& set,
                                                std::span<const uint32_t> examples,
                                                const Normaliser& normaliser,
                                                const RidgeModel& model,
                                                const Progress& progress = {});

}  // namespace hloscope::predict
