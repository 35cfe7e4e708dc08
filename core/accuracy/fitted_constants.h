#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/sim/machine.h"
#include "core/sim/rates.h"

namespace hloscope::accuracy {

/// A constant of a machine that no document states, so that it is fitted to measured runs.
struct FittedConstant {
  std::string_view name;  ///< In resources/machines, which has its unit.
  /// What an engineer would guess before any run; the fit starts here and is pulled back here,
  /// weakly, where the runs do not tell.
  double a_priori = 0;
};
/// The same for all generations.
[[nodiscard]] std::span<const FittedConstant> fitted_constants();

/// The machine with these values, by position in fitted_constants().
[[nodiscard]] sim::Machine with_values(const sim::Machine& machine, std::span<const double> values);

}  // namespace hloscope::accuracy
