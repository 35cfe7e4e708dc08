#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/analysis/report.h"
#include "core/base/thread_pool.h"

namespace hloscope::predict {

class Ensemble;

/// Times of all kernels of a report: each distinct kernel is encoded and predicted once, by all
/// members, at the tile that it is timed with (KernelTimes::tiles). time_ns is exp(mean of the
/// members' log), low and high follow from SpreadFit. The same bits for any number of threads.
/// The ensemble is of task fusion. Errors: those of predict_ensemble().
[[nodiscard]] Result<analysis::PredictedTimes> predict_times(const analysis::ModuleReport& report,
                                                             const Ensemble& ensemble,
                                                             ThreadPool& pool,
                                                             const Progress& progress = {});

/// What predicts the times of reports.
struct TimePredictor {
  /// Null: the built-in one of the report's machine.
  std::shared_ptr<const Ensemble> ensemble;

  /// Null where there is none for the machine: models know nothing of others. Errors: those of
  /// builtin_for().
  [[nodiscard]] Result<std::shared_ptr<const Ensemble>> find(const sim::Machine& machine) const;
  /// The report with its times; where there are models, but none for its machine, with
  /// PredictedTimes::absence; as it is without models.
  [[nodiscard]] Result<std::shared_ptr<const analysis::ModuleReport>> add(
      std::shared_ptr<const analysis::ModuleReport> report, ThreadPool& pool,
      const Progress& progress = {}) const;
};

/// With Ensemble::find(). Errors: its; kInvalidInput for models that rank tiles.
[[nodiscard]] Result<TimePredictor> find_time_predictor(std::span<const std::string> names);

}  // namespace hloscope::predict
