#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/thread_pool.h"
#include "core/tune/outcome.h"
#include "core/tune/problem.h"

namespace hloscope::tune {

/// A learned model before hardware against hardware alone, at equal hardware time: "A Learned
/// Performance Model for Tensor Processing Units", section 6. The simulator stands for the
/// hardware.
struct ExperimentOptions {
  SpaceKind space = SpaceKind::kFusion;  ///< kFusion or kProgramTiles.
  std::string machine = "tpu_v3";
  /// Of kProgramTiles. The simulator, standing for the hardware, is not what a compiler chooses
  /// tiles by.
  DefaultTiles default_tiles = DefaultTiles::kAnalytical;
  std::vector<std::string> models;                  ///< As EvaluatorSettings::models.
  std::vector<double> hardware_s = {60, 300, 600};  ///< Ascending.
  uint64_t model_trials = 2000;                     ///< In the place of an hour on one CPU.
  /// Of the model's best so many are run as they come, then the hardware refines what is best.
  uint64_t top_k = 10;
  /// Of annealing, on both sides; empty: as suits the space.
  std::optional<double> temperature;
  uint64_t seeds = 20;
  double compile_s = 1;
  uint64_t repeats = 3;
};

/// Where a search begins.
enum class Start : uint8_t { kDefault, kRandom };
inline constexpr std::array<Start, 2> kStarts = {Start::kDefault, Start::kRandom};

/// One seed of one program: hardware time against the best so far.
struct ExperimentRun {
  std::vector<CurvePoint> guided;
  std::vector<CurvePoint> alone;
};

struct ProgramOutcome {
  std::string program;
  double default_ns = 0;                           ///< Of the default configuration, simulated.
  double best_ns = 0;                              ///< The least that any run found.
  std::array<std::vector<ExperimentRun>, 2> runs;  ///< By Start, then seed.
  std::string guided_by;                           ///< Evaluator::source().
  std::string hardware;
};

/// One program, all starts and seeds. Errors: those of make_problem() and run_session().
[[nodiscard]] Result<ProgramOutcome> run_experiment(std::string name, hlo::ProgramPtr program,
                                                    const ExperimentOptions& options,
                                                    const Progress& progress = {});

/// How much faster the programs are that were found with the model.
struct Comparison {
  Spread guided_ns;
  Spread alone_ns;
  Spread gain;            ///< alone / guided - 1, by seed.
  double p = 1;           ///< wilcoxon_p() of the gains.
  double above_best = 0;  ///< Mean of guided / best - 1.
};
/// From the default start nothing counts that is slower than the default. A seed where one of the
/// two found nothing within the time is left out.
[[nodiscard]] Comparison compare_at(const ProgramOutcome& outcome, Start start, double hardware_s);

}  // namespace hloscope::tune
