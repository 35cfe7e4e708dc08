#pragma once

#include "core/nn/losses.h"
#include "core/predict/model_options.h"

namespace hloscope::predict {

/// The loss of predictions [samples x 1] of a batch, and its number of terms: kernels for ranking
/// losses, samples for the others (for kWeightedMse the sum of their weights). Samples whose
/// target is not finite take no part. Needs Batch::targets.
template <typename T>
[[nodiscard]] nn::PartLoss model_loss(nn::Tape<T>& tape, const Batch<T>& batch, nn::Var prediction,
                                      Loss loss);

}  // namespace hloscope::predict
