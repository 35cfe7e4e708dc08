#include <cmath>

#include "core/nn/losses.h"

namespace hloscope::nn {

namespace {

/// term(i, difference) gives the value of row i and its slope in the prediction; the loss is the
/// sum of all, divided by `divisor`.
template <typename T>
struct Term {
  T value = 0;
  T slope = 0;
};

template <typename T, typename TermOf>
PartLoss sum_of_terms(Tape<T>& tape, Var prediction, double divisor, TermOf term_of) {
  assert(tape.cols(prediction) == 1);
  const Var y = tape.output(1, 1, {prediction});
  const T* p = tape.value(prediction).data();
  const size_t n = tape.rows(prediction);
  const T share = divisor > 0.0 ? static_cast<T>(1.0 / divisor) : T(0);
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += static_cast<double>(term_of(i, p[i]).value);
  tape.writable(y)(0, 0) = static_cast<T>(sum) * share;
  tape.on_backward(y, [=](Tape<T>& t) {
    const T gradient = t.gradient(y)(0, 0) * share;
    T* out = t.gradient_sum(prediction).data();
    for (size_t i = 0; i < n; ++i) out[i] += gradient * term_of(i, p[i]).slope;
  });
  return {y, divisor};
}

}  // namespace

template <typename T>
PartLoss mse_loss(Tape<T>& tape, Var prediction, std::span<const T> targets) {
  assert(targets.size() == tape.rows(prediction));
  double rows = 0.0;
  for (const T target : targets) rows += std::isfinite(target) ? 1.0 : 0.0;
  return sum_of_terms(tape, prediction, rows, [targets](size_t i, T p) -> Term<T> {
    if (!std::isfinite(targets[i])) return {};
    const T difference = p - targets[i];
    return {difference * difference, T(2) * difference};
  });
}

template <typename T>
PartLoss weighted_mse_loss(Tape<T>& tape, Var prediction, std::span<const T> targets,
                           std::span<const T> weights) {
  assert(targets.size() == tape.rows(prediction) && weights.size() == targets.size());
  double sum = 0.0;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (std::isfinite(targets[i])) sum += static_cast<double>(weights[i]);
  }
  return sum_of_terms(tape, prediction, sum, [targets, weights](size_t i, T p) -> Term<T> {
    if (!std::isfinite(targets[i])) return {};
    const T difference = p - targets[i];
    return {weights[i] * difference * difference, T(2) * weights[i] * difference};
  });
}

template <typename T>
PartLoss mape_loss(Tape<T>& tape, Var prediction, std::span<const T> targets) {
  assert(targets.size() == tape.rows(prediction));
  const auto valid = [](T target) { return std::isfinite(target) && target != T(0); };
  double rows = 0.0;
  for (const T target : targets) rows += valid(target) ? 1.0 : 0.0;
  return sum_of_terms(tape, prediction, rows, [targets, valid](size_t i, T p) -> Term<T> {
    if (!valid(targets[i])) return {};
    const T difference = p - targets[i];
    const T size = std::abs(targets[i]);
    const T sign = difference > T(0) ? T(1) : difference < T(0) ? T(-1) : T(0);
    return {std::abs(difference) / size, sign / size};
  });
}

#define HLOSCOPE_NN_INSTANTIATE(T)                                                            \
  template PartLoss mse_loss(Tape<T>&, Var, std::span<const T>);                              \
  template PartLoss weighted_mse_loss(Tape<T>&, Var, std::span<const T>, std::span<const T>); \
  template PartLoss mape_loss(Tape<T>&, Var, std::span<const T>);
HLOSCOPE_NN_INSTANTIATE(float)
HLOSCOPE_NN_INSTANTIATE(double)
#undef HLOSCOPE_NN_INSTANTIATE

}  // namespace hloscope::nn
