#include "core/tune/recorded_experiment.h"

#include <algorithm>

#include "core/tune/memory_trials.h"

namespace hloscope::tune {

namespace {

Settings ranked_by(const EvaluatorSettings& evaluator, const std::string& kernel,
                   const std::string& machine, size_t count) {
  Settings out;
  out.space = SpaceKind::kTiles;
  out.kernel = kernel;
  out.machine = machine;
  out.strategy.kind = StrategyKind::kExhaustive;
  out.search = evaluator;
  out.measure = EvaluatorSettings{EvaluatorKind::kRecorded, {}, 0, 1};
  out.top_k = count;
  return out;
}

}  // namespace

Result<RecordedOutcome> run_recorded(hlo::ProgramPtr program, const std::string& kernel,
                                     const Recorded& recorded,
                                     std::span<const EvaluatorSettings> evaluators,
                                     const std::string& machine, const Progress& progress) {
  RecordedOutcome out;
  out.kernel = kernel;
  out.device = recorded.device;
  for (const Recorded::Run& run : recorded.runs) {
    if (!run.time_ns) continue;
    if (out.best_ns == 0 || *run.time_ns < out.best_ns) out.best_ns = *run.time_ns;
    if (run.is_default) out.default_ns = *run.time_ns;
  }
  for (const EvaluatorSettings& evaluator : evaluators) {
    const Settings settings = ranked_by(evaluator, kernel, machine, recorded.runs.size());
    HLOSCOPE_ASSIGN(Problem problem, make_problem(program, settings, recorded, progress));
    SessionState state;
    MemoryTrials trials;
    HLOSCOPE_ASSIGN(const Ending ending, run_session(problem, settings, state, trials, progress));
    if (ending == Ending::kPaused) return fail(ErrorCode::kCancelled, "cancelled");
    RecordedOrder& order = out.orders.emplace_back();
    order.source = problem.search->source();
    HLOSCOPE_ASSIGN(const std::vector<Trial> ranked, trials.best_predicted(state.trials));
    for (const Trial& trial : ranked) {
      if (trial.hardware_ns) order.times_ns.push_back(*trial.hardware_ns);
    }
  }
  return out;
}

double slowdown_after(const RecordedOutcome& outcome, const RecordedOrder& order, size_t count) {
  const auto end =
      order.times_ns.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.times_ns.size()));
  return *std::min_element(order.times_ns.begin(), end) / outcome.best_ns - 1;
}

size_t measurements_until(const RecordedOutcome& outcome, const RecordedOrder& order,
                          double share) {
  const auto it = std::find_if(order.times_ns.begin(), order.times_ns.end(), [&](double time_ns) {
    return time_ns <= outcome.best_ns * (1 + share);
  });
  return static_cast<size_t>(it - order.times_ns.begin()) + 1;
}

}  // namespace hloscope::tune
