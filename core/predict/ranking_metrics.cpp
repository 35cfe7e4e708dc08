#include <algorithm>
#include <cmath>
#include <map>

#include "core/accuracy/ranking.h"
#include "core/predict/metrics.h"

namespace hloscope::predict {

namespace {

bool is_complete(const Example& example, std::span<const double> scores) {
  return example.samples() > 0 && scores.size() == example.samples() &&
         std::none_of(scores.begin(), scores.end(), [](double s) { return std::isnan(s); });
}

// The configurations of an example differ: a data set keeps one sample of each.
RankingRow row_of(const ExampleSet& set, uint32_t at, std::span<const double> scores) {
  const Example& example = set.examples[at];
  const accuracy::Ranking ranking = accuracy::rank_distinct(scores, example.times_ns);
  RankingRow out;
  out.example = at;
  out.configurations = ranking.tiles;
  out.kendall_tau = ranking.kendall_tau;
  out.opa = ranking.opa;
  out.top1_slowdown = ranking.top1_slowdown;
  out.top5_slowdown = ranking.top5_slowdown;
  out.top10_slowdown = ranking.top10_slowdown;
  const auto chosen = std::min_element(scores.begin(), scores.end()) - scores.begin();
  out.chosen_ns = example.times_ns[static_cast<size_t>(chosen)];
  out.best_ns = example.times_ns[example.fastest()];
  return out;
}

Mean mean_of(std::span<const RankingRow> rows, std::optional<double> RankingRow::*value) {
  Mean out;
  double weights = 0;
  for (const RankingRow& row : rows) {
    if (!(row.*value)) continue;
    const auto weight = static_cast<double>(row.configurations);
    ++out.n;
    out.mean += *(row.*value);
    out.row_mean += weight * *(row.*value);
    weights += weight;
  }
  if (out.n == 0) return out;
  out.mean /= static_cast<double>(out.n);
  out.row_mean /= weights;
  return out;
}

void add_programs(const ExampleSet& set, RankingMetrics& out) {
  struct Sums {
    size_t kernels = 0;
    double regret_ns = 0;
    double best_ns = 0;
  };
  std::map<uint32_t, Sums> sums;
  for (const RankingRow& row : out.rows) {
    const Example& example = set.examples[row.example];
    for (const SeenIn& seen : example.seen_in) {
      if (set.program_parts[seen.program] != example.part) continue;
      Sums& sum = sums[seen.program];
      ++sum.kernels;
      sum.regret_ns += std::abs(row.chosen_ns - row.best_ns);
      sum.best_ns += row.best_ns;
    }
  }
  double total = 0;
  for (const auto& [program, sum] : sums) {
    if (!(sum.best_ns > 0)) continue;
    out.programs.push_back({program, sum.kernels, sum.regret_ns / sum.best_ns});
    total += out.programs.back().ape;
  }
  if (!out.programs.empty()) out.mean_ape = total / static_cast<double>(out.programs.size());
}

}  // namespace

RankingMetrics ranking_metrics(const ExampleSet& set, const Predictions& predictions) {
  RankingMetrics out;
  for (size_t i = 0; i < predictions.examples.size(); ++i) {
    const uint32_t at = predictions.examples[i];
    if (is_complete(set.examples[at], predictions.scores[i])) {
      out.rows.push_back(row_of(set, at, predictions.scores[i]));
    } else {
      ++out.skipped;
    }
  }
  out.kendall_tau = mean_of(out.rows, &RankingRow::kendall_tau);
  out.opa = mean_of(out.rows, &RankingRow::opa);
  out.top1_slowdown = mean_of(out.rows, &RankingRow::top1_slowdown);
  out.top5_slowdown = mean_of(out.rows, &RankingRow::top5_slowdown);
  out.top10_slowdown = mean_of(out.rows, &RankingRow::top10_slowdown);
  add_programs(set, out);
  return out;
}

}  // namespace hloscope::predict
