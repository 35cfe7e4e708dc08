#pragma once

#include <cstddef>
#include <vector>

namespace hloscope::tune {

/// A sum of numbers that change. Its bits depend on the numbers alone, not on what they were
/// before: it is always added up in the same order, and a change costs the logarithm of the count.
class SumTree {
 public:
  explicit SumTree(size_t count) {
    while (leaves_ < count) leaves_ *= 2;
    nodes_.assign(2 * leaves_, 0);
  }
  void set(size_t at, double value) {
    size_t node = leaves_ + at;
    if (nodes_[node] == value) return;
    nodes_[node] = value;
    for (node /= 2; node > 0; node /= 2) nodes_[node] = nodes_[2 * node] + nodes_[2 * node + 1];
  }
  void clear() { nodes_.assign(nodes_.size(), 0); }
  [[nodiscard]] double sum() const { return nodes_[1]; }

 private:
  size_t leaves_ = 1;
  std::vector<double> nodes_;  ///< The children of n are 2 n and 2 n + 1; the root is 1.
};

}  // namespace hloscope::tune
