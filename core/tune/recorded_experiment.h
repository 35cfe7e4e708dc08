#pragma once

#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/tune/problem.h"

namespace hloscope::tune {

/// Recorded configurations in the order in which one source would have them measured.
struct RecordedOrder {
  std::string source;            ///< Evaluator::source() of what ranked them.
  std::vector<double> times_ns;  ///< Measured, the first choice first.
};

/// What a ranking is worth on measured runs of one kernel.
struct RecordedOutcome {
  std::string kernel;
  std::string device;
  double default_ns = 0;  ///< Of the compiler's choice; 0: not recorded.
  double best_ns = 0;
  std::vector<RecordedOrder> orders;  ///< By position in the evaluators asked for.
};

/// All recorded configurations of the kernel, ranked by each evaluator and measured in that order.
/// Errors: those of make_problem() and run_session().
[[nodiscard]] Result<RecordedOutcome> run_recorded(hlo::ProgramPtr program,
                                                   const std::string& kernel,
                                                   const Recorded& recorded,
                                                   std::span<const EvaluatorSettings> evaluators,
                                                   const std::string& machine,
                                                   const Progress& progress = {});

/// Slowdown against the best of the first `count` measurements, as a share.
[[nodiscard]] double slowdown_after(const RecordedOutcome& outcome, const RecordedOrder& order,
                                    size_t count);
/// Measurements until one is within the share of the best.
[[nodiscard]] size_t measurements_until(const RecordedOutcome& outcome, const RecordedOrder& order,
                                        double share);

}  // namespace hloscope::tune
