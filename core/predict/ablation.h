#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/base/thread_pool.h"
#include "core/predict/example_set.h"
#include "core/predict/train.h"

namespace hloscope::predict {

/// What the variants of an ablation are compared with: the preset sage-columnwise.
enum class AblationBase : uint8_t {
  kResidual,  ///< It corrects the analytical model, as built-in models do.
  kOff,       ///< It knows nothing of the analytical model, as in the paper (MLSys 2021).
};
[[nodiscard]] std::string_view name(AblationBase base);  ///< "residual", "off".
[[nodiscard]] std::optional<AblationBase> find_ablation_base(std::string_view name);

/// A model that differs from the base in one option.
struct AblationVariant {
  std::string option;      ///< As in ModelOptions, or "preset"; empty: the base itself.
  std::string value;       ///< Of the option, as in JSON.
  std::string base_value;  ///< What the base has in its place.
  ModelOptions model;
};
/// The base first. Two rows differ in more than one option: "preset" "lstm" has no graph network
/// and an LSTM for a readout, and of task fusion "analytical" takes "join" with it, as there is
/// nothing else to be joined. Rank losses and the join are for task tile. Error: kUnsupported (task
/// layout).
[[nodiscard]] Result<std::vector<AblationVariant>> ablation_variants(data::Task task,
                                                                     AblationBase base);

/// A column of the table of results.
struct AblationMetric {
  std::string_view name;   ///< "tile_ape": as evaluate has it in JSON.
  std::string_view title;  ///< "tile APE"
  bool is_fraction = false;
};
[[nodiscard]] std::span<const AblationMetric> ablation_metrics(data::Task task);

/// What came out of one training.
struct AblationRun {
  std::vector<std::optional<double>> metrics;  ///< By position in ablation_metrics().
  uint64_t best_step = 0;
  double train_s = 0;  ///< Wall time, with the evaluations on the validation part.
};
/// Trains on the training part and measures on `part`. The same metrics for any number of threads.
/// Errors: those of train() and predict_learned().
[[nodiscard]] Result<AblationRun> run_ablation(const ExampleSet& set, data::Part part,
                                               const TrainOptions& options, ThreadPool& pool,
                                               const Progress& progress = {});

/// Of one metric over the seeds.
struct SeedSummary {
  size_t n = 0;  ///< Seeds that have a value.
  std::optional<double> mean;
  std::optional<double> spread;  ///< Standard deviation (n - 1); none with one seed.
};
[[nodiscard]] SeedSummary summarise_seeds(std::span<const std::optional<double>> values);

}  // namespace hloscope::predict
