#pragma once

#include <Eigen/Core>
#include <cstddef>

namespace hloscope::nn {

/// Matrices are row-major and dense. A map refers to memory of an arena or of a parameter set.
template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using MatrixMap = Eigen::Map<Matrix<T>>;
template <typename T>
using ConstMatrixMap = Eigen::Map<const Matrix<T>>;

/// y += x, for rows of n numbers that do not overlap.
template <typename T>
inline void add_row(const T* __restrict x, size_t n, T* __restrict y) {
  for (size_t i = 0; i < n; ++i) y[i] += x[i];
}

/// y += a x, for rows of n numbers that do not overlap.
template <typename T>
inline void add_scaled_row(T a, const T* __restrict x, size_t n, T* __restrict y) {
  for (size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

}  // namespace hloscope::nn
