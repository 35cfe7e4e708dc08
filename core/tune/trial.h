#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/tune/config.h"

namespace hloscope::tune {

/// A configuration that a session tried. What belongs to the clock (at_s) is not the same when a
/// session is run again; everything else is.
struct Trial {
  uint64_t number = 0;  ///< From 0, without gaps.
  Config config;
  std::optional<double> predicted_ns;  ///< By the searching model.
  std::optional<double> hardware_ns;   ///< By the evaluator that is, or stands for, hardware.
  uint64_t measured_as = 0;            ///< 1 for what was measured first; 0: not measured.
  double booked_ns = 0;                ///< Hardware time that it cost.
  std::string error;                   ///< Why there is no time.
  bool accepted = false;               ///< The strategy went on from here.
  bool refined = false;    ///< Tried by the Refiner: no trial of the search, and not of its budget.
  double temperature = 0;  ///< Of annealing; 0 of others.
  double at_s = 0;         ///< Since the session began, pauses not counted.

  /// What the search goes by: the hardware's time where the search has no model.
  [[nodiscard]] std::optional<double> search_ns() const {
    return predicted_ns ? predicted_ns : hardware_ns;
  }
};

}  // namespace hloscope::tune
