#pragma once

#include <utility>
#include <vector>

#include "core/predict/model_options.h"

namespace hloscope::testing {

/// Options of small models in which every two choices of two parts that fit together occur
/// together: networks, reductions, l2, edges, readouts, joins, static features, losses
/// and message layers.
[[nodiscard]] std::vector<predict::ModelOptions> covering_options();

/// The pairs of choices that `options` has, as numbers.
[[nodiscard]] std::vector<std::pair<size_t, size_t>> choice_pairs(
    const predict::ModelOptions& options);

}  // namespace hloscope::testing
