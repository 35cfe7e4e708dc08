#pragma once

#include "core/base/rng.h"
#include "core/nn/parameters.h"

namespace hloscope::nn {

/// Fills a parameter with numbers drawn uniformly from [-bound, bound), row by row.
template <typename T>
void initialise_uniform(ParameterSet<T>& parameters, ParameterId id, double bound, Rng& rng);

/// With bound sqrt(6 / (rows + columns)): keeps the variance of activations and gradients (Glorot
/// and Bengio, AISTATS 2010).
template <typename T>
void initialise_glorot(ParameterSet<T>& parameters, ParameterId id, Rng& rng);

}  // namespace hloscope::nn
