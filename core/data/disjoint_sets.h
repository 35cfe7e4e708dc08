#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hloscope::data {

/// Joins sets of numbers 0, 1 ...; the least number of a set is its root.
class DisjointSets {
 public:
  explicit DisjointSets(size_t size) : parent_(size) {
    for (size_t i = 0; i < size; ++i) parent_[i] = i;
  }
  [[nodiscard]] size_t root(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(size_t a, size_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<size_t> parent_;
};

}  // namespace hloscope::data
