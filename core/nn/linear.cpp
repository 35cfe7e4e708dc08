#include <algorithm>

#include "core/nn/operations.h"

namespace hloscope::nn {

namespace {

template <typename T>
void add_bias(Eigen::Ref<const Matrix<T>> bias, bool relu, MatrixMap<T> y) {
  const T* b = bias.data();
  const auto cols = static_cast<size_t>(y.cols());
  for (Eigen::Index r = 0; r < y.rows(); ++r) {
    T* row = y.data() + r * y.cols();
    if (relu) {
      for (size_t c = 0; c < cols; ++c) row[c] = std::max(row[c] + b[c], T(0));
    } else {
      add_row(b, cols, row);
    }
  }
}

// Clears the gradient where relu gave 0, and adds its columns to `sum` unless that is null, both
// while a row is in the cache.
template <typename T>
void bias_backward(const ConstMatrixMap<T>& y, bool relu, MatrixMap<T> gradient, T* sum) {
  const auto cols = static_cast<size_t>(y.cols());
  for (Eigen::Index r = 0; r < y.rows(); ++r) {
    T* row = gradient.data() + r * y.cols();
    const T* result = y.data() + r * y.cols();
    if (relu) {
      for (size_t c = 0; c < cols; ++c) row[c] = result[c] > T(0) ? row[c] : T(0);
    }
    if (sum != nullptr) add_row(row, cols, sum);
  }
}

// Gradients of x and w in y = x w.
template <typename T>
void product_backward(Tape<T>& tape, Var x, Var w, const MatrixMap<T>& gradient) {
  tape.add_product(x, factor(gradient), factor(tape.value(w)).t());
  tape.add_product(w, factor(tape.value(x)).t(), factor(gradient));
}

}  // namespace

template <typename T>
Var matmul(Tape<T>& tape, Var x, Var w) {
  const Var y = tape.output(tape.rows(x), tape.cols(w), {x, w});
  gemm(factor(tape.value(x)), factor(tape.value(w)), T(0), target(tape.writable(y)));
  tape.on_backward(y, [=](Tape<T>& t) { product_backward(t, x, w, t.gradient(y)); });
  return y;
}

template <typename T>
Var linear(Tape<T>& tape, Var x, Var w, Var bias, Activation activation) {
  assert(tape.rows(bias) == 1 && tape.cols(bias) == tape.cols(w));
  const bool relu = activation == Activation::kRelu;
  const Var y = tape.output(tape.rows(x), tape.cols(w), {x, w, bias});
  gemm(factor(tape.value(x)), factor(tape.value(w)), T(0), target(tape.writable(y)));
  add_bias<T>(tape.value(bias), relu, tape.writable(y));
  tape.on_backward(y, [=](Tape<T>& t) {
    T* bias_sum = t.needs_gradient(bias) ? t.gradient_sum(bias).data() : nullptr;
    bias_backward<T>(t.value(y), relu, t.gradient(y), bias_sum);
    product_backward(t, x, w, t.gradient(y));
  });
  return y;
}

template Var matmul(Tape<float>&, Var, Var);
template Var matmul(Tape<double>&, Var, Var);
template Var linear(Tape<float>&, Var, Var, Var, Activation);
template Var linear(Tape<double>&, Var, Var, Var, Activation);

}  // namespace hloscope::nn
