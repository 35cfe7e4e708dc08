#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hloscope::accuracy {

/// How well a model ranks the tiles of one kernel.
struct Ranking {
  size_t tiles = 0;  ///< Distinct ones.
  /// Kendall's tau-b of estimated and measured times; none under 10 tiles or when all are tied.
  std::optional<double> kendall_tau;
  /// Fastest measured time among the first k tiles by the model / fastest of all - 1; none under
  /// 10 tiles.
  std::optional<double> top1_slowdown;
  std::optional<double> top5_slowdown;
  std::optional<double> top10_slowdown;
  /// analysis::ordered_pair_accuracy(); none under 10 tiles or when all measured times are equal.
  std::optional<double> opa;
};

/// A tile that was run, by kernel.
struct RankedRun {
  std::span<const int64_t> bounds;
  double estimated_ns = 0;
  double measured_ns = 0;
};

/// Runs of one kernel; equal bounds count as one tile, with the mean of their measured times. Of
/// tiles that the model gives the same time, the one that stands first here comes first.
[[nodiscard]] Ranking rank(std::span<const RankedRun> runs);
/// Of distinct tiles. Estimates may be any scores that grow with the time.
[[nodiscard]] Ranking rank_distinct(std::span<const double> estimated,
                                    std::span<const double> measured_ns);

}  // namespace hloscope::accuracy
