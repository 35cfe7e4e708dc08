#include "core/tune/experiment.h"

#include <algorithm>
#include <cmath>

#include "core/tune/memory_trials.h"

namespace hloscope::tune {

namespace {

// A single flip or tile changes little of a program's time: hotter, the search on the hardware
// alone gets nowhere.
constexpr double kFusionStart = 0.0001;
constexpr double kTileTemperature = 0.0001;
constexpr double kLastTemperatureShare = 0.01;
constexpr uint64_t kRestarts = 4;

StrategySettings annealing(const ExperimentOptions& options, Start start, uint64_t seed,
                           uint64_t trials) {
  StrategySettings out;
  out.kind = StrategyKind::kAnnealing;
  out.seed = seed;
  out.random_start = start == Start::kRandom;
  const bool is_fusion = options.space == SpaceKind::kFusion;
  out.temperature = options.temperature.value_or(is_fusion ? kFusionStart : kTileTemperature);
  // A random start is far from everything: it needs its whole time to come down.
  const uint64_t restarts = start == Start::kRandom ? 1 : kRestarts;
  out.restart_trials = std::max<uint64_t>(trials / restarts, 1);
  out.cooling = std::pow(kLastTemperatureShare, 1 / static_cast<double>(out.restart_trials));
  return out;
}

Settings hardware_alone(const ExperimentOptions& options, Start start, uint64_t seed) {
  Settings out;
  out.space = options.space;
  out.machine = options.machine;
  out.default_tiles = options.default_tiles;
  out.search = {EvaluatorKind::kSimulator, {}, options.compile_s, options.repeats};
  out.budget.hardware_s = options.hardware_s.back();
  const auto trials = static_cast<uint64_t>(options.hardware_s.back() / options.compile_s);
  out.strategy = annealing(options, start, seed, trials);
  return out;
}

Settings model_first(const ExperimentOptions& options, Start start, uint64_t seed) {
  Settings out = hardware_alone(options, start, seed);
  out.measure = out.search;
  out.search = {EvaluatorKind::kModel, options.models, options.compile_s, options.repeats};
  out.budget.trials = options.model_trials;
  out.top_k = options.top_k;
  out.refine = static_cast<uint64_t>(options.hardware_s.back() / options.compile_s) + 1;
  out.strategy = annealing(options, start, seed, options.model_trials);
  return out;
}

Result<std::vector<CurvePoint>> run_one(Problem& problem, const Settings& settings,
                                        std::optional<double>& default_ns,
                                        const Progress& progress) {
  SessionState state;
  state.baseline_ns = default_ns;
  MemoryTrials trials;
  HLOSCOPE_ASSIGN(const Ending ending, run_session(problem, settings, state, trials, progress));
  if (ending == Ending::kPaused) return fail(ErrorCode::kCancelled, "cancelled");
  default_ns = state.baseline_ns;
  return best_so_far(trials.trials());
}

void note_best(const std::vector<CurvePoint>& curve, double& best_ns) {
  if (!curve.empty()) best_ns = std::min(best_ns, curve.back().best_ns);
}

}  // namespace

Result<ProgramOutcome> run_experiment(std::string name, hlo::ProgramPtr program,
                                      const ExperimentOptions& options, const Progress& progress) {
  HLOSCOPE_ASSIGN(Problem alone,
                  make_problem(program, hardware_alone(options, Start::kDefault, 1)));
  HLOSCOPE_ASSIGN(Problem guided, make_problem(program, model_first(options, Start::kDefault, 1)));
  ProgramOutcome out;
  out.program = std::move(name);
  out.guided_by = guided.search->source();
  out.hardware = alone.search->source();
  const double all = 2.0 * static_cast<double>(options.seeds);
  double done = 0;
  std::optional<double> default_ns;
  for (const Start start : kStarts) {
    for (uint64_t seed = 1; seed <= options.seeds; ++seed) {
      const Progress quiet = progress.part(done / all, done / all);
      ExperimentRun& run = out.runs[static_cast<size_t>(start)].emplace_back();
      HLOSCOPE_ASSIGN(run.alone,
                      run_one(alone, hardware_alone(options, start, seed), default_ns, quiet));
      HLOSCOPE_ASSIGN(run.guided,
                      run_one(guided, model_first(options, start, seed), default_ns, quiet));
      ++done;
      progress.report(done / all, out.program);
    }
  }
  out.default_ns = default_ns.value_or(0);
  out.best_ns = out.default_ns;
  for (const std::vector<ExperimentRun>& runs : out.runs) {
    for (const ExperimentRun& run : runs) {
      note_best(run.guided, out.best_ns);
      note_best(run.alone, out.best_ns);
    }
  }
  return out;
}

Comparison compare_at(const ProgramOutcome& outcome, Start start, double hardware_s) {
  std::vector<double> guided;
  std::vector<double> alone;
  std::vector<double> gains;
  std::vector<double> above;
  for (const ExperimentRun& run : outcome.runs[static_cast<size_t>(start)]) {
    std::optional<double> with = best_within(run.guided, hardware_s * 1e9);
    std::optional<double> without = best_within(run.alone, hardware_s * 1e9);
    if (start == Start::kDefault) {
      // Its time is known before the search.
      with = std::min(with.value_or(outcome.default_ns), outcome.default_ns);
      without = std::min(without.value_or(outcome.default_ns), outcome.default_ns);
    }
    if (!with || !without) continue;
    guided.push_back(*with);
    alone.push_back(*without);
    gains.push_back(*without / *with - 1);
    above.push_back(*with / outcome.best_ns - 1);
  }
  return {spread_of(guided), spread_of(alone), spread_of(gains), wilcoxon_p(gains),
          spread_of(above).mean};
}

}  // namespace hloscope::tune
