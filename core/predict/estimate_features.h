#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/base/hash.h"
#include "core/sim/estimate.h"

namespace hloscope::predict {

/// What a model is told of the analytical model's view of a kernel at one tile: its terms (ns,
/// bytes, counts) and shares of its time. A learned model that starts from them has to learn only
/// what the analytical model does not know.
[[nodiscard]] std::span<const std::string_view> estimate_feature_names();
/// Changes when any name or position changes: model files carry it.
[[nodiscard]] Hash128 estimate_table_hash();

/// Appends one number for each name.
void append_estimate_features(const sim::Estimate& estimate, std::vector<float>& out);
/// The same where the kernel does not have the tile: NaN.
void append_unknown_estimate(std::vector<float>& out);

}  // namespace hloscope::predict
