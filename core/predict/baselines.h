#pragma once

#include <map>
#include <span>
#include <string>

#include "core/predict/metrics.h"

namespace hloscope::predict {

/// The analytical model as it is, ns. NaN where it is not known (features only).
[[nodiscard]] Predictions predict_analytical(const ExampleSet& set,
                                             std::span<const uint32_t> examples);

/// The number of configurable nodes whose layouts a configuration gives, and does not leave to the
/// compiler: of task layout, a guess that takes no training.
[[nodiscard]] Predictions predict_given_layouts(const ExampleSet& set,
                                                std::span<const uint32_t> examples);

/// Coefficients by class of kernel for the analytical model, whose scale differs from class to
/// class
/// ("A Learned Performance Model for Tensor Processing Units", 2020).
struct ClassScales {
  enum class Fit {
    kTotals,     ///< Total target / total analytical time of the class, as the paper has it.
    kGeometric,  ///< exp(mean of log(target / analytical)).
  };
  std::map<std::string, double> by_class;  ///< By Example::op_class.
  double overall = 1;                      ///< For classes that were not met.
  bool operator==(const ClassScales&) const = default;
};
/// From the default samples of the training examples whose analytical time is known and positive.
[[nodiscard]] ClassScales fit_class_scales(const ExampleSet& set,
                                           std::span<const uint32_t> training,
                                           ClassScales::Fit fit = ClassScales::Fit::kTotals);
/// ns; ranks within a kernel are those of the analytical model.
[[nodiscard]] Predictions predict_scaled(const ExampleSet& set, std::span<const uint32_t> examples,
                                         const ClassScales& scales);

}  // namespace hloscope::predict
