#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/nn/losses.h"
#include "core/nn/operations.h"

namespace hloscope::testing {

/// One use of an operation: its inputs have the given shapes and the numbers of stream(k, i) for
/// number i of input k.
template <typename T>
struct OperationCase {
  using Inputs = std::vector<nn::Var>;
  std::string name;
  std::vector<std::pair<size_t, size_t>> inputs;
  std::function<nn::Var(nn::Tape<T>&, const Inputs&)> build;
};

/// Numbers in [-1, 1] without visible pattern, the same here and in torch_golden.py.
inline double stream(size_t k, size_t i) {
  const auto x = static_cast<double>(i);
  return std::sin(1.0 + 0.9 * static_cast<double>(k) + 1.7 * x + 0.37 * x * x);
}

/// Rows 0-2, none, 3, 4-6: an empty segment and one of one row among them.
inline nn::Segments four_segments() {
  static const std::vector<uint32_t> offsets = {0, 3, 3, 4, 7};
  return {offsets};
}
inline nn::Segments one_row() {
  static const std::vector<uint32_t> offsets = {0, 1};
  return {offsets};
}
inline nn::Segments no_rows() {
  static const std::vector<uint32_t> offsets = {0, 0, 0};
  return {offsets};
}
/// Five nodes; one has no neighbours, one has the same twice.
inline nn::Neighbours five_nodes() {
  static const std::vector<uint32_t> offsets = {0, 2, 2, 3, 6, 7};
  static const std::vector<uint32_t> indices = {1, 4, 0, 2, 2, 4, 3};
  return {offsets, indices};
}

/// The cases; each kind is in the .cpp file of its name.
template <typename T>
std::vector<OperationCase<T>> row_cases();
template <typename T>
std::vector<OperationCase<T>> elementwise_cases();
template <typename T>
std::vector<OperationCase<T>> layer_cases();
template <typename T>
std::vector<OperationCase<T>> loss_cases();

template <typename T>
std::vector<OperationCase<T>> all_cases() {
  std::vector<OperationCase<T>> all;
  for (auto part : {row_cases<T>(), elementwise_cases<T>(), layer_cases<T>(), loss_cases<T>()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace hloscope::testing
