#include "db/export_session.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "db/csv_cell.h"
#include "db/tune_rows.h"

namespace hloscope::db {
namespace {

using nlohmann::ordered_json;

/// Writes configurations, trial 0 first.
class ConfigWriter {
 public:
  explicit ConfigWriter(const tune::Space& space) : space_(space) {}
  [[nodiscard]] bool is_text() const { return space_.dimensions() <= kMostDimensionsInText; }
  [[nodiscard]] const char* column() const { return is_text() ? "config" : "changes"; }
  [[nodiscard]] std::string text(const tune::Trial& trial) {
    if (is_text()) return space_.text(trial.config);
    if (trial.number == 0) first_ = trial.config;
    std::string out;
    for (size_t i = 0; i < trial.config.size() && i < first_.size(); ++i) {
      if (trial.config[i] == first_[i]) continue;
      out += fmt::format("{}{}={}", out.empty() ? "" : " ", i, trial.config[i]);
    }
    return out;
  }

 private:
  const tune::Space& space_;
  tune::Config first_;
};

std::string csv_number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json trial_json(const tune::Trial& trial, ConfigWriter& configs) {
  return {{"trial", trial.number},
          {configs.column(), configs.text(trial)},
          {"predicted_ns", or_null(trial.predicted_ns)},
          {"hardware_ns", or_null(trial.hardware_ns)},
          {"measured_as", trial.measured_as},
          {"booked_ns", trial.booked_ns},
          {"error", trial.error},
          {"accepted", trial.accepted},
          {"temperature", trial.temperature},
          {"at_s", trial.at_s},
          {"refined", trial.refined}};
}

}  // namespace

Result<std::string> trials_csv(Database& database, const SessionInfo& session,
                               const tune::Space& space) {
  ConfigWriter configs(space);
  std::string out = fmt::format(
      "trial,{},predicted_ns,hardware_ns,measured_as,booked_ns,error,accepted,temperature,"
      "refined,at_s\n",
      configs.column());
  HLOSCOPE_TRY(TuneSessions(database).each_trial(session.id, 0, [&](const tune::Trial& trial) {
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", trial.number,
                       csv_cell(configs.text(trial)), csv_number(trial.predicted_ns),
                       csv_number(trial.hardware_ns), trial.measured_as, trial.booked_ns,
                       csv_cell(trial.error), trial.accepted ? 1 : 0, trial.temperature,
                       trial.refined ? 1 : 0, trial.at_s);
    return true;
  }));
  return out;
}

Result<std::string> session_export_json(Database& database, const SessionInfo& session,
                                        const tune::Space& space) {
  auto trials = ordered_json::array();
  ConfigWriter configs(space);
  std::string first;
  HLOSCOPE_TRY(TuneSessions(database).each_trial(session.id, 0, [&](const tune::Trial& trial) {
    if (trial.number == 0) first = space.text(trial.config);
    trials.push_back(trial_json(trial, configs));
    return true;
  }));
  const ordered_json out = {
      {"session", session.id.value},
      {"name", session.name},
      {"program", session.program},
      {"file", session.file_path},
      {"program_hash", session.program_hash.hex()},
      {"status", name(session.status)},
      {"search_source", session.search_source},
      {"measure_source", session.measure_source},
      {"default_ns", or_null(session.progress.baseline_ns)},
      {"settings", ordered_json::parse(tune::settings_json(session.settings))},
      {"first_config", first},
      {"trials", std::move(trials)}};
  return out.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hloscope::db
