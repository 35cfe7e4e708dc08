#pragma once

#include <string>

#include "core/predict/model.h"

namespace hloscope::testing {

/// Moves the parameters away from their first values, where some gradients are special, and
/// compares the gradient of each number of them with central differences of fourth order. Empty
/// where all agree to 1e-6 and some are not 0; else the first that does not.
[[nodiscard]] std::string wrong_gradient(predict::Model<double>& model,
                                         const predict::Batch<double>& batch);

}  // namespace hloscope::testing
