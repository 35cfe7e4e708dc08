#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/tune/config.h"

namespace hloscope::tune {

/// What came of one configuration.
struct Evaluation {
  std::optional<double> time_ns;  ///< Of one run of the kernel or program; empty: it failed.
  std::string error;              ///< Why, in one sentence; empty otherwise.
  double hardware_ns = 0;         ///< What it books to the hardware budget; 0 of models.
};

/// Gives configurations of one space their time. Used by one thread at a time.
class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  /// By position in `configs`. The same configuration always gets the same time, whatever was asked
  /// before, so that a resumed session goes on as it would have. A configuration that cannot be
  /// timed is an Evaluation with an error; an Error of this function ends the session. Error:
  /// kCancelled.
  [[nodiscard]] virtual Result<std::vector<Evaluation>> evaluate(std::span<const Config> configs,
                                                                 const Progress& progress) = 0;
  /// Whether times stand for those of hardware: such trials are stored one by one and cost
  /// hardware time.
  [[nodiscard]] virtual bool is_hardware() const = 0;
  /// With its hash: "predicted (tpu_v3_fusion@4f1c09ab)", "analytical (tpu_v3@...)", "simulated
  /// (tpu_v3@...)", "measured (TPU v3, recorded)". A simulated time is never called measured.
  [[nodiscard]] virtual std::string source() const = 0;
};

}  // namespace hloscope::tune
