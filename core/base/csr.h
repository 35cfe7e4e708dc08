#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hloscope {

/// Compressed sparse rows: for each row (a strong id) a contiguous span of values.
template <typename Row, typename Value>
class Csr {
 public:
  Csr() : offsets_{0} {}

  [[nodiscard]] size_t rows() const { return offsets_.size() - 1; }
  [[nodiscard]] size_t size() const { return values_.size(); }
  [[nodiscard]] std::span<const Value> operator[](Row row) const {
    return {values_.data() + offsets_[row.value], offsets_[row.value + 1] - offsets_[row.value]};
  }
  /// Index of the first value of `row` in values(): for data kept parallel to the values.
  [[nodiscard]] uint32_t offset(Row row) const { return offsets_[row.value]; }
  [[nodiscard]] std::span<const Value> values() const { return values_; }

  /// Appends a value to the row that is being filled; end_row() closes it.
  void add(Value value) { values_.push_back(value); }
  void end_row() { offsets_.push_back(static_cast<uint32_t>(values_.size())); }
  void reserve(size_t rows, size_t values) {
    offsets_.reserve(rows + 1);
    values_.reserve(values);
  }
  void shrink_to_fit() {
    offsets_.shrink_to_fit();
    values_.shrink_to_fit();
  }

  /// Counting sort of (row, value) pairs; values of a row keep the order of the pairs.
  static Csr from_pairs(size_t rows, std::span<const std::pair<Row, Value>> pairs) {
    Csr csr;
    csr.offsets_.assign(rows + 1, 0);
    for (const auto& [row, value] : pairs) ++csr.offsets_[row.value + 1];
    for (size_t i = 0; i < rows; ++i) csr.offsets_[i + 1] += csr.offsets_[i];
    csr.values_.resize(pairs.size());
    std::vector<uint32_t> next(csr.offsets_.begin(), csr.offsets_.end() - 1);
    for (const auto& [row, value] : pairs) csr.values_[next[row.value]++] = value;
    return csr;
  }

  /// The reverse relation: row v of the result lists, in order, the rows of *this that hold v.
  /// A row that holds v twice is listed twice.
  [[nodiscard]] Csr<Value, Row> transposed(size_t result_rows) const {
    std::vector<uint32_t> offsets(result_rows + 1, 0);
    for (Value v : values_) {
      assert(v.value < result_rows);
      ++offsets[v.value + 1];
    }
    for (size_t i = 0; i < result_rows; ++i) offsets[i + 1] += offsets[i];
    std::vector<Row> rows_out(values_.size());
    std::vector<uint32_t> next(offsets.begin(), offsets.end() - 1);
    for (size_t r = 0; r + 1 < offsets_.size(); ++r) {
      for (uint32_t i = offsets_[r]; i < offsets_[r + 1]; ++i) {
        rows_out[next[values_[i].value]++] = Row(r);
      }
    }
    return Csr<Value, Row>(std::move(offsets), std::move(rows_out));
  }

  Csr(std::vector<uint32_t> offsets, std::vector<Value> values)
      : offsets_(std::move(offsets)), values_(std::move(values)) {}

 private:
  std::vector<uint32_t> offsets_;
  std::vector<Value> values_;
};

}  // namespace hloscope
