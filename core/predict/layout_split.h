#pragma once

#include "core/base/result.h"
#include "core/predict/example_set.h"

namespace hloscope::predict {

/// ExampleSet::split of hold_out_configurations().
inline constexpr const char* kHeldOutConfigurations = "held-out configurations of known graphs";

/// Cuts the configurations of each graph of task layout in parts, where there are too few graphs to
/// hold any out: a fifth for validation, a fifth for testing, the rest for training, by the hash of
/// their layouts. Each graph with 10 samples or more then stands for itself in all three parts;
/// others are for training alone. Figures of such a part say how well a model knows these graphs,
/// and nothing of other ones. Error: kInvalidInput for sets of another task.
[[nodiscard]] Status hold_out_configurations(ExampleSet& set);

}  // namespace hloscope::predict
