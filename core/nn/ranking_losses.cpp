#include <algorithm>
#include <cmath>

#include "core/nn/losses.h"

namespace hloscope::nn {

namespace {

template <typename T>
using Column = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;

/// The rows of one segment that have a target, and room for the gradient of their predictions.
template <typename T>
struct List {
  std::span<uint32_t> rows;
  std::span<T> prediction;
  std::span<T> target;
  std::span<T> gradient;
  std::span<T> work;

  [[nodiscard]] size_t size() const { return rows.size(); }
};

template <typename T>
List<T> make_list(Tape<T>& tape, Var prediction, const RankingTargets<T>& targets, size_t s) {
  const size_t most = targets.segments.size(s);
  std::span<uint32_t> rows = tape.template scratch<uint32_t>(most);
  size_t n = 0;
  for (size_t r = targets.segments.begin(s); r < targets.segments.end(s); ++r) {
    if (std::isfinite(targets.values[r])) rows[n++] = static_cast<uint32_t>(r);
  }
  const auto numbers = [&] { return tape.template scratch<T>(n); };
  List<T> list{rows.first(n), numbers(), numbers(), numbers(), numbers()};
  for (size_t i = 0; i < n; ++i) {
    list.prediction[i] = tape.value(prediction)(rows[i], 0);
    list.target[i] = targets.values[rows[i]];
    list.gradient[i] = T(0);
  }
  return list;
}

/// The sum of the losses of lists, divided by the number of those that `loss_of` counts. loss_of
/// (list, &loss) is false for a list without terms, and else fills the gradient as well.
template <typename T, typename LossOf>
PartLoss mean_of_lists(Tape<T>& tape, Var prediction, const RankingTargets<T>& targets,
                       LossOf loss_of) {
  assert(tape.cols(prediction) == 1 && targets.values.size() == tape.rows(prediction));
  assert(targets.segments.rows() == targets.values.size());
  const Var y = tape.output(1, 1, {prediction});
  const std::span<T> gradients = tape.template scratch<T>(targets.values.size());
  std::fill(gradients.begin(), gradients.end(), T(0));
  double sum = 0.0;
  double lists = 0.0;
  for (size_t s = 0; s < targets.segments.count(); ++s) {
    const List<T> list = make_list(tape, prediction, targets, s);
    double loss = 0.0;
    if (!loss_of(list, &loss)) continue;
    for (size_t i = 0; i < list.size(); ++i) gradients[list.rows[i]] = list.gradient[i];
    sum += loss;
    lists += 1.0;
  }
  const auto share = static_cast<T>(lists > 0.0 ? 1.0 / lists : 0.0);
  tape.writable(y)(0, 0) = static_cast<T>(sum) * share;
  tape.on_backward(y, [=](Tape<T>& t) {
    add_scaled_row(t.gradient(y)(0, 0) * share, gradients.data(), gradients.size(),
                   t.gradient_sum(prediction).data());
  });
  return {y, lists};
}

// Pairs with the first row i: adds to the gradient, and returns the sum of their losses. `work` is
// -slope of each pair, 0 where the target of i is not larger.
template <typename T>
T pairs_of_row(const List<T>& list, size_t i, PairLoss kind) {
  const auto n = static_cast<Eigen::Index>(list.size());
  const Column<T> prediction(list.prediction.data(), n);
  const Column<T> target(list.target.data(), n);
  Column<T> slope(list.work.data(), n);
  const auto counts = (target < list.target[i]).template cast<T>();
  const auto z = list.prediction[i] - prediction;
  T loss = 0;
  if (kind == PairLoss::kHinge) {
    loss = ((T(1) - z).max(T(0)) * counts).sum();
    slope = (z < T(1)).template cast<T>() * counts;
  } else {
    // log(1 + exp(-z)) = max(0, -z) + log(1 + exp(-|z|)), which cannot overflow.
    loss = (((-z).max(T(0)) + (-z.abs()).exp().log1p()) * counts).sum();
    slope = (-z).logistic() * counts;
  }
  Column<T>(list.gradient.data(), n) += slope;
  list.gradient[i] -= slope.sum();
  return loss;
}

template <typename T>
bool pairwise(const List<T>& list, PairLoss kind, double* loss) {
  const auto n = static_cast<double>(list.size());
  if (list.size() < 2 || std::all_of(list.target.begin(), list.target.end(),
                                     [&](T target) { return target == list.target[0]; })) {
    return false;
  }
  const double share = 2.0 / (n * (n - 1.0));
  for (size_t i = 0; i < list.size(); ++i) {
    *loss += static_cast<double>(pairs_of_row(list, i, kind)) * share;
  }
  for (T& gradient : list.gradient) gradient *= static_cast<T>(share);
  return true;
}

// With s = -prediction in order of rising target, and L_i = log(sum of exp(s_k) over k >= i), the
// loss is sum(L_i - s_i) / n, and its slope in s_k is (sum of exp(s_k - L_i) over i <= k - 1) / n.
// Both sums are taken relative to the L_i, which rise towards the front, so nothing overflows.
template <typename T>
bool list_mle(const List<T>& list, std::span<uint32_t> order, double* loss) {
  const size_t n = list.size();
  if (n < 2) return false;
  for (size_t i = 0; i < n; ++i) order[i] = static_cast<uint32_t>(i);
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n),
            [&](uint32_t a, uint32_t b) {
              return list.target[a] != list.target[b] ? list.target[a] < list.target[b] : a < b;
            });
  const auto score = [&](size_t i) { return -list.prediction[order[i]]; };
  std::span<T> log_sums = list.work;
  for (size_t i = n; i-- > 0;) {
    const T later = i + 1 == n ? score(i) : log_sums[i + 1];
    const T high = std::max(later, score(i));
    const T low = std::min(later, score(i));
    log_sums[i] = i + 1 == n ? score(i) : high + std::log1p(std::exp(low - high));
    *loss += static_cast<double>(log_sums[i] - score(i)) / static_cast<double>(n);
  }
  T inverse = 0;  // sum over i <= k of exp(L_k - L_i)
  for (size_t k = 0; k < n; ++k) {
    inverse = (k == 0 ? T(0) : inverse * std::exp(log_sums[k] - log_sums[k - 1])) + T(1);
    const T slope = inverse * std::exp(score(k) - log_sums[k]) - T(1);
    list.gradient[order[k]] = -slope / static_cast<T>(n);
  }
  return true;
}

}  // namespace

template <typename T>
PartLoss pairwise_loss(Tape<T>& tape, Var prediction, RankingTargets<T> targets, PairLoss kind) {
  return mean_of_lists(tape, prediction, targets, [kind](const List<T>& list, double* loss) {
    return pairwise(list, kind, loss);
  });
}

template <typename T>
PartLoss list_mle_loss(Tape<T>& tape, Var prediction, RankingTargets<T> targets) {
  const std::span<uint32_t> order = tape.template scratch<uint32_t>(targets.segments.longest());
  return mean_of_lists(tape, prediction, targets, [order](const List<T>& list, double* loss) {
    return list_mle(list, order, loss);
  });
}

#define HLOSCOPE_NN_INSTANTIATE(T)                                             \
  template PartLoss pairwise_loss(Tape<T>&, Var, RankingTargets<T>, PairLoss); \
  template PartLoss list_mle_loss(Tape<T>&, Var, RankingTargets<T>);
HLOSCOPE_NN_INSTANTIATE(float)
HLOSCOPE_NN_INSTANTIATE(double)
#undef HLOSCOPE_NN_INSTANTIATE

}  // namespace hloscope::nn
