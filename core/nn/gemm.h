#pragma once

#include <cstddef>
#include <string>

#include "core/nn/matrix.h"

namespace hloscope::nn {

/// A factor of a product: `rows` x `cols` as stored, rows `stride` numbers apart.
template <typename T>
struct Factor {
  const T* data = nullptr;
  size_t rows = 0;
  size_t cols = 0;
  size_t stride = 0;
  bool transposed = false;

  [[nodiscard]] Factor t() const { return {data, rows, cols, stride, !transposed}; }
};

/// Where a product goes: `rows` x `cols`, rows `stride` numbers apart.
template <typename T>
struct Target {
  T* data = nullptr;
  size_t rows = 0;
  size_t cols = 0;
  size_t stride = 0;
};

template <typename T>
Factor<T> factor(const ConstMatrixMap<T>& m) {
  return {m.data(), static_cast<size_t>(m.rows()), static_cast<size_t>(m.cols()),
          static_cast<size_t>(m.cols()), false};
}
template <typename T>
Factor<T> factor(const MatrixMap<T>& m) {
  return {m.data(), static_cast<size_t>(m.rows()), static_cast<size_t>(m.cols()),
          static_cast<size_t>(m.cols()), false};
}
template <typename T>
Target<T> target(MatrixMap<T> m) {
  return {m.data(), static_cast<size_t>(m.rows()), static_cast<size_t>(m.cols()),
          static_cast<size_t>(m.cols())};
}

/// What multiplies float matrices, with its version: "oneDNN 2.6.3".
[[nodiscard]] std::string gemm_backend();

/// out = a b + beta out. With beta = 0 the old content of `out` is not read. float goes to oneDNN,
/// double to Eigen; always on the calling thread alone, and with the same bits for the same shapes
/// and strides, wherever the matrices lie. Throws std::bad_alloc as any allocation does.
template <typename T>
void gemm(const Factor<T>& a, const Factor<T>& b, T beta, const Target<T>& out);

}  // namespace hloscope::nn
