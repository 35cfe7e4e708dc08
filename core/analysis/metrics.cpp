#include "core/analysis/metrics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace hloscope::analysis {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

std::vector<double> relative_errors(std::span<const double> estimate,
                                    std::span<const double> truth) {
  assert(estimate.size() == truth.size());
  std::vector<double> errors;
  errors.reserve(truth.size());
  for (size_t i = 0; i < truth.size(); ++i) {
    if (truth[i] > 0) errors.push_back(std::abs(estimate[i] - truth[i]) / truth[i]);
  }
  return errors;
}

double pairs(double n) {
  return n * (n - 1) / 2;
}

// Sum over runs of equal neighbours of the number of pairs in the run.
template <typename Equal>
double tied_pairs(size_t n, Equal equal) {
  double tied = 0;
  size_t begin = 0;
  for (size_t i = 1; i <= n; ++i) {
    if (i < n && equal(begin, i)) continue;
    tied += pairs(static_cast<double>(i - begin));
    begin = i;
  }
  return tied;
}

// Sorts values in [begin, end) and counts the pairs that were in descending order.
int64_t sort_counting_inversions(std::span<double> values, std::span<double> scratch) {
  const size_t n = values.size();
  int64_t inversions = 0;
  for (size_t width = 1; width < n; width *= 2) {
    for (size_t low = 0; low + width < n; low += 2 * width) {
      const size_t middle = low + width;
      const size_t high = std::min(middle + width, n);
      size_t i = low, j = middle;
      for (size_t k = low; k < high; ++k) {
        const bool take_right = j < high && (i == middle || values[j] < values[i]);
        if (take_right) inversions += static_cast<int64_t>(middle - i);
        scratch[k] = take_right ? values[j++] : values[i++];
      }
      std::copy(scratch.begin() + static_cast<std::ptrdiff_t>(low),
                scratch.begin() + static_cast<std::ptrdiff_t>(high),
                values.begin() + static_cast<std::ptrdiff_t>(low));
    }
  }
  return inversions;
}

// How the pairs of n values stand in two lists.
struct PairCounts {
  double all = 0;
  double tied_a = 0;
  double tied_b = 0;
  double concordant = 0;
  double discordant = 0;
};

// Knight's algorithm (JASA 1966): sort by a, then the inversions of b are the discordant pairs.
PairCounts count_pairs(std::span<const double> a, std::span<const double> b) {
  const size_t n = a.size();
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t i, size_t j) { return a[i] != a[j] ? a[i] < a[j] : b[i] < b[j]; });
  PairCounts out;
  out.tied_a = tied_pairs(n, [&](size_t i, size_t j) { return a[order[i]] == a[order[j]]; });
  const double tied_both = tied_pairs(n, [&](size_t i, size_t j) {
    return a[order[i]] == a[order[j]] && b[order[i]] == b[order[j]];
  });
  std::vector<double> values(n), scratch(n);
  for (size_t i = 0; i < n; ++i) values[i] = b[order[i]];
  out.discordant = static_cast<double>(sort_counting_inversions(values, scratch));
  out.tied_b = tied_pairs(n, [&](size_t i, size_t j) { return values[i] == values[j]; });
  out.all = pairs(static_cast<double>(n));
  out.concordant = out.all - out.tied_a - out.tied_b + tied_both - out.discordant;
  return out;
}

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
}

// From 1; equal values have the mean of their ranks.
std::vector<double> ranks(std::span<const double> values) {
  const size_t n = values.size();
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return values[i] < values[j]; });
  std::vector<double> out(n);
  for (size_t begin = 0; begin < n;) {
    size_t end = begin + 1;
    while (end < n && values[order[end]] == values[order[begin]]) ++end;
    for (size_t i = begin; i < end; ++i) out[order[i]] = static_cast<double>(begin + end + 1) / 2;
    begin = end;
  }
  return out;
}

}  // namespace

double mape(std::span<const double> estimate, std::span<const double> truth) {
  const std::vector<double> errors = relative_errors(estimate, truth);
  if (errors.empty()) return kUndefined;
  return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
}

double median_ape(std::span<const double> estimate, std::span<const double> truth) {
  std::vector<double> errors = relative_errors(estimate, truth);
  if (errors.empty()) return kUndefined;
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  if (errors.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(errors.begin(), middle)) / 2;
}

double kendall_tau(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  if (has_nan(a) || has_nan(b)) return kUndefined;
  const PairCounts counts = count_pairs(a, b);
  const double scale =
      std::sqrt(counts.all - counts.tied_a) * std::sqrt(counts.all - counts.tied_b);
  if (a.size() < 2 || scale == 0) return kUndefined;
  return std::clamp((counts.concordant - counts.discordant) / scale, -1.0, 1.0);
}

double ordered_pair_accuracy(std::span<const double> estimate, std::span<const double> truth) {
  assert(estimate.size() == truth.size());
  if (has_nan(estimate) || has_nan(truth)) return kUndefined;
  const PairCounts counts = count_pairs(estimate, truth);
  if (counts.all == counts.tied_b) return kUndefined;
  return counts.concordant / (counts.all - counts.tied_b);
}

double spearman(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  if (has_nan(a) || has_nan(b)) return kUndefined;
  const std::vector<double> rank_a = ranks(a), rank_b = ranks(b);
  const double mean = (static_cast<double>(a.size()) + 1) / 2;
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += (rank_a[i] - mean) * (rank_b[i] - mean);
    aa += (rank_a[i] - mean) * (rank_a[i] - mean);
    bb += (rank_b[i] - mean) * (rank_b[i] - mean);
  }
  if (aa == 0 || bb == 0) return kUndefined;
  return std::clamp(ab / std::sqrt(aa * bb), -1.0, 1.0);
}

double share_within(std::span<const double> estimate, std::span<const double> truth,
                    double tolerance) {
  assert(estimate.size() == truth.size());
  if (truth.empty()) return kUndefined;
  size_t within = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    if (std::abs(estimate[i] - truth[i]) <= tolerance * truth[i]) ++within;
  }
  return static_cast<double>(within) / static_cast<double>(truth.size());
}

}  // namespace hloscope::analysis
