#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace hloscope::predict {

/// Makes an interval for the logarithm of a time of what the members of an ensemble differ by:
/// mean +- factor x sqrt(floor^2 + deviation^2). The floor is there because a few members can agree
/// by chance. Normalised conformal prediction: about kCoverage of held-out kernels lie inside,
/// whatever the distribution of errors (Papadopoulos et al., "Regression conformal prediction with
/// nearest neighbours", 2011).
struct SpreadFit {
  static constexpr double kCoverage = 0.683;  ///< What one standard deviation of a normal covers.

  double floor = 0;
  double factor = 1;
  size_t kernels = 0;  ///< That it was fitted to; 0: not fitted, the deviation as it is.
  bool operator==(const SpreadFit&) const = default;

  /// Half the interval.
  [[nodiscard]] double width(double deviation) const;

  [[nodiscard]] std::string to_json() const;
  /// Error: kInvalidInput for what to_json() does not write.
  [[nodiscard]] static Result<SpreadFit> from_json(std::string_view text);
};

/// From deviations of members and errors of their mean (both of log time) of held-out kernels, by
/// position. Error: kInvalidInput with fewer than 20 of them.
[[nodiscard]] Result<SpreadFit> fit_spread(std::span<const double> deviations,
                                           std::span<const double> errors);

}  // namespace hloscope::predict
