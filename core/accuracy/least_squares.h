#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"

namespace hloscope::accuracy {

/// The residuals at a point; called from several threads at once.
using Residuals = std::function<std::vector<double>(std::span<const double> x)>;

struct LeastSquaresFit {
  std::vector<double> x;
  double cost = 0;  ///< Half the sum of the squared residuals.
  int iterations = 0;
};

/// Levenberg-Marquardt with forward differences (Marquardt 1963: the damping is scaled by the
/// diagonal of J'J). Stops when a step changes no unknown by more than 1e-4, or the cost by less
/// than 1e-6 of itself, or after 40 steps. Meant for a few dozen unknowns of about the size of 1.
/// Deterministic, whatever the number of threads. Error: kCancelled.
[[nodiscard]] Result<LeastSquaresFit> least_squares(const Residuals& residuals,
                                                    std::vector<double> start, ThreadPool& threads,
                                                    const Progress& progress = {});

/// x of A x = b for a symmetric positive definite A, n x n row-major, by Cholesky's method; empty
/// when A is not positive definite.
[[nodiscard]] std::vector<double> solve_spd(std::vector<double> a, std::vector<double> b);

}  // namespace hloscope::accuracy
