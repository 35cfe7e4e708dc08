#include <algorithm>

#include "core/nn/operations.h"

namespace hloscope::nn {

template <typename T>
Var add(Tape<T>& tape, Var a, Var b) {
  assert(tape.rows(a) == tape.rows(b) && tape.cols(a) == tape.cols(b));
  const Var y = tape.output(tape.rows(a), tape.cols(a), {a, b});
  tape.writable(y) = tape.value(a) + tape.value(b);
  tape.on_backward(y, [=](Tape<T>& t) {
    t.add_gradient(a, t.gradient(y).array());
    t.add_gradient(b, t.gradient(y).array());
  });
  return y;
}

template <typename T>
Var multiply(Tape<T>& tape, Var a, Var b) {
  assert(tape.rows(a) == tape.rows(b) && tape.cols(a) == tape.cols(b));
  const Var y = tape.output(tape.rows(a), tape.cols(a), {a, b});
  tape.writable(y).array() = tape.value(a).array() * tape.value(b).array();
  tape.on_backward(y, [=](Tape<T>& t) {
    t.add_gradient(a, t.gradient(y).array() * t.value(b).array());
    t.add_gradient(b, t.gradient(y).array() * t.value(a).array());
  });
  return y;
}

template <typename T>
Var scale(Tape<T>& tape, Var x, T factor) {
  const Var y = tape.output(tape.rows(x), tape.cols(x), {x});
  tape.writable(y).array() = tape.value(x).array() * factor;
  tape.on_backward(y, [=](Tape<T>& t) { t.add_gradient(x, t.gradient(y).array() * factor); });
  return y;
}

template <typename T>
Var dropout(Tape<T>& tape, Var x, double probability, Rng& rng) {
  assert(probability >= 0.0 && probability < 1.0);
  if (probability == 0.0) return x;
  const Var mask = tape.input(tape.rows(x), tape.cols(x));
  const auto kept = static_cast<T>(1.0 / (1.0 - probability));
  MatrixMap<T> factors = tape.writable(mask);
  std::generate_n(factors.data(), factors.size(),
                  [&] { return rng.uniform() < probability ? T(0) : kept; });
  return multiply(tape, x, mask);
}

template <typename T>
Var concat_columns(Tape<T>& tape, std::span<const Var> parts) {
  assert(!parts.empty());
  const std::span<Var> kept = tape.template scratch<Var>(parts.size());
  std::copy(parts.begin(), parts.end(), kept.begin());
  size_t cols = 0;
  for (const Var part : parts) {
    assert(tape.rows(part) == tape.rows(parts.front()));
    cols += tape.cols(part);
  }
  const Var y = tape.output(tape.rows(parts.front()), cols, parts);
  Eigen::Index at = 0;
  for (const Var part : parts) {
    const ConstMatrixMap<T> value = tape.value(part);
    tape.writable(y).middleCols(at, value.cols()) = value;
    at += value.cols();
  }
  tape.on_backward(y, [=](Tape<T>& t) {
    const MatrixMap<T> gradient = t.gradient(y);
    Eigen::Index start = 0;
    for (const Var part : kept) {
      const auto width = static_cast<Eigen::Index>(t.cols(part));
      t.add_gradient(part, gradient.middleCols(start, width).array());
      start += width;
    }
  });
  return y;
}

template <typename T>
Var scale_shift(Tape<T>& tape, Var x, Var gain, Var shift) {
  assert(tape.cols(gain) == tape.cols(x) && tape.cols(shift) == tape.cols(x));
  const Var y = tape.output(tape.rows(x), tape.cols(x), {x, gain, shift});
  tape.writable(y).array() =
      (tape.value(x).array().rowwise() * tape.value(gain).array().row(0)).rowwise() +
      tape.value(shift).array().row(0);
  tape.on_backward(y, [=](Tape<T>& t) {
    const MatrixMap<T> gradient = t.gradient(y);
    t.add_gradient(x, gradient.array().rowwise() * t.value(gain).array().row(0));
    const ConstMatrixMap<T> value = t.value(x);
    for (Eigen::Index r = 0; r < gradient.rows(); ++r) {
      t.add_gradient(gain, (gradient.row(r).array() * value.row(r).array()));
      t.add_gradient(shift, gradient.row(r).array());
    }
  });
  return y;
}

#define HLOSCOPE_NN_INSTANTIATE(T)                             \
  template Var add(Tape<T>&, Var, Var);                        \
  template Var multiply(Tape<T>&, Var, Var);                   \
  template Var scale(Tape<T>&, Var, T);                        \
  template Var dropout(Tape<T>&, Var, double, Rng&);           \
  template Var concat_columns(Tape<T>&, std::span<const Var>); \
  template Var scale_shift(Tape<T>&, Var, Var, Var);
HLOSCOPE_NN_INSTANTIATE(float)
HLOSCOPE_NN_INSTANTIATE(double)
#undef HLOSCOPE_NN_INSTANTIATE

}  // namespace hloscope::nn
