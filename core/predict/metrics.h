#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/predict/example_set.h"

namespace hloscope::predict {

/// What a model says of some examples. To be ranked: any scores that grow with the time, compared
/// within one example only. Of task fusion: times in ns.
struct Predictions {
  std::vector<uint32_t> examples;           ///< Positions in ExampleSet::examples.
  std::vector<std::vector<double>> scores;  ///< By position in `examples`, then by sample.
};

/// How well the configurations of one example are ranked.
struct RankingRow {
  uint32_t example = 0;
  size_t configurations = 0;  ///< Distinct ones.
  // None under 10 configurations; tau and OPA also where all times or all scores are equal.
  std::optional<double> kendall_tau;  ///< Tau-b.
  std::optional<double> opa;          ///< Pairs of different times in the right order, a fraction.
  std::optional<double> top1_slowdown, top5_slowdown, top10_slowdown;
  double chosen_ns = 0;  ///< Time of the configuration with the least score.
  double best_ns = 0;
};

/// Mean over examples, and over their configurations: an example counts as often as it has any.
struct Mean {
  size_t n = 0;  ///< Examples that have a value.
  double mean = 0;
  double row_mean = 0;
};

/// Regret of a program: sum of |chosen - best| over sum of best, over its kernels
/// ("A Learned Performance Model for Tensor Processing Units", MLSys 2021: Tile-Size APE).
struct ProgramRegret {
  uint32_t program = 0;  ///< Position in ExampleSet::programs.
  size_t kernels = 0;
  double ape = 0;
};

/// Errors are fractions. Means are over the examples with 10 or more distinct configurations.
struct RankingMetrics {
  std::vector<RankingRow> rows;  ///< In the order of the predictions.
  size_t skipped = 0;            ///< Examples without a score for each sample.
  Mean kendall_tau, opa, top1_slowdown, top5_slowdown, top10_slowdown;
  std::vector<ProgramRegret> programs;  ///< By position.
  std::optional<double> mean_ape;       ///< Over programs.
};
/// For tiles of kernels and for layouts of programs. Programs are those of the part of the example.
[[nodiscard]] RankingMetrics ranking_metrics(const ExampleSet& set, const Predictions& predictions);

/// Of some kernels; none where it is undefined (see analysis/metrics.h).
struct TimeErrors {
  size_t n = 0;
  std::optional<double> mape, median_ape, kendall_tau, spearman;
};

/// Of one run of a program: kernels by their executions in its default fusion.
struct ProgramTime {
  uint32_t program = 0;
  size_t kernels = 0;
  double target_ns = 0;
  double predicted_ns = 0;
  TimeErrors large;  ///< Of all its kernels that were met, of 5 us and more.
  TimeErrors all;
};

/// Errors are fractions.
struct TimeMetrics {
  static constexpr double kLargeNs = 5000;
  TimeErrors large;  ///< Kernels of 5 us and more.
  TimeErrors small;  ///< Under 5 us.
  TimeErrors all;
  size_t skipped = 0;                     ///< Examples without a time for their default sample.
  std::vector<ProgramTime> programs;      ///< By position.
  std::optional<double> mean_large_mape;  ///< Over programs.
  std::optional<double> program_mape;     ///< Of the sums over programs.
};
/// Of the default sample of each example.
[[nodiscard]] TimeMetrics time_metrics(const ExampleSet& set, const Predictions& predictions);

}  // namespace hloscope::predict
