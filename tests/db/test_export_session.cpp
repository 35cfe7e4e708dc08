#include <QDir>
#include <QTemporaryDir>
#include <fstream>
#include <nlohmann/json.hpp>

#include "db/export_session.h"
#include "db/new_file.h"
#include "db/run_session.h"
#include "db/sqlite/connection.h"
#include "tests/db/tune_fixtures.h"
#include "tests/support/test_registry.h"

using namespace hloscope;
using namespace hloscope::db;
using namespace hloscope::db::testing;

/// Sessions in files of other programs.
class TestExportSession : public DatabaseTest {
  Q_OBJECT
 private:
  /// A finished session over a grid.
  SessionInfo finished(size_t dimensions) {
    NewSession made = grid_session("a, \"b\"");
    made.settings.strategy.seed = 4;
    const TuneSessionRow id = HLOSCOPE_MUST(TuneSessions(*database_).create(made));
    tune::Problem problem = grid_problem(made.settings, dimensions);
    if (!run_tune_session(*database_, id, problem)) qFatal("the session failed");
    return HLOSCOPE_MUST(TuneSessions(*database_).get(id));
  }

 private slots:
  void csv_has_a_line_for_each_trial() {
    const SessionInfo session = finished(6);
    const std::string csv = HLOSCOPE_MUST(trials_csv(*database_, session, GridSpace(6)));
    QCOMPARE(std::ranges::count(csv, '\n'), 101);
    const auto trials = all_trials(*database_, session.id);
    QVERIFY(csv.starts_with("trial,config,predicted_ns,"));
    QVERIFY(csv.find(",temperature,refined,at_s\n") != std::string::npos);
    QVERIFY(csv.find("\n0," + GridSpace(6).text(trials[0].config) + ",") != std::string::npos);
    QVERIFY(csv.find(",does not fit,") != std::string::npos);
  }

  void large_configurations_are_written_as_changes() {
    const SessionInfo session = finished(100);
    const std::string csv = HLOSCOPE_MUST(trials_csv(*database_, session, GridSpace(100)));
    QVERIFY(csv.starts_with("trial,changes,"));
    const auto trials = all_trials(*database_, session.id);
    size_t at = 0;
    while (trials[1].config[at] == trials[0].config[at]) ++at;
    const std::string change =
        "\n1," + std::to_string(at) + "=" + std::to_string(trials[1].config[at]);
    QVERIFY(csv.find(change) != std::string::npos);
  }

  void json_has_session_and_trials() {
    const SessionInfo session = finished(6);
    const auto json = nlohmann::json::parse(
        HLOSCOPE_MUST(session_export_json(*database_, session, GridSpace(6))));
    QCOMPARE(json.at("name").get<std::string>(), session.name);
    QCOMPARE(json.at("trials").size(), size_t{100});
    QCOMPARE(json.at("search_source").get<std::string>(), std::string("predicted (grid)"));
    const auto trials = all_trials(*database_, session.id);
    QCOMPARE(json["trials"][7]["config"].get<std::string>(), GridSpace(6).text(trials[7].config));
    QCOMPARE(json["trials"][7]["refined"].get<bool>(), false);
    QCOMPARE(json["settings"]["strategy"]["seed"].get<int>(), 4);
  }

  void optuna_gets_two_studies() {
    const SessionInfo session = finished(6);
    const auto target = folder_->path("study.db");
    HLOSCOPE_OK(export_optuna(*database_, session, GridSpace(6), target));
    HLOSCOPE_OK(export_optuna(*database_, session, GridSpace(6), target));  // Replaces it.
    const auto one = [&](const std::string& text) { return sql(target, text); };
    QCOMPARE(one("SELECT group_concat(study_name, ';') FROM studies"),
             session.name + ";" + session.name + " (measured)");
    QCOMPARE(one("SELECT schema_version FROM version_info"), std::string("12"));
    QCOMPARE(one("SELECT version_num FROM alembic_version"), std::string("v3.2.0.a"));
    QCOMPARE(one("SELECT count(*) FROM trials WHERE study_id = 1"), std::string("100"));
    QCOMPARE(one("SELECT count(*) FROM trials WHERE study_id = 2"),
             std::to_string(session.progress.measured));
    QCOMPARE(one("SELECT max(number) FROM trials WHERE study_id = 2"),
             std::to_string(session.progress.measured - 1));
    const auto trials = all_trials(*database_, session.id);
    QCOMPARE(one("SELECT count(*) FROM trials WHERE study_id = 1 AND state = 'FAIL'"),
             std::to_string(session.progress.failed));
    QCOMPARE(std::stod(one("SELECT value FROM trial_values WHERE trial_id = 1")),
             *trials[0].predicted_ns);
    QCOMPARE(one("SELECT count(*) FROM trial_params WHERE trial_id = 8"), std::string("6"));
    QCOMPARE(std::stod(one("SELECT param_value FROM trial_params WHERE trial_id = 8 AND "
                           "param_name = 'axis 2'")),
             static_cast<double>(trials[7].config[2]));
    QCOMPARE(one("SELECT distribution_json FROM trial_params LIMIT 1"),
             std::string(R"({"name": "IntDistribution", "attributes": {"log": false, "step": 1, )"
                         R"("low": 0, "high": 3}})"));
    QCOMPARE(one("SELECT value_json FROM study_user_attributes WHERE study_id = 2 AND key = "
                 "'values'"),
             std::string("\"time_ns, simulated (grid)\""));
  }

  void optuna_gets_the_dimensions_that_change() {
    const SessionInfo session = finished(300);
    const auto target = folder_->path("study.db");
    HLOSCOPE_OK(export_optuna(*database_, session, GridSpace(300), target));
    QCOMPARE(sql(target, "SELECT count(*) FROM trial_params WHERE trial_id = 1"),
             std::to_string(kMostParameters));
    const auto trials = all_trials(*database_, session.id);
    size_t at = 0;
    while (trials[99].config[at] == trials[0].config[at]) ++at;
    const std::string name = "axis " + std::to_string(at);
    QCOMPARE(sql(target, "SELECT count(*) FROM trial_params WHERE param_name = '" + name +
                             "' AND trial_id <= 100"),
             std::string("100"));
  }

  void what_sqlite_leaves_of_an_export_that_failed_is_removed() {
    const QTemporaryDir folder;
    {
      const NewFile file = HLOSCOPE_MUST(NewFile::begin(folder.filePath("study.db").toStdString()));
      std::ofstream(file.path().string() + "-journal") << "pages";
    }
    QVERIFY(QDir(folder.path()).isEmpty(QDir::Files | QDir::Hidden));
  }
};

HLOSCOPE_TEST(TestExportSession);
#include "test_export_session.moc"
