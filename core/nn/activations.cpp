#include "core/nn/operations.h"

namespace hloscope::nn {

namespace {

/// y = forward(x); the gradient of x is that of y times derivative(x, y), all array expressions.
template <typename T, typename Forward, typename Derivative>
Var unary(Tape<T>& tape, Var x, Forward forward, Derivative derivative) {
  const Var y = tape.output(tape.rows(x), tape.cols(x), {x});
  tape.writable(y).array() = forward(tape.value(x).array());
  tape.on_backward(y, [=](Tape<T>& t) {
    t.add_gradient(x, derivative(t.value(x).array(), t.value(y).array()) * t.gradient(y).array());
  });
  return y;
}

template <typename T>
constexpr T kGeluScale = T(0.797884560802865355879892119868763737);  // sqrt(2 / pi)
template <typename T>
constexpr T kGeluCubic = T(0.044715);

// The tanh of gelu; x is an array expression.
template <typename T, typename Array>
auto gelu_tanh(const Array& x) {
  return (kGeluScale<T> * x * (T(1) + kGeluCubic<T> * x * x)).tanh();
}

}  // namespace

template <typename T>
Var relu(Tape<T>& tape, Var x) {
  return unary(
      tape, x, [](const auto& v) { return v.max(T(0)); },
      [](const auto& v, const auto& /*y*/) { return (v > T(0)).template cast<T>(); });
}

template <typename T>
Var leaky_relu(Tape<T>& tape, Var x, T slope) {
  return unary(
      tape, x, [slope](const auto& v) { return (v > T(0)).select(v, v * slope); },
      [slope](const auto& v, const auto& /*y*/) {
        return (v > T(0)).template cast<T>() * (T(1) - slope) + slope;
      });
}

template <typename T>
Var tanh(Tape<T>& tape, Var x) {
  return unary(
      tape, x, [](const auto& v) { return v.tanh(); },
      [](const auto& /*v*/, const auto& y) { return T(1) - y * y; });
}

template <typename T>
Var sigmoid(Tape<T>& tape, Var x) {
  return unary(
      tape, x, [](const auto& v) { return v.logistic(); },
      [](const auto& /*v*/, const auto& y) { return y * (T(1) - y); });
}

template <typename T>
Var exp(Tape<T>& tape, Var x) {
  return unary(
      tape, x, [](const auto& v) { return v.exp(); },
      [](const auto& /*v*/, const auto& y) { return y; });
}

template <typename T>
Var gelu(Tape<T>& tape, Var x) {
  const Var y = tape.output(tape.rows(x), tape.cols(x), {x});
  MatrixMap<T> curve = tape.scratch_matrix(tape.rows(x), tape.cols(x));
  curve.array() = gelu_tanh<T>(tape.value(x).array());
  tape.writable(y).array() = T(0.5) * tape.value(x).array() * (T(1) + curve.array());
  tape.on_backward(y, [=, data = curve.data()](Tape<T>& t) {
    const ConstMatrixMap<T> saved(data, t.value(x).rows(), t.value(x).cols());
    const auto v = t.value(x).array();
    const auto c = saved.array();
    const auto inner = kGeluScale<T> * (T(1) + T(3) * kGeluCubic<T> * v * v);
    t.add_gradient(x, t.gradient(y).array() * T(0.5) * (T(1) + c + v * (T(1) - c * c) * inner));
  });
  return y;
}

#define HLOSCOPE_NN_INSTANTIATE(T)           \
  template Var relu(Tape<T>&, Var);          \
  template Var leaky_relu(Tape<T>&, Var, T); \
  template Var tanh(Tape<T>&, Var);          \
  template Var sigmoid(Tape<T>&, Var);       \
  template Var exp(Tape<T>&, Var);           \
  template Var gelu(Tape<T>&, Var);
HLOSCOPE_NN_INSTANTIATE(float)
HLOSCOPE_NN_INSTANTIATE(double)
#undef HLOSCOPE_NN_INSTANTIATE

}  // namespace hloscope::nn
