#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hloscope::predict {

/// Rows of float features of which most are as they are in an empty row: only the others are kept.
/// What the empty row is, the owner knows; see node_columns().
class SparseRows {
 public:
  struct Row {
    std::span<const uint16_t> columns;  ///< Ascending.
    std::span<const float> values;
  };

  [[nodiscard]] size_t rows() const { return offsets_.size() - 1; }
  [[nodiscard]] size_t entries() const { return values_.size(); }
  [[nodiscard]] Row operator[](size_t row) const {
    const size_t begin = offsets_[row];
    const size_t count = offsets_[row + 1] - begin;
    return {std::span(columns_).subspan(begin, count), std::span(values_).subspan(begin, count)};
  }

  /// Keeps what differs from `empty`, which is as long as the row.
  void add_row(std::span<const float> row, std::span<const float> empty) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i] == empty[i]) continue;
      columns_.push_back(static_cast<uint16_t>(i));
      values_.push_back(row[i]);
    }
    offsets_.push_back(static_cast<uint32_t>(values_.size()));
  }
  /// The whole row.
  void write_row(size_t row, std::span<const float> empty, std::span<float> out) const {
    std::copy(empty.begin(), empty.end(), out.begin());
    const Row entries = (*this)[row];
    for (size_t i = 0; i < entries.columns.size(); ++i) {
      out[entries.columns[i]] = entries.values[i];
    }
  }
  void shrink_to_fit() {
    offsets_.shrink_to_fit();
    columns_.shrink_to_fit();
    values_.shrink_to_fit();
  }
  /// Of the heap.
  [[nodiscard]] size_t bytes() const {
    return offsets_.capacity() * sizeof(uint32_t) + columns_.capacity() * sizeof(uint16_t) +
           values_.capacity() * sizeof(float);
  }

 private:
  std::vector<uint32_t> offsets_{0};
  std::vector<uint16_t> columns_;
  std::vector<float> values_;
};

}  // namespace hloscope::predict
