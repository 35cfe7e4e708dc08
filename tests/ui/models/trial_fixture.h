#pragma once

#include <limits>
#include <string>

#include "ui/models/tune_columns.h"

namespace hloscope::testing {

/// One trial of `config`, predicted and (if measured_as > 0) measured; NaN: no time.
inline void addTrial(ui::TrialColumns& columns, const std::string& config, double predicted_ns,
                     double hardware_ns, uint32_t measured_as, bool accepted) {
  columns.predicted_ns.push_back(predicted_ns);
  columns.hardware_ns.push_back(hardware_ns);
  columns.booked_ns.push_back(measured_as > 0 ? 1e9 : 0);
  columns.temperature.push_back(0.3);
  columns.at_s.push_back(0.01 * static_cast<double>(columns.size()));
  columns.measured_as.push_back(measured_as);
  columns.changed.push_back(1);
  columns.accepted.push_back(accepted ? 1 : 0);
  columns.refined.push_back(0);
  columns.append_tile(config);
  columns.config.push_back(config);
}

/// Five trials: 3 was measured before 1, and 4 failed.
inline ui::TrialColumns trials() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  ui::TrialColumns columns;
  addTrial(columns, "out=4x8", 200'000, kNone, 0, true);
  addTrial(columns, "out=2x8", 110'000, 120'000, 2, true);
  addTrial(columns, "out=2x8,kernel=3", 180'000, kNone, 0, false);
  addTrial(columns, "out=1x8", 140'000, 150'000, 1, false);
  addTrial(columns, "out=8x8", kNone, kNone, 0, false);
  columns.errors.emplace(4, "the tile does not fit");
  return columns;
}

/// As a long session of annealing: times spread over a factor of 8, twenty of them measured.
inline ui::TrialColumns manyTrials(uint32_t count) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  ui::TrialColumns columns;
  uint64_t state = 1;
  const auto next = [&state](uint32_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<uint32_t>((state >> 33U) % below);
  };
  for (uint32_t i = 0; i < count; ++i) {
    std::string config = "out=";
    for (int d = 0; d < 4; ++d) config += (d > 0 ? "x" : "") + std::to_string(1U << next(6));
    config += ",kernel=";
    for (int d = 0; d < 4; ++d) config += (d > 0 ? "x" : "") + std::to_string(1 + next(8));
    const double time_ns = 100'000.0 + next(700'000);
    const bool measured = i % (count / 20 + 1) == 0;
    addTrial(columns, config, time_ns, measured ? time_ns * 1.02 : kNone,
             measured ? i / (count / 20 + 1) + 1 : 0, next(3) == 0);
    columns.temperature.back() = 0.3 * std::pow(0.995, i % 500);
  }
  return columns;
}

}  // namespace hloscope::testing
