#pragma once

#include <functional>

#include "core/base/progress.h"
#include "core/tune/evaluator.h"
#include "core/tune/settings.h"
#include "core/tune/space.h"
#include "core/tune/trial_store.h"

namespace hloscope::tune {

/// What a session works on.
struct Problem {
  std::unique_ptr<Space> space;
  std::unique_ptr<Evaluator> search;
  std::unique_ptr<Evaluator> measure;  ///< Null without Settings::measure.
};

/// Why run_session() came back.
enum class Ending : uint8_t {
  kPaused,     ///< Asked to; goes on with the next run_session().
  kStopped,    ///< Asked to, for good.
  kFinished,   ///< A budget is spent and the best are measured.
  kExhausted,  ///< As kFinished: nothing was left to try.
};

/// Runs a session from `state` (a new one: the default) until it ends. Trials of models are stored
/// in batches of at most 50 ms, those of hardware one by one, each with the state after it: what is
/// killed loses no more, and makes the same trials again. The measuring phase runs the best
/// Settings::top_k of the search by prediction in their order, and refines the best of them with
/// Settings::refine measurements; what a larger budget finds is measured and refined with as many
/// again. Only the search counts against a budget of trials. Progress reports the share of the
/// budget. Errors: those of evaluators and store; kCancelled as Request::kPause.
[[nodiscard]] Result<Ending> run_session(Problem& problem, const Settings& settings,
                                         SessionState& state, TrialStore& store,
                                         const Progress& progress = {});

}  // namespace hloscope::tune
