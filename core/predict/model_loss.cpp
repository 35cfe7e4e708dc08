#include "core/predict/model_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/nn/losses.h"

namespace hloscope::predict {

namespace {

// Kernels of which a ranking loss has a term: pairs of different targets, or for a list any two.
template <typename T>
double ranked_kernels(const Batch<T>& batch, bool pairs) {
  double kernels = 0;
  const nn::Segments samples = batch.samples_of_graphs();
  for (size_t g = 0; g < samples.count(); ++g) {
    size_t finite = 0;
    T least = std::numeric_limits<T>::infinity();
    T most = -least;
    for (size_t s = samples.begin(g); s < samples.end(g); ++s) {
      if (!std::isfinite(batch.targets[s])) continue;
      ++finite;
      least = std::min(least, batch.targets[s]);
      most = std::max(most, batch.targets[s]);
    }
    kernels += (pairs ? most > least : finite >= 2) ? 1 : 0;
  }
  return kernels;
}

template <typename T>
nn::PartLoss weighted_mse(nn::Tape<T>& tape, const Batch<T>& batch, nn::Var prediction) {
  const std::span<T> weights = tape.template scratch<T>(batch.targets.size());
  double sum = 0;
  for (size_t s = 0; s < weights.size(); ++s) {
    const T target = batch.targets[s];
    weights[s] = std::isfinite(target) ? std::exp(target / T(2)) : T(0);
    sum += static_cast<double>(weights[s]);
  }
  const std::span<const T> targets(batch.targets);
  return {nn::weighted_mse_loss<T>(tape, prediction, targets, weights), sum};
}

// |exp(p) - exp(t)| / exp(t) = |exp(p - t) - 1|, where no number gets large.
template <typename T>
nn::Var mape(nn::Tape<T>& tape, const Batch<T>& batch, nn::Var prediction) {
  const size_t n = batch.targets.size();
  const nn::Var minus = tape.input(n, 1);
  const std::span<T> ones = tape.template scratch<T>(n);
  T* to = tape.writable(minus).data();
  for (size_t s = 0; s < n; ++s) {
    const bool known = std::isfinite(batch.targets[s]);
    to[s] = known ? -batch.targets[s] : T(0);
    ones[s] = known ? T(1) : std::numeric_limits<T>::quiet_NaN();
  }
  const nn::Var ratio = nn::exp(tape, nn::add(tape, prediction, minus));
  return nn::mape_loss<T>(tape, ratio, ones);
}

}  // namespace

template <typename T>
nn::PartLoss model_loss(nn::Tape<T>& tape, const Batch<T>& batch, nn::Var prediction, Loss loss) {
  assert(batch.targets.size() == batch.samples());
  const std::span<const T> targets(batch.targets);
  const nn::RankingTargets<T> ranking{targets, batch.samples_of_graphs()};
  const auto known = static_cast<double>(
      std::ranges::count_if(targets, [](T target) { return std::isfinite(target); }));
  switch (loss) {
    case Loss::kPairwiseHinge:
      return {nn::pairwise_loss(tape, prediction, ranking, nn::PairLoss::kHinge),
              ranked_kernels(batch, true)};
    case Loss::kPairwiseLogistic:
      return {nn::pairwise_loss(tape, prediction, ranking, nn::PairLoss::kLogistic),
              ranked_kernels(batch, true)};
    case Loss::kListMle:
      return {nn::list_mle_loss(tape, prediction, ranking), ranked_kernels(batch, false)};
    case Loss::kMse:
      return {nn::mse_loss(tape, prediction, targets), known};
    case Loss::kWeightedMse:
      return weighted_mse(tape, batch, prediction);
    case Loss::kMape:
      return {mape(tape, batch, prediction), known};
  }
  return {};
}

template nn::PartLoss model_loss(nn::Tape<float>&, const Batch<float>&, nn::Var, Loss);
template nn::PartLoss model_loss(nn::Tape<double>&, const Batch<double>&, nn::Var, Loss);

}  // namespace hloscope::predict
