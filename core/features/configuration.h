#pragma once

#include <span>
#include <vector>

#include "core/features/feature.h"

namespace hloscope::features {

/// Lists of a configuration, in the order of the rows of its group: kTile: kernel, output and input
/// bounds; kLayout: minor to major orders of output, input and kernel; kDot: three numbers;
/// kFusion: 1 where the instruction is fused, else 0. Missing lists are empty.
using ConfigurationView = std::vector<std::span<const int64_t>>;

/// A row of the table of configuration features: it takes list `position` of the configuration.
struct ConfigurationFeature {
  Feature feature;
  size_t position = 0;
};

/// The only list of features of configurations: groups kTile, kLayout, kDot and kFusion. Of the
/// last two TpuGraphs has published the widths only, no data.
[[nodiscard]] std::span<const ConfigurationFeature> configuration_table();

/// width(group) features of one configuration. Tile lists are filled with 0 and have the product 0
/// when empty; layouts are filled with -1 (nothing but -1: the compiler's choice).
[[nodiscard]] std::vector<float> configuration_features(Group group,
                                                        const ConfigurationView& lists);
/// The same, appended to `out`.
void append_configuration_features(Group group, const ConfigurationView& lists,
                                   std::vector<float>& out);

}  // namespace hloscope::features
