#pragma once

#include "core/nn/matrix.h"
#include "core/predict/batch.h"

namespace hloscope::predict {

/// A row for each graph of a batch: mean of its nodes' features, their maximum, log1p of how often
/// each opcode is there and of the number of nodes, static performance features.
[[nodiscard]] nn::Matrix<double> pooled_features(const Batch<float>& batch);

}  // namespace hloscope::predict
