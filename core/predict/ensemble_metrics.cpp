#include "core/predict/ensemble_metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/metrics.h"
#include "core/predict/batching.h"

namespace hloscope::predict {

namespace {

constexpr double kLargestShare = 0.1;
constexpr size_t kFewestFarthest = 20;

ErrorSummary summary_of(const EnsembleErrors& errors, const std::vector<bool>& takes) {
  std::vector<double> predicted_ns;
  std::vector<double> true_ns;
  for (size_t i = 0; i < takes.size(); ++i) {
    if (!takes[i]) continue;
    predicted_ns.push_back(errors.predicted_ns[i]);
    true_ns.push_back(errors.true_ns[i]);
  }
  ErrorSummary out{.kernels = true_ns.size(), .mape = {}, .median_ape = {}};
  if (out.kernels == 0) return out;
  out.mape = analysis::mape(predicted_ns, true_ns);
  out.median_ape = analysis::median_ape(predicted_ns, true_ns);
  return out;
}

std::vector<bool> with_largest_errors(std::span<const double> errors) {
  std::vector<bool> out(errors.size());
  std::vector<size_t> order(errors.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return std::abs(errors[i]); });
  order.resize(static_cast<size_t>(kLargestShare * static_cast<double>(order.size())));
  for (const size_t i : order) out[i] = true;
  return out;
}

}  // namespace

Result<EnsembleErrors> ensemble_errors(const ExampleSet& set, std::span<const uint32_t> examples,
                                       const Ensemble& ensemble, ThreadPool& pool,
                                       const Progress& progress) {
  HLOSCOPE_ASSIGN(const std::vector<EnsembleScores> scores,
                  predict_ensemble(set, examples, ensemble, pool, progress));
  EnsembleErrors out;
  for (size_t i = 0; i < examples.size(); ++i) {
    const Example& example = set.examples[examples[i]];
    const size_t sample = example.default_sample;
    const double true_ns = example.times_ns[sample];
    out.true_ns.push_back(true_ns);
    out.predicted_ns.push_back(std::exp(scores[i].mean[sample]));
    out.deviations.push_back(scores[i].deviation[sample]);
    out.errors.push_back(scores[i].mean[sample] - log_ns(true_ns));
  }
  if (const Novelty* novelty = ensemble.novelty()) {
    out.distances = novelty->distances(set, examples, ensemble.first().normaliser, pool);
  }
  return out;
}

EnsembleMetrics ensemble_metrics(const EnsembleErrors& errors, const SpreadFit& spread,
                                 std::optional<double> far_threshold) {
  const size_t count = errors.errors.size();
  EnsembleMetrics out;
  out.all = summary_of(errors, std::vector<bool>(count, true));
  std::vector<bool> is_far(count);
  size_t covered = 0;
  for (size_t i = 0; i < count; ++i) {
    is_far[i] = far_threshold && !errors.distances.empty() && errors.distances[i] > *far_threshold;
    if (std::abs(errors.errors[i]) <= spread.width(errors.deviations[i])) ++covered;
  }
  if (count > 0) out.coverage = static_cast<double>(covered) / static_cast<double>(count);
  out.far = summary_of(errors, is_far);
  is_far.flip();
  out.near = summary_of(errors, is_far);
  if (count < kFewestFarthest) return out;
  const std::vector<bool> is_wrong = with_largest_errors(errors.errors);
  out.deviation_auc = area_under_curve(errors.deviations, is_wrong);
  if (!errors.distances.empty()) out.distance_auc = area_under_curve(errors.distances, is_wrong);
  return out;
}

std::optional<double> area_under_curve(std::span<const double> scores,
                                       const std::vector<bool>& is_positive) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return scores[i]; });
  double below = 0;  // Negatives with a smaller score.
  double positives = 0;
  double wins = 0;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    double tied_positives = 0;
    double tied_negatives = 0;
    for (; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end) {
      (is_positive[order[end]] ? tied_positives : tied_negatives) += 1;
    }
    wins += tied_positives * (below + tied_negatives / 2);
    positives += tied_positives;
    below += tied_negatives;
  }
  if (positives == 0 || below == 0) return std::nullopt;
  return wins / (positives * below);
}

}  // namespace hloscope::predict
