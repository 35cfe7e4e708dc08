#include <cmath>
#include <map>

#include "core/analysis/metrics.h"
#include "core/predict/metrics.h"

namespace hloscope::predict {

namespace {

std::optional<double> if_defined(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

/// Kernels with their predicted and true times.
struct Pairs {
  std::vector<double> predicted_ns;
  std::vector<double> target_ns;

  void add(double predicted, double target) {
    predicted_ns.push_back(predicted);
    target_ns.push_back(target);
  }
  [[nodiscard]] TimeErrors errors() const {
    return {target_ns.size(), if_defined(analysis::mape(predicted_ns, target_ns)),
            if_defined(analysis::median_ape(predicted_ns, target_ns)),
            if_defined(analysis::kendall_tau(predicted_ns, target_ns)),
            if_defined(analysis::spearman(predicted_ns, target_ns))};
  }
};

struct ProgramPairs {
  Pairs large, all;
  double target_ns = 0;
  double predicted_ns = 0;
};

class Collector {
 public:
  explicit Collector(const ExampleSet& set) : set_(set) {}

  void add(const Example& example, double predicted_ns) {
    const double target_ns = example.times_ns[example.default_sample];
    const bool is_large = target_ns >= TimeMetrics::kLargeNs;
    all_.add(predicted_ns, target_ns);
    (is_large ? large_ : small_).add(predicted_ns, target_ns);
    for (const SeenIn& seen : example.seen_in) {
      if (set_.program_parts[seen.program] != example.part) continue;
      ProgramPairs& program = programs_[seen.program];
      program.all.add(predicted_ns, target_ns);
      if (is_large) program.large.add(predicted_ns, target_ns);
      program.target_ns += seen.default_executions * target_ns;
      program.predicted_ns += seen.default_executions * predicted_ns;
    }
  }

  [[nodiscard]] TimeMetrics metrics() const {
    TimeMetrics out;
    out.large = large_.errors();
    out.small = small_.errors();
    out.all = all_.errors();
    Pairs sums;
    std::vector<double> mapes;
    for (const auto& [program, pairs] : programs_) {
      out.programs.push_back({program, pairs.all.target_ns.size(), pairs.target_ns,
                              pairs.predicted_ns, pairs.large.errors(), pairs.all.errors()});
      sums.add(pairs.predicted_ns, pairs.target_ns);
      if (const auto mape = out.programs.back().large.mape) mapes.push_back(*mape);
    }
    out.program_mape = if_defined(analysis::mape(sums.predicted_ns, sums.target_ns));
    double sum = 0;
    for (const double mape : mapes) sum += mape;
    if (!mapes.empty()) out.mean_large_mape = sum / static_cast<double>(mapes.size());
    return out;
  }

 private:
  const ExampleSet& set_;
  Pairs large_, small_, all_;
  std::map<uint32_t, ProgramPairs> programs_;
};

}  // namespace

TimeMetrics time_metrics(const ExampleSet& set, const Predictions& predictions) {
  Collector collector(set);
  size_t skipped = 0;
  for (size_t i = 0; i < predictions.examples.size(); ++i) {
    const Example& example = set.examples[predictions.examples[i]];
    const std::vector<double>& scores = predictions.scores[i];
    const bool is_there = example.default_sample < scores.size() && example.samples() > 0 &&
                          std::isfinite(scores[example.default_sample]);
    if (is_there) {
      collector.add(example, scores[example.default_sample]);
    } else {
      ++skipped;
    }
  }
  TimeMetrics out = collector.metrics();
  out.skipped = skipped;
  return out;
}

}  // namespace hloscope::predict
