#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"
#include "core/nn/aligned.h"
#include "core/nn/matrix.h"

namespace hloscope::nn {

struct ParameterTag;
using ParameterId = Index<ParameterTag>;

/// The named matrices that training changes, and their gradients, in the order in which they were
/// added. Values and gradients lie in one flat array each, of the same layout: every matrix starts
/// on a multiple of kAlignmentBytes, and what is between two matrices is 0 and stays so.
template <typename T>
class ParameterSet {
 public:
  /// Appends a matrix of zeros; names must differ. Not while a Tape refers to the set.
  ParameterId add(std::string name, size_t rows, size_t cols);

  [[nodiscard]] size_t size() const { return entries_.size(); }
  [[nodiscard]] IdRange<ParameterId> ids() const {
    return {0, static_cast<uint32_t>(entries_.size())};
  }
  [[nodiscard]] const std::string& name(ParameterId id) const { return entry(id).name; }
  [[nodiscard]] size_t rows(ParameterId id) const { return entry(id).rows; }
  [[nodiscard]] size_t cols(ParameterId id) const { return entry(id).cols; }
  /// Index of the first number of a matrix in values() and gradients().
  [[nodiscard]] size_t offset(ParameterId id) const { return entry(id).offset; }
  /// The id of a name; invalid where there is none.
  [[nodiscard]] ParameterId find(std::string_view name) const;

  [[nodiscard]] MatrixMap<T> value(ParameterId id) { return map(id, values_.data()); }
  [[nodiscard]] ConstMatrixMap<T> value(ParameterId id) const {
    return {values_.data() + entry(id).offset, static_cast<Eigen::Index>(rows(id)),
            static_cast<Eigen::Index>(cols(id))};
  }
  [[nodiscard]] MatrixMap<T> gradient(ParameterId id) { return map(id, gradients_.data()); }
  [[nodiscard]] std::span<T> values() { return values_; }
  [[nodiscard]] std::span<const T> values() const { return values_; }
  [[nodiscard]] std::span<T> gradients() { return gradients_; }

 private:
  struct Entry {
    std::string name;
    size_t rows = 0;
    size_t cols = 0;
    size_t offset = 0;
  };
  [[nodiscard]] const Entry& entry(ParameterId id) const { return entries_[id.value]; }
  MatrixMap<T> map(ParameterId id, T* data) {
    return {data + entry(id).offset, static_cast<Eigen::Index>(rows(id)),
            static_cast<Eigen::Index>(cols(id))};
  }

  std::vector<Entry> entries_;
  AlignedVector<T> values_;
  AlignedVector<T> gradients_;
};

}  // namespace hloscope::nn
