#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ui/models/text_order.h"

namespace hloscope::ui {

/// What the trials of a session tried, by number. Read after their times: the last trials may have
/// none yet.
struct TrialConfigs {
  std::vector<std::string> config;      ///< As tables show it.
  std::vector<uint32_t> changed;        ///< Dimensions that differ from the default.
  TextOrder config_order;               ///< Of all or the first ones of `config`.
  std::vector<std::string> tile_names;  ///< "output 0", "kernel 1"; empty where it is no tile.
  std::vector<std::vector<float>> tile_sizes;  ///< By name, then by trial.

  [[nodiscard]] bool has_config(size_t trial) const { return trial < config.size(); }
  /// The trials that follow the last one of these.
  void append_configs(TrialConfigs&& more);
  /// Adds the sizes of a tile as Space::text() writes it: `out=12x4x4x3,kernel=3x1x24x3`. Of the
  /// first trial they give the names.
  void append_tile(const std::string& text);
};

/// The trials of one tuning session, column by column, by number. NaN: no value.
struct TrialColumns : TrialConfigs {
  std::vector<double> predicted_ns;
  std::vector<double> hardware_ns;  ///< By what is, or stands for, hardware.
  std::vector<double> booked_ns;
  std::vector<double> temperature;
  std::vector<double> at_s;
  std::vector<uint32_t> measured_as;  ///< 1: measured first; 0: not measured.
  std::vector<uint8_t> accepted;
  std::vector<uint8_t> refined;  ///< Tried around the best measured one, after the search.
  std::map<uint32_t, std::string> errors;  ///< Of trials without a time.

  [[nodiscard]] size_t size() const { return predicted_ns.size(); }
  /// What the search goes by.
  [[nodiscard]] double search_ns(size_t trial) const {
    return std::isnan(predicted_ns[trial]) ? hardware_ns[trial] : predicted_ns[trial];
  }
  /// The hardware's time as soon as there is one.
  [[nodiscard]] double result_ns(size_t trial) const {
    return std::isnan(hardware_ns[trial]) ? predicted_ns[trial] : hardware_ns[trial];
  }
  /// Of prediction against hardware, a fraction.
  [[nodiscard]] double error(size_t trial) const {
    return (predicted_ns[trial] - hardware_ns[trial]) / hardware_ns[trial];
  }
  /// The trials that follow the last one of these, with their configurations if they have some.
  void append(TrialColumns&& more);
};

/// Numbers of the trials that were measured, in that order.
[[nodiscard]] std::vector<uint32_t> measured_order(const TrialColumns& trials);

}  // namespace hloscope::ui
