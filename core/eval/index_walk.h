#pragma once

#include <optional>
#include <span>

#include "core/eval/value.h"

namespace hloscope::eval {

/// Steps through all positions of an array in row-major order.
///   for (IndexWalk at(dims); !at.done(); at.next()) use(at.index(), at.position());
class IndexWalk {
 public:
  explicit IndexWalk(const Dims& dimensions)
      : dimensions_(dimensions),
        index_(dimensions.size(), 0),
        count_(static_cast<size_t>(element_count(dimensions))) {}

  [[nodiscard]] bool done() const { return position_ == count_; }
  [[nodiscard]] const Dims& index() const { return index_; }
  [[nodiscard]] size_t position() const { return position_; }
  void next() {
    ++position_;
    for (size_t d = dimensions_.size(); d-- > 0;) {
      if (++index_[d] < dimensions_[d]) return;
      index_[d] = 0;
    }
  }

 private:
  Dims dimensions_;
  Dims index_;
  size_t count_;
  size_t position_ = 0;
};

/// Row-major position of an index; nothing when it is outside of the array.
[[nodiscard]] inline std::optional<size_t> position_of(const Dims& dimensions,
                                                       std::span<const int64_t> index) {
  if (index.size() != dimensions.size()) return std::nullopt;
  size_t position = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= dimensions[d]) return std::nullopt;
    position = position * static_cast<size_t>(dimensions[d]) + static_cast<size_t>(index[d]);
  }
  return position;
}

/// Whether `list` names different dimensions of an array of `rank`.
[[nodiscard]] inline bool are_dimensions(std::span<const int64_t> list, size_t rank) {
  std::vector<bool> seen(rank, false);
  for (const int64_t d : list) {
    if (d < 0 || static_cast<size_t>(d) >= rank || seen[static_cast<size_t>(d)]) return false;
    seen[static_cast<size_t>(d)] = true;
  }
  return true;
}

/// The dimensions 0 .. rank-1 that none of the lists names, ascending.
[[nodiscard]] inline Dims other_dimensions(size_t rank,
                                           std::initializer_list<std::span<const int64_t>> lists) {
  std::vector<bool> named(rank, false);
  for (const auto& list : lists) {
    for (const int64_t d : list) {
      if (d >= 0 && static_cast<size_t>(d) < rank) named[static_cast<size_t>(d)] = true;
    }
  }
  Dims out;
  for (size_t d = 0; d < rank; ++d) {
    if (!named[d]) out.push_back(static_cast<int64_t>(d));
  }
  return out;
}

}  // namespace hloscope::eval
