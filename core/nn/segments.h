#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hloscope::nn {

/// Consecutive rows of a matrix in groups: the nodes of each graph of a batch, the configurations
/// of each kernel. Group s has the rows [offsets[s], offsets[s + 1]); offsets start at 0. The
/// memory must outlive the step.
struct Segments {
  std::span<const uint32_t> offsets;

  [[nodiscard]] size_t count() const { return offsets.size() - 1; }
  [[nodiscard]] size_t rows() const { return offsets.back(); }
  [[nodiscard]] size_t begin(size_t s) const { return offsets[s]; }
  [[nodiscard]] size_t end(size_t s) const { return offsets[s + 1]; }
  [[nodiscard]] size_t size(size_t s) const { return end(s) - begin(s); }
  [[nodiscard]] size_t longest() const {
    size_t longest = 0;
    for (size_t s = 0; s < count(); ++s) longest = std::max(longest, size(s));
    return longest;
  }
};

/// The edges of a batch of graphs, block-diagonal: node i has the neighbours
/// indices[offsets[i] ... offsets[i + 1]). The memory must outlive the step.
struct Neighbours {
  std::span<const uint32_t> offsets;
  std::span<const uint32_t> indices;

  [[nodiscard]] Segments edges() const { return {offsets}; }
};

}  // namespace hloscope::nn
