#include "core/predict/baselines.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hloscope::predict {

namespace {

struct Sums {
  double target_ns = 0;
  double analytical_ns = 0;
  double log_ratio = 0;
  double n = 0;

  void add(double target, double analytical) {
    target_ns += target;
    analytical_ns += analytical;
    log_ratio += std::log(target / analytical);
    n += 1;
  }
  [[nodiscard]] double scale(ClassScales::Fit fit) const {
    if (n == 0) return 1;
    return fit == ClassScales::Fit::kTotals ? target_ns / analytical_ns : std::exp(log_ratio / n);
  }
};

}  // namespace

Predictions predict_given_layouts(const ExampleSet& set, std::span<const uint32_t> examples) {
  Predictions out;
  for (const uint32_t at : examples) {
    const LayoutRows& rows = set.examples[at].layouts;
    std::vector<double> given;  // 1 where the layout is not left to the compiler.
    for (const NodeLayout& layout : rows.layouts()) {
      given.push_back(std::ranges::any_of(layout, [](int8_t value) { return value >= 0; }) ? 1 : 0);
    }
    out.examples.push_back(at);
    std::vector<double>& scores = out.scores.emplace_back(set.examples[at].samples(), 0);
    for (size_t i = 0; i < scores.size(); ++i) {
      for (const uint32_t number : rows.sample(i)) scores[i] += given[number];
    }
  }
  return out;
}

Predictions predict_analytical(const ExampleSet& set, std::span<const uint32_t> examples) {
  Predictions out;
  for (const uint32_t at : examples) {
    const Example& example = set.examples[at];
    out.examples.push_back(at);
    out.scores.push_back(example.analytical_ns);
    out.scores.back().resize(example.samples(), std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

ClassScales fit_class_scales(const ExampleSet& set, std::span<const uint32_t> training,
                             ClassScales::Fit fit) {
  std::map<std::string, Sums> sums;
  Sums all;
  for (const uint32_t at : training) {
    const Example& example = set.examples[at];
    if (example.analytical_ns.empty()) continue;
    const double target_ns = example.times_ns[example.default_sample];
    const double analytical_ns = example.analytical_ns[example.default_sample];
    if (!(target_ns > 0) || !(analytical_ns > 0)) continue;
    sums[example.op_class].add(target_ns, analytical_ns);
    all.add(target_ns, analytical_ns);
  }
  ClassScales out;
  for (const auto& [op_class, sum] : sums) out.by_class[op_class] = sum.scale(fit);
  out.overall = all.scale(fit);
  return out;
}

Predictions predict_scaled(const ExampleSet& set, std::span<const uint32_t> examples,
                           const ClassScales& scales) {
  Predictions out = predict_analytical(set, examples);
  for (size_t i = 0; i < out.examples.size(); ++i) {
    const auto at = scales.by_class.find(set.examples[out.examples[i]].op_class);
    const double scale = at == scales.by_class.end() ? scales.overall : at->second;
    for (double& score : out.scores[i]) score *= scale;
  }
  return out;
}

}  // namespace hloscope::predict
