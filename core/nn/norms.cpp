#include <algorithm>
#include <cmath>

#include "core/nn/operations.h"

namespace hloscope::nn {

namespace {

template <typename T>
constexpr T kSmallestNorm = T(1e-12);
template <typename T>
constexpr T kVarianceShift = T(1e-5);

/// Each row to mean 0 and variance 1.
template <typename T>
Var standardise_rows(Tape<T>& tape, Var x) {
  const Var y = tape.output(tape.rows(x), tape.cols(x), {x});
  const std::span<T> factors = tape.template scratch<T>(tape.rows(x));
  const ConstMatrixMap<T> from = tape.value(x);
  MatrixMap<T> to = tape.writable(y);
  for (Eigen::Index r = 0; r < from.rows(); ++r) {
    to.row(r).array() = from.row(r).array() - from.row(r).mean();
    const T variance = to.row(r).squaredNorm() / static_cast<T>(from.cols());
    const T factor = T(1) / std::sqrt(variance + kVarianceShift<T>);
    to.row(r) *= factor;
    factors[static_cast<size_t>(r)] = factor;
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    const ConstMatrixMap<T> value = t.value(y);
    MatrixMap<T> gradient = t.gradient(y);
    for (Eigen::Index r = 0; r < gradient.rows(); ++r) {
      const T mean = gradient.row(r).mean();
      const T slope = gradient.row(r).dot(value.row(r)) / static_cast<T>(value.cols());
      gradient.row(r).array() = factors[static_cast<size_t>(r)] *
                                (gradient.row(r).array() - mean - value.row(r).array() * slope);
    }
    t.add_gradient(x, gradient.array());
  });
  return y;
}

/// Rows of numbers per column that instance_norm needs for one segment.
template <typename T>
struct ColumnSums {
  T* mean;
  T* other;
  size_t cols;

  void clear() {
    std::fill_n(mean, cols, T(0));
    std::fill_n(other, cols, T(0));
  }
};

// Standardises one segment in place of `y`, and leaves the factor of each column in `factors`.
template <typename T>
void standardise_columns(const T* x, size_t rows, T* y, ColumnSums<T> sums) {
  const size_t cols = sums.cols;
  sums.clear();
  const T share = T(1) / static_cast<T>(rows);
  for (size_t r = 0; r < rows; ++r) add_scaled_row(share, x + r * cols, cols, sums.mean);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < cols; ++c) {
      const T centred = x[r * cols + c] - sums.mean[c];
      y[r * cols + c] = centred;
      sums.other[c] += centred * centred;
    }
  }
  for (size_t c = 0; c < cols; ++c) {
    sums.other[c] = T(1) / std::sqrt(sums.other[c] * share + kVarianceShift<T>);
  }
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < cols; ++c) y[r * cols + c] *= sums.other[c];
  }
}

// Adds to `sum` the gradient of the segment that standardise_columns turned into y.
template <typename T>
void standardise_columns_backward(std::span<const T> y, const T* g, const T* factors, T* sum,
                                  ColumnSums<T> sums) {
  const size_t cols = sums.cols;
  const size_t rows = y.size() / cols;
  sums.clear();
  const T share = T(1) / static_cast<T>(rows);
  for (size_t i = 0; i < y.size(); i += cols) {
    for (size_t c = 0; c < cols; ++c) {
      sums.mean[c] += share * g[i + c];
      sums.other[c] += share * g[i + c] * y[i + c];
    }
  }
  for (size_t i = 0; i < y.size(); i += cols) {
    for (size_t c = 0; c < cols; ++c) {
      sum[i + c] += factors[c] * (g[i + c] - sums.mean[c] - y[i + c] * sums.other[c]);
    }
  }
}

}  // namespace

template <typename T>
Var l2_normalise_rows(Tape<T>& tape, Var x) {
  const Var y = tape.output(tape.rows(x), tape.cols(x), {x});
  const std::span<T> norms = tape.template scratch<T>(tape.rows(x));
  const ConstMatrixMap<T> from = tape.value(x);
  for (Eigen::Index r = 0; r < from.rows(); ++r) {
    const T norm = from.row(r).norm();
    norms[static_cast<size_t>(r)] = norm;
    tape.writable(y).row(r) = from.row(r) / std::max(norm, kSmallestNorm<T>);
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    const ConstMatrixMap<T> value = t.value(y);
    MatrixMap<T> gradient = t.gradient(y);
    for (Eigen::Index r = 0; r < gradient.rows(); ++r) {
      const T norm = norms[static_cast<size_t>(r)];
      if (norm > kSmallestNorm<T>) {
        gradient.row(r) -= gradient.row(r).dot(value.row(r)) * value.row(r);
      }
      gradient.row(r) /= std::max(norm, kSmallestNorm<T>);
    }
    t.add_gradient(x, gradient.array());
  });
  return y;
}

template <typename T>
Var layer_norm(Tape<T>& tape, Var x, Var gain, Var shift) {
  return scale_shift(tape, standardise_rows(tape, x), gain, shift);
}

template <typename T>
Var instance_norm(Tape<T>& tape, Var x, Segments segments) {
  assert(tape.rows(x) == segments.rows());
  const size_t cols = tape.cols(x);
  const Var y = tape.output(tape.rows(x), cols, {x});
  T* means = tape.template scratch<T>(cols).data();
  T* factors = tape.template scratch<T>(segments.count() * cols).data();
  for (size_t s = 0; s < segments.count(); ++s) {
    if (segments.size(s) == 0) continue;
    const size_t at = segments.begin(s) * cols;
    standardise_columns<T>(tape.value(x).data() + at, segments.size(s),
                           tape.writable(y).data() + at, {means, factors + s * cols, cols});
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    T* sum = t.gradient_sum(x).data();
    T* slopes = t.template scratch<T>(cols).data();
    for (size_t s = 0; s < segments.count(); ++s) {
      if (segments.size(s) == 0) continue;
      const size_t at = segments.begin(s) * cols;
      const std::span<const T> value(t.value(y).data() + at, segments.size(s) * cols);
      standardise_columns_backward<T>(value, t.gradient(y).data() + at, factors + s * cols,
                                      sum + at, {means, slopes, cols});
    }
  });
  return y;
}

#define HLOSCOPE_NN_INSTANTIATE(T)                  \
  template Var l2_normalise_rows(Tape<T>&, Var);    \
  template Var layer_norm(Tape<T>&, Var, Var, Var); \
  template Var instance_norm(Tape<T>&, Var, Segments);
HLOSCOPE_NN_INSTANTIATE(float)
HLOSCOPE_NN_INSTANTIATE(double)
#undef HLOSCOPE_NN_INSTANTIATE

}  // namespace hloscope::nn
