#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/base/hash.h"
#include "core/data/tpugraphs.h"

namespace hloscope::predict {

/// The layouts of one node: minor to major orders of its output, its input and its kernel, 6
/// numbers each. -1: there is no such dimension; nothing but -1: the compiler's choice.
using NodeLayout = std::array<int8_t, data::kTpuLayoutFeatures>;

/// One column for each place of a NodeLayout and each number that can stand there.
inline constexpr size_t kLayoutValues = 7;  // -1 to 5
inline constexpr size_t kLayoutColumns = data::kTpuLayoutFeatures * kLayoutValues;
/// Sets the columns of a layout to 1 and all others to 0: orders are names, not sizes.
void one_hot(const NodeLayout& layout, std::span<float> out);

/// The layouts of the configurable nodes of a graph in each of its samples. Nodes have one of few
/// layouts, so each distinct one is kept once, and a sample is a number for each node: 4 bytes in
/// place of 18 floats.
class LayoutRows {
 public:
  LayoutRows() = default;
  /// `nodes`: rows of the graph's nodes that are configurable, each once.
  explicit LayoutRows(std::vector<uint32_t> nodes) : nodes_(std::move(nodes)) {}

  [[nodiscard]] std::span<const uint32_t> nodes() const { return nodes_; }
  /// The distinct layouts, in the order in which they were met.
  [[nodiscard]] std::span<const NodeLayout> layouts() const { return layouts_; }
  /// Positions in layouts(), for each of nodes().
  [[nodiscard]] std::span<const uint32_t> sample(size_t at) const {
    return std::span(numbers_).subspan(at * nodes_.size(), nodes_.size());
  }
  /// `values`: a NodeLayout for each of nodes(), one after the other. False, and nothing is added,
  /// for another number of values and for values out of -1 to 5.
  [[nodiscard]] bool add_sample(std::span<const int64_t> values);
  /// The given samples alone, with the layouts that they have.
  [[nodiscard]] LayoutRows only(std::span<const uint32_t> samples) const;
  /// Equal for samples of equal layouts, also of other graphs and orders of samples.
  [[nodiscard]] Hash128 sample_hash(size_t at) const;
  /// Frees what only add_sample() needs.
  void finish();
  /// Of the heap.
  [[nodiscard]] size_t bytes() const;

 private:
  uint32_t number_of(const NodeLayout& layout);

  std::vector<uint32_t> nodes_;
  std::vector<NodeLayout> layouts_;
  std::vector<uint32_t> numbers_;  // [samples x nodes]
  std::map<NodeLayout, uint32_t> known_;
};

}  // namespace hloscope::predict
