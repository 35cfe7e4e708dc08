#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/hash.h"
#include "core/graph/kernels.h"

namespace hloscope::analysis {

struct ModuleReport;

/// The learned model that predicted times come from.
struct PredictedBy {
  std::string model;        ///< "tpu_v3_fusion", or the names of its files.
  Hash128 hash;             ///< Of its files.
  size_t members = 1;       ///< Models of the ensemble.
  std::string trained_on;   ///< "simulated (tpu_v3@4f1c09ab)"; empty: not stated.
  bool has_spread = false;  ///< More than one member: low and high say something.
  /// The spread was fitted to errors on held-out kernels; false: what the members differ by.
  bool is_calibrated = false;
  bool knows_far = false;  ///< The files say which kernels they learned from.

  /// "tpu_v3_fusion@4f1c09ab".
  [[nodiscard]] std::string label() const;
};

/// One execution of a kernel as a learned model sees it. Not measured.
struct PredictedTime {
  double time_ns = 0;
  // About two thirds of the true times should lie between; equal without a spread.
  double low_ns = 0;
  double high_ns = 0;
  bool is_far = false;  ///< Unlike the kernels that the model learned from.

  /// Half of what lies between low and high, as a fraction of the time; 0 for a time of 0.
  [[nodiscard]] double spread() const {
    return time_ns > 0 ? (high_ns - low_ns) / (2 * time_ns) : 0;
  }
};

/// Empty `of_kernels`: there are none.
struct PredictedTimes {
  PredictedBy by;
  /// Why there are none, where models are there but for other machines: "no model learned from
  /// times of TPU v4".
  std::string absence;
  IndexedVector<graph::KernelId, std::optional<PredictedTime>> of_kernels;
  double total_ns = 0;   ///< Sum over the kernels that have a time x executions.
  double far_share = 0;  ///< Of that, in kernels far from the training data.
};

/// Fills total_ns and far_share.
void add_totals(const graph::KernelList& kernels, PredictedTimes& times);

/// A copy of the report with these predicted times.
[[nodiscard]] std::shared_ptr<const ModuleReport> with_predicted(const ModuleReport& report,
                                                                 PredictedTimes times);

}  // namespace hloscope::analysis
