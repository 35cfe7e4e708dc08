#include "core/accuracy/least_squares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hloscope::accuracy {

namespace {

constexpr double kDifference = 1e-3;
constexpr double kLeastStep = 1e-4;
constexpr double kLeastGain = 1e-6;
constexpr int kMaxIterations = 40;
constexpr double kFirstDamping = 1e-3;
constexpr double kMaxDamping = 1e8;

double half_square(const std::vector<double>& r) {
  return 0.5 * std::inner_product(r.begin(), r.end(), r.begin(), 0.0);
}

class Solver {
 public:
  Solver(const Residuals& residuals, std::vector<double> start, ThreadPool& threads)
      : residuals_(residuals), x_(std::move(start)), threads_(threads), r_(residuals_(x_)) {
    cost_ = half_square(r_);
  }

  Result<LeastSquaresFit> run(const Progress& progress) {
    int i = 0;
    for (; i < kMaxIterations; ++i) {
      if (progress.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
      progress.report(static_cast<double>(i) / kMaxIterations, "fitting");
      linearise();
      if (!step()) break;
    }
    progress.report(1, "fitting");
    return LeastSquaresFit{x_, cost_, i};
  }

 private:
  size_t n() const { return x_.size(); }

  // Normal matrix and gradient at x_.
  void linearise() {
    std::vector<std::vector<double>> columns(n());
    threads_.parallel_for(n(), [&](size_t c) {
      std::vector<double> moved = x_;
      moved[c] += kDifference;
      columns[c] = residuals_(moved);
      for (size_t i = 0; i < r_.size(); ++i) columns[c][i] = (columns[c][i] - r_[i]) / kDifference;
    });
    normal_.assign(n() * n(), 0);
    gradient_.assign(n(), 0);
    for (size_t a = 0; a < n(); ++a) {
      const std::vector<double>& column = columns[a];
      gradient_[a] = std::inner_product(column.begin(), column.end(), r_.begin(), 0.0);
      for (size_t b = 0; b <= a; ++b) {
        normal_[a * n() + b] = normal_[b * n() + a] =
            std::inner_product(column.begin(), column.end(), columns[b].begin(), 0.0);
      }
    }
  }

  // Moves to a better point; false when there is none worth the work.
  bool step() {
    for (; damping_ < kMaxDamping; damping_ *= 4) {
      std::vector<double> damped = normal_;
      for (size_t i = 0; i < n(); ++i) damped[i * n() + i] *= 1 + damping_;
      const std::vector<double> change = solve_spd(std::move(damped), gradient_);
      if (change.empty()) continue;
      std::vector<double> moved = x_;
      double longest = 0;
      for (size_t i = 0; i < n(); ++i) {
        moved[i] -= change[i];
        longest = std::max(longest, std::abs(change[i]));
      }
      std::vector<double> r = residuals_(moved);
      const double cost = half_square(r);
      if (cost < cost_) {
        const bool go_on = longest > kLeastStep && cost_ - cost > kLeastGain * cost_;
        x_ = std::move(moved);
        r_ = std::move(r);
        cost_ = cost;
        damping_ /= 8;
        return go_on;
      }
      if (longest < kLeastStep) return false;
    }
    return false;
  }

  const Residuals& residuals_;
  std::vector<double> x_;
  ThreadPool& threads_;
  std::vector<double> r_;
  double cost_ = 0;
  double damping_ = kFirstDamping;
  std::vector<double> normal_;
  std::vector<double> gradient_;
};

}  // namespace

std::vector<double> solve_spd(std::vector<double> a, std::vector<double> b) {
  const size_t n = b.size();
  const auto at = [&a, n](size_t i, size_t j) -> double& { return a[i * n + j]; };
  // A = L L', L in the lower half.
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = j; i < n; ++i) {
      for (size_t k = 0; k < j; ++k) at(i, j) -= at(i, k) * at(j, k);
      if (i > j) {
        at(i, j) /= at(j, j);
        continue;
      }
      if (!(at(j, j) > 0)) return {};
      at(j, j) = std::sqrt(at(j, j));
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) b[i] -= at(i, k) * b[k];
    b[i] /= at(i, i);
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) b[i] -= at(k, i) * b[k];
    b[i] /= at(i, i);
  }
  return b;
}

Result<LeastSquaresFit> least_squares(const Residuals& residuals, std::vector<double> start,
                                      ThreadPool& threads, const Progress& progress) {
  return Solver(residuals, std::move(start), threads).run(progress);
}

}  // namespace hloscope::accuracy
