#pragma once

#include <cmath>

#include "core/predict/batch.h"

namespace hloscope::testing {

inline constexpr predict::InputWidths kBatchWidths{5, 3, 4};

/// The nodes and edges of graphs after each other; operands[i] are rows of nodes before i.
template <typename T>
void set_edges(predict::Batch<T>& batch, const std::vector<std::vector<uint32_t>>& operands);

/// Three graphs of 4, 1 and 5 nodes with 2, 4 and 3 samples, of kBatchWidths, with targets.
template <typename T>
[[nodiscard]] predict::Batch<T> random_batch(uint64_t seed);

/// The same graphs, the nodes of each in another order: row i becomes row `to[i]`.
[[nodiscard]] predict::Batch<double> with_nodes_moved(const predict::Batch<double>& batch,
                                                      const std::vector<uint32_t>& to);

/// Graph g alone, with its samples.
[[nodiscard]] predict::Batch<double> only_graph(const predict::Batch<double>& batch, size_t g);

/// Numbers in [-1, 1] without visible pattern, the same here and in model_golden.py.
inline double stream(size_t k, size_t i) {
  const auto x = static_cast<double>(i);
  return std::sin(1.0 + 0.9 * static_cast<double>(k) + 1.7 * x + 0.37 * x * x);
}

}  // namespace hloscope::testing
