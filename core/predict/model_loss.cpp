#include "core/predict/model_loss.h"

#include <cmath>
#include <limits>

#include "core/nn/operations.h"

namespace hloscope::predict {

namespace {

template <typename T>
nn::PartLoss weighted_mse(nn::Tape<T>& tape, const Batch<T>& batch, nn::Var prediction) {
  const std::span<T> weights = tape.template scratch<T>(batch.targets.size());
  for (size_t s = 0; s < weights.size(); ++s) {
    const T target = batch.targets[s];
    weights[s] = std::isfinite(target) ? std::exp(target / T(2)) : T(0);
  }
  return nn::weighted_mse_loss<T>(tape, prediction, batch.targets, weights);
}

// |exp(p) - exp(t)| / exp(t) = |exp(p - t) - 1|, where no number gets large.
template <typename T>
nn::PartLoss mape(nn::Tape<T>& tape, const Batch<T>& batch, nn::Var prediction) {
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
  switch (loss) {
    case Loss::kPairwiseHinge:
      return nn::pairwise_loss(tape, prediction, ranking, nn::PairLoss::kHinge);
    case Loss::kPairwiseLogistic:
      return nn::pairwise_loss(tape, prediction, ranking, nn::PairLoss::kLogistic);
    case Loss::kListMle:
      return nn::list_mle_loss(tape, prediction, ranking);
    case Loss::kMse:
      return nn::mse_loss(tape, prediction, targets);
    case Loss::kWeightedMse:
      return weighted_mse(tape, batch, prediction);
    case Loss::kMape:
      return mape(tape, batch, prediction);
  }
  return {};
}

template nn::PartLoss model_loss(nn::Tape<float>&, const Batch<float>&, nn::Var, Loss);
template nn::PartLoss model_loss(nn::Tape<double>&, const Batch<double>&, nn::Var, Loss);

}  // namespace hloscope::predict
