#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/predict/ensemble.h"

namespace hloscope::predict {

/// Errors of some kernels.
struct ErrorSummary {
  size_t kernels = 0;
  std::optional<double> mape, median_ape;  ///< Of ns; none without kernels.
};

/// How good the times of an ensemble are, and what its spread and its mark are worth.
struct EnsembleMetrics {
  ErrorSummary all;
  std::optional<double> coverage;  ///< Share of the true times between low and high.
  ErrorSummary near, far;          ///< By the mark; empty `far` also where there is none.
  /// Probability that a kernel among the tenth with the largest errors (of log time) has more of it
  /// than another kernel: 0.5 is chance. None where there are too few kernels.
  std::optional<double> deviation_auc, distance_auc;
};

/// What an ensemble of task fusion says of examples, beside what is true of them.
struct EnsembleErrors {
  std::vector<double> predicted_ns, true_ns;
  std::vector<double> deviations, errors;  ///< Of log time.
  std::vector<double> distances;           ///< Of Novelty; empty without.
};
/// Of the default sample of each example. Errors: those of predict_ensemble().
[[nodiscard]] Result<EnsembleErrors> ensemble_errors(const ExampleSet& set,
                                                     std::span<const uint32_t> examples,
                                                     const Ensemble& ensemble, ThreadPool& pool,
                                                     const Progress& progress = {});

/// `far_threshold`: none without a mark.
[[nodiscard]] EnsembleMetrics ensemble_metrics(const EnsembleErrors& errors,
                                               const SpreadFit& spread,
                                               std::optional<double> far_threshold);

/// Area under the receiver operating characteristic (Mann and Whitney): the probability that a
/// score of a positive is above one of a negative, ties half. None without either.
[[nodiscard]] std::optional<double> area_under_curve(std::span<const double> scores,
                                                     const std::vector<bool>& is_positive);

}  // namespace hloscope::predict
