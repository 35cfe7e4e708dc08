#pragma once

#include <span>

#include "core/predict/batching.h"

namespace hloscope::predict {

/// Of the columns of one_hot(), those that differ between layouts of the training examples: what is
/// 1 stays 1, as most columns are 0 nearly everywhere.
[[nodiscard]] ColumnScales layout_scales(const ExampleSet& set, std::span<const uint32_t> training,
                                         Scaling scaling);

/// Fills Batch::configurations, node_configurations and targets from examples of task layout. The
/// targets are log(time / least time of the graph): times of whole programs differ by so little
/// that log(ns) as float would lose it.
void fill_layouts(const ExampleSet& set, const Normaliser& normaliser,
                  std::span<const Chosen> chosen, Batch<float>& out);

/// For each sample of such a batch the sum of the rows of configurations over the convolutions of
/// its graph, over the dots, and over all other nodes, side by side.
[[nodiscard]] nn::Matrix<double> layout_counts(const Batch<float>& batch);

}  // namespace hloscope::predict
