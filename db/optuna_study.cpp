#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "db/export_session.h"
#include "db/new_file.h"
#include "db/sqlite/connection.h"

namespace hloscope::db {
namespace {

// The tables of Optuna's RDB storage as its version 12 (Alembic v3.2.0.a) makes them.
constexpr const char* kStudyTables = R"sql(
CREATE TABLE studies (study_id INTEGER NOT NULL PRIMARY KEY, study_name VARCHAR(512) NOT NULL);
CREATE UNIQUE INDEX ix_studies_study_name ON studies (study_name);
CREATE TABLE version_info (version_info_id INTEGER NOT NULL PRIMARY KEY,
  schema_version INTEGER, library_version VARCHAR(256), CHECK (version_info_id = 1));
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
CREATE TABLE study_directions (study_direction_id INTEGER NOT NULL PRIMARY KEY,
  direction VARCHAR(8) NOT NULL, study_id INTEGER NOT NULL, objective INTEGER NOT NULL,
  UNIQUE (study_id, objective), FOREIGN KEY (study_id) REFERENCES studies (study_id));
CREATE TABLE study_user_attributes (study_user_attribute_id INTEGER NOT NULL PRIMARY KEY,
  study_id INTEGER, key VARCHAR(512), value_json TEXT,
  UNIQUE (study_id, key), FOREIGN KEY (study_id) REFERENCES studies (study_id));
CREATE TABLE study_system_attributes (study_system_attribute_id INTEGER NOT NULL PRIMARY KEY,
  study_id INTEGER, key VARCHAR(512), value_json TEXT,
  UNIQUE (study_id, key), FOREIGN KEY (study_id) REFERENCES studies (study_id));
)sql";
constexpr const char* kTrialTables = R"sql(
CREATE TABLE trials (trial_id INTEGER NOT NULL PRIMARY KEY, number INTEGER, study_id INTEGER,
  state VARCHAR(8) NOT NULL, datetime_start DATETIME, datetime_complete DATETIME,
  FOREIGN KEY (study_id) REFERENCES studies (study_id));
CREATE INDEX ix_trials_study_id ON trials (study_id);
CREATE TABLE trial_user_attributes (trial_user_attribute_id INTEGER NOT NULL PRIMARY KEY,
  trial_id INTEGER, key VARCHAR(512), value_json TEXT,
  UNIQUE (trial_id, key), FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_system_attributes (trial_system_attribute_id INTEGER NOT NULL PRIMARY KEY,
  trial_id INTEGER, key VARCHAR(512), value_json TEXT,
  UNIQUE (trial_id, key), FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_params (param_id INTEGER NOT NULL PRIMARY KEY, trial_id INTEGER,
  param_name VARCHAR(512), param_value FLOAT, distribution_json TEXT,
  UNIQUE (trial_id, param_name), FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_values (trial_value_id INTEGER NOT NULL PRIMARY KEY,
  trial_id INTEGER NOT NULL, objective INTEGER NOT NULL, value FLOAT, value_type VARCHAR(7) NOT NULL,
  UNIQUE (trial_id, objective), FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_intermediate_values (trial_intermediate_value_id INTEGER NOT NULL PRIMARY KEY,
  trial_id INTEGER NOT NULL, step INTEGER NOT NULL, intermediate_value FLOAT,
  intermediate_value_type VARCHAR(7) NOT NULL,
  UNIQUE (trial_id, step), FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
CREATE TABLE trial_heartbeats (trial_heartbeat_id INTEGER NOT NULL PRIMARY KEY,
  trial_id INTEGER NOT NULL, heartbeat DATETIME NOT NULL,
  UNIQUE (trial_id), FOREIGN KEY (trial_id) REFERENCES trials (trial_id));
INSERT INTO version_info VALUES (1, 12, '3.2.0');
INSERT INTO alembic_version VALUES ('v3.2.0.a');
)sql";

std::string json_of(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A dimension of the space as a parameter of trials.
struct Parameter {
  size_t dimension = 0;
  std::string name;
  std::string distribution;
};

/// All dimensions; of large spaces those that most trials have another value of than trial 0, of
/// equal ones the first.
Result<std::vector<size_t>> chosen_dimensions(const TuneSessions& sessions, TuneSessionRow id,
                                              const tune::Space& space) {
  std::vector<size_t> out(space.dimensions());
  std::iota(out.begin(), out.end(), size_t{0});
  if (out.size() <= kMostParameters) return out;
  tune::Config first;
  std::vector<uint64_t> changes(out.size());
  HLOSCOPE_TRY(sessions.each_trial(id, 0, [&](const tune::Trial& trial) {
    if (trial.number == 0) first = trial.config;
    for (size_t i = 0; i < changes.size(); ++i) changes[i] += trial.config[i] != first[i] ? 1 : 0;
    return true;
  }));
  std::ranges::stable_sort(out, std::greater<>(), [&](size_t i) { return changes[i]; });
  out.resize(kMostParameters);
  std::ranges::sort(out);
  return out;
}

Result<std::vector<Parameter>> parameters_of(const TuneSessions& sessions, TuneSessionRow id,
                                             const tune::Space& space) {
  HLOSCOPE_ASSIGN(const std::vector<size_t> dimensions, chosen_dimensions(sessions, id, space));
  std::vector<Parameter> out;
  for (const size_t i : dimensions) {
    out.push_back({i, space.dimension_name(i),
                   fmt::format(R"({{"name": "IntDistribution", "attributes": {{"log": false, )"
                               R"("step": 1, "low": 0, "high": {}}}}})",
                               space.choices(i) - 1)});
  }
  return out;
}

/// One study of the file.
class Study {
 public:
  static Result<Study> create(Connection& connection, std::string_view name) {
    HLOSCOPE_ASSIGN(Statement study,
                    connection.prepare("INSERT INTO studies (study_name) VALUES (?1)"));
    HLOSCOPE_TRY(study.run(name));
    const int64_t id = connection.last_insert_row();
    HLOSCOPE_ASSIGN(Statement direction, connection.prepare(R"sql(
      INSERT INTO study_directions (direction, study_id, objective) VALUES ('MINIMIZE', ?1, 0))sql"));
    HLOSCOPE_TRY(direction.run(id));
    return Study(connection, id);
  }

  Status set(std::string_view key, std::string_view text) {
    HLOSCOPE_ASSIGN(Statement insert, connection_->prepare(R"sql(
      INSERT INTO study_user_attributes (study_id, key, value_json) VALUES (?1, ?2, ?3))sql"));
    return insert.run(id_, key, json_of(text));
  }

  Status add(const tune::Trial& trial, const std::optional<double>& time_ns,
             std::string_view created, const std::vector<Parameter>& parameters) {
    HLOSCOPE_TRY(add_trial(trial, time_ns, created));
    const int64_t trial_id = connection_->last_insert_row();
    HLOSCOPE_TRY(add_value(trial_id, time_ns));
    HLOSCOPE_TRY(add_parameters(trial_id, trial, parameters));
    return add_attributes(trial_id, trial);
  }

 private:
  Study(Connection& connection, int64_t id) : connection_(&connection), id_(id) {}

  Status add_trial(const tune::Trial& trial, const std::optional<double>& time_ns,
                   std::string_view created) {
    // Pauses are left out: the trial ended so long after the session was created, or later.
    HLOSCOPE_ASSIGN(Statement insert, connection_->prepare(R"sql(
      INSERT INTO trials (number, study_id, state, datetime_start, datetime_complete)
      VALUES (?1, ?2, ?3, strftime('%Y-%m-%d %H:%M:%f', ?4, ?5 || ' seconds') || '000',
              strftime('%Y-%m-%d %H:%M:%f', ?4, ?5 || ' seconds') || '000'))sql"));
    return insert.run(count_++, id_, time_ns ? "COMPLETE" : "FAIL", created, trial.at_s);
  }

  Status add_value(int64_t trial_id, const std::optional<double>& time_ns) {
    if (!time_ns) return {};
    HLOSCOPE_ASSIGN(Statement insert, connection_->prepare(R"sql(
      INSERT INTO trial_values (trial_id, objective, value, value_type)
      VALUES (?1, 0, ?2, 'FINITE'))sql"));
    return insert.run(trial_id, *time_ns);
  }

  Status add_parameters(int64_t trial_id, const tune::Trial& trial,
                        const std::vector<Parameter>& parameters) {
    HLOSCOPE_ASSIGN(Statement insert, connection_->prepare(R"sql(
      INSERT INTO trial_params (trial_id, param_name, param_value, distribution_json)
      VALUES (?1, ?2, ?3, ?4))sql"));
    for (const Parameter& parameter : parameters) {
      HLOSCOPE_TRY(insert.run(trial_id, parameter.name,
                              static_cast<double>(trial.config[parameter.dimension]),
                              parameter.distribution));
    }
    return {};
  }

  Status add_attributes(int64_t trial_id, const tune::Trial& trial) {
    HLOSCOPE_ASSIGN(Statement insert, connection_->prepare(R"sql(
      INSERT INTO trial_user_attributes (trial_id, key, value_json) VALUES (?1, ?2, ?3))sql"));
    const auto number = [&](const char* key, const std::optional<double>& value) -> Status {
      return value ? insert.run(trial_id, key, nlohmann::json(*value).dump()) : Status();
    };
    HLOSCOPE_TRY(insert.run(trial_id, "trial", fmt::format("{}", trial.number)));
    HLOSCOPE_TRY(number("predicted_ns", trial.predicted_ns));
    HLOSCOPE_TRY(number("hardware_ns", trial.hardware_ns));
    HLOSCOPE_TRY(insert.run(trial_id, "accepted", trial.accepted ? "true" : "false"));
    HLOSCOPE_TRY(insert.run(trial_id, "refined", trial.refined ? "true" : "false"));
    return trial.error.empty() ? Status() : insert.run(trial_id, "error", json_of(trial.error));
  }

  Connection* connection_;
  int64_t id_;
  int64_t count_ = 0;  ///< Optuna numbers the trials of a study without gaps.
};

Result<Study> described_study(Connection& connection, const SessionInfo& session,
                              const std::string& name, std::string_view source) {
  HLOSCOPE_ASSIGN(Study study, Study::create(connection, name));
  HLOSCOPE_TRY(study.set("made_by", "hloscope"));
  HLOSCOPE_TRY(study.set("program", session.program));
  HLOSCOPE_TRY(study.set("file", session.file_path));
  HLOSCOPE_TRY(study.set("values", fmt::format("time_ns, {}", source)));
  HLOSCOPE_TRY(study.set("settings", tune::settings_json(session.settings)));
  return study;
}

Status write_studies(Connection& connection, const TuneSessions& sessions,
                     const SessionInfo& session, const tune::Space& space) {
  HLOSCOPE_ASSIGN(const std::vector<Parameter> parameters,
                  parameters_of(sessions, session.id, space));
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_TRY(connection.execute(kStudyTables));
  HLOSCOPE_TRY(connection.execute(kTrialTables));
  HLOSCOPE_ASSIGN(Study all,
                  described_study(connection, session, session.name, session.search_source));
  Status written;
  HLOSCOPE_TRY(sessions.each_trial(session.id, 0, [&](const tune::Trial& trial) {
    written = all.add(trial, trial.search_ns(), session.created, parameters);
    return written.has_value();
  }));
  HLOSCOPE_TRY(written);
  HLOSCOPE_ASSIGN(const std::vector<tune::Trial> measured, sessions.measured_trials(session.id));
  if (session.settings.measure && !measured.empty()) {
    HLOSCOPE_ASSIGN(Study best, described_study(connection, session, session.name + " (measured)",
                                                session.measure_source));
    for (const tune::Trial& trial : measured) {
      HLOSCOPE_TRY(best.add(trial, trial.hardware_ns, session.created, parameters));
    }
  }
  return transaction.commit();
}

}  // namespace

Status export_optuna(Database& database, const SessionInfo& session, const tune::Space& space,
                     const std::filesystem::path& target) {
  HLOSCOPE_ASSIGN(NewFile file, NewFile::begin(target));
  const auto write = [&]() -> Status {
    HLOSCOPE_ASSIGN(const auto connection,
                    Connection::open(file.path(), Access::kCreate, Database::kBusyTimeout));
    return write_studies(*connection, TuneSessions(database), session, space);
  };
  if (const Status written = write(); !written) return fail(file.named(written.error()));
  return file.commit();
}

}  // namespace hloscope::db
