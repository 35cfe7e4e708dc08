#pragma once

#include <span>

#include "core/nn/segments.h"
#include "core/nn/tape.h"

// Losses: predictions [n x 1] against n targets. A row whose target is not finite has no target and
// takes no part. Where no term is left the loss is 0, without gradient. Targets are referred to and
// must outlive the step.

namespace hloscope::nn {

/// The mean loss [1 x 1] of a batch or of a part of it, and how many terms it is the mean of.
struct PartLoss {
  Var loss;
  double weight = 0.0;  ///< 0: there are no terms, DataParallel does not use `loss`
};

/// Ranking losses compare the rows of one segment: the configurations of one kernel. A row with a
/// larger target (a longer time) should get the larger prediction. n is the number of rows of a
/// segment that have a target.
template <typename T>
struct RankingTargets {
  std::span<const T> values;
  Segments segments;
};

enum class PairLoss {
  kHinge,     ///< max(0, 1 - z)
  kLogistic,  ///< log(1 + exp(-z))
};
/// For a segment: the sum, over its pairs with target i > target j, of the pair loss of
/// z = prediction i - prediction j, divided by n (n - 1) / 2 (arXiv 2008.01040, section 3.3). The
/// loss is the mean over the segments that have such a pair.
template <typename T>
[[nodiscard]] PartLoss pairwise_loss(Tape<T>& tape, Var prediction, RankingTargets<T> targets,
                                     PairLoss kind);

/// For a segment: -log of the probability that the Plackett-Luce model with scores -prediction
/// draws its rows in order of rising target, divided by n; equal targets in order of rows (Xia et
/// al., ICML 2008, "Listwise approach to learning to rank"). The loss is the mean over the segments
/// with n >= 2.
template <typename T>
[[nodiscard]] PartLoss list_mle_loss(Tape<T>& tape, Var prediction, RankingTargets<T> targets);

/// Mean over rows with a target of (prediction - target)^2.
template <typename T>
[[nodiscard]] PartLoss mse_loss(Tape<T>& tape, Var prediction, std::span<const T> targets);

/// Sum over rows with a target of weight (prediction - target)^2, divided by the sum of their
/// weights, which is PartLoss::weight. Weights are finite and not negative.
template <typename T>
[[nodiscard]] PartLoss weighted_mse_loss(Tape<T>& tape, Var prediction, std::span<const T> targets,
                                         std::span<const T> weights);

/// Mean over rows with a target other than 0 of |prediction - target| / |target|: a fraction.
template <typename T>
[[nodiscard]] PartLoss mape_loss(Tape<T>& tape, Var prediction, std::span<const T> targets);

}  // namespace hloscope::nn
