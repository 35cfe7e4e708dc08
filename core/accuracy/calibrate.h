#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/accuracy/tile_accuracy.h"
#include "core/base/progress.h"
#include "core/sim/machine.h"

namespace hloscope::accuracy {

/// A constant before and after.
struct CalibratedConstant {
  std::string_view name;
  double a_priori = 0;
  double old_value = 0;
  double value = 0;  ///< To 4 digits; the old one where no run tells anything.
  bool is_determined = false;
  /// The kernel that tells most about it, position in TileSamples::kernels, and its share in what
  /// all kernels tell: with 1 it is a guess when that kernel is left out.
  uint32_t main_kernel = 0;
  double main_share = 0;
};

/// A constant that a fit without some kernel sees differently.
struct ConstantShift {
  size_t constant = 0;  ///< Position in Calibration::constants.
  double value = 0;     ///< Of the fit without the kernel.
  double effect = 0;  ///< What the difference changes in the kernel's times, about, as a fraction.
};

struct Calibration {
  std::vector<CalibratedConstant> constants;  ///< By position in fitted_constants().
  sim::Machine machine;                       ///< With the new values; its hash is the old one's.
  TileAccuracy before;                        ///< With the old values.
  TileAccuracy in_sample;                     ///< With the new values.
  /// Every kernel by constants fitted without it (and without kernels equal to it). This is what
  /// to expect of kernels that nobody measured. None for a single kernel.
  std::optional<TileAccuracy> left_out;
  /// By kernel; strongest effect first.
  std::vector<std::vector<ConstantShift>> shifts;
};

/// Fits fitted_constants() to measured tiles, the simulator being the model: least squares of
/// log(simulated / measured), errors beyond 10 % counted linearly (pseudo-Huber), the rows of a
/// kernel of n weighted n^-0.5, and a pull of weight 0.03 to the a-priori values. Deterministic.
/// Errors: kInvalidInput without samples; kCancelled.
[[nodiscard]] Result<Calibration> calibrate(const TileSamples& samples, const sim::Machine& machine,
                                            const Progress& progress = {});

}  // namespace hloscope::accuracy
