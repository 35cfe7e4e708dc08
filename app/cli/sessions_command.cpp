#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/dataset.h"
#include "app/cli/json_text.h"
#include "app/cli/terminal.h"
#include "app/cli/text_table.h"
#include "app/cli/tune.h"
#include "app/cli/whole_number.h"
#include "core/base/write_file.h"
#include "db/database.h"
#include "db/export_session.h"
#include "db/run_session.h"

namespace hloscope::cli {

namespace {

using nlohmann::ordered_json;

struct SessionsOptions {
  std::string db;
  std::string session;
  std::string format = "csv";
  std::string output;
  int64_t limit = 1000;
  bool json = false;
  bool csv = false;
};

/// What fits in 100 columns; "sessions show" and JSON have the rest.
std::string sessions_text(const std::vector<db::SessionInfo>& list) {
  constexpr size_t kMostOfName = 26;
  constexpr size_t kToMinutes = 16;  // Of 2026-01-31T23:59:59Z.
  using enum TextTable::Align;
  TextTable table({{"Session"},
                   {"Name", kLeft},
                   {"Status", kLeft},
                   {"Trials"},
                   {"Best"},
                   {"of", kLeft},
                   {"Speed-up"},
                   {"Last change (UTC)", kLeft}});
  for (const db::SessionInfo& session : list) {
    const std::string number = fmt::format("{}", session.id.value);
    const std::string name = shortened(session.name, kMostOfName);
    if (session.status == db::SessionStatus::kDamaged) {
      table.add_row({number, name, "damaged", "-", "-", "-", "-", "-"});
      continue;
    }
    const tune::SessionState& state = session.progress;
    table.add_row({number, name, std::string(db::name(session.status)), grouped(state.trials),
                   time_text(state.best_ns), state.best_ns ? kind_of(best_source(session)) : "-",
                   speedup_text(speedup(session)), session.updated.substr(0, kToMinutes)});
  }
  return table.text();
}

ordered_json damaged_json(const db::SessionInfo& session, const std::string& db_path) {
  return {{"session", session.id.value},
          {"name", session.name},
          {"program", session.program},
          {"file", session.file_path},
          {"status", db::name(session.status)},
          {"message", session.message},
          {"db", db_path}};
}

/// Says of each damaged one what to do.
void tell_damaged(const std::vector<db::SessionInfo>& list, const std::string& db_path) {
  for (const db::SessionInfo& session : list) {
    if (session.status != db::SessionStatus::kDamaged) continue;
    std::cerr << fmt::format(
        "session {0} is damaged: {1}\n  'hloscope-cli tune remove {0} --db {2}' takes it away; or "
        "take it from a copy of the database\n",
        session.id.value, session.message, db_path);
  }
}

Status list(const SessionsOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, open_sessions(options.db, db::OpenMode::kReadOnly));
  HLOSCOPE_ASSIGN(const std::vector<db::SessionInfo> all,
                  db::TuneSessions(database).list({options.limit, 0}));
  if (options.json) {
    auto rows = ordered_json::array();
    for (const db::SessionInfo& session : all) {
      const bool is_damaged = session.status == db::SessionStatus::kDamaged;
      rows.push_back(is_damaged ? damaged_json(session, options.db)
                                : session_json(session, options.db));
    }
    std::cout << json_text(rows) << "\n";
  } else if (all.empty()) {
    std::cout << "no tuning sessions; 'hloscope-cli tune fusion FILE --db' makes one\n";
  } else {
    std::cout << sessions_text(all);
  }
  tell_damaged(all, options.db);
  return {};
}

/// What a command of one session works with. The space is made from what is stored.
struct Opened {
  db::Database database;
  db::SessionInfo session;
  tune::Problem problem;
};

Result<Opened> open_session(const SessionsOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, open_sessions(options.db, db::OpenMode::kReadOnly));
  HLOSCOPE_ASSIGN(db::SessionInfo session, db::TuneSessions(database).find(options.session));
  HLOSCOPE_ASSIGN(tune::Problem problem,
                  db::stored_problem(database, session, terminal_progress()));
  clear_terminal_progress();
  return Opened{std::move(database), std::move(session), std::move(problem)};
}

std::string trial_measured_text(const std::vector<tune::Trial>& trials,
                                const db::SessionInfo& session) {
  using enum TextTable::Align;
  TextTable table({{"Run"}, {"Trial"}, {"Predicted"}, {"Time"}, {"Speed-up"}, {"", kLeft}});
  const std::optional<double> base_ns = session.progress.baseline_ns;
  for (const tune::Trial& trial : trials) {
    std::optional<double> faster;
    if (base_ns && trial.hardware_ns) faster = *base_ns / *trial.hardware_ns;
    table.add_row({grouped(trial.measured_as), grouped(trial.number), time_text(trial.predicted_ns),
                   time_text(trial.hardware_ns), speedup_text(faster), trial.error});
  }
  return table.text();
}

Status show(const SessionsOptions& options) {
  HLOSCOPE_ASSIGN(db::Database database, open_sessions(options.db, db::OpenMode::kReadOnly));
  const db::TuneSessions sessions(database);
  HLOSCOPE_ASSIGN(const db::SessionInfo session, sessions.find(options.session));
  HLOSCOPE_ASSIGN(const std::vector<tune::Trial> measured, sessions.measured_trials(session.id));
  if (options.json) {
    ordered_json out = session_json(session, options.db);
    auto rows = ordered_json::array();
    for (const tune::Trial& trial : measured) {
      rows.push_back({{"trial", trial.number},
                      {"measured_as", trial.measured_as},
                      {"predicted_ns", or_null(trial.predicted_ns)},
                      {"hardware_ns", or_null(trial.hardware_ns)},
                      {"error", trial.error}});
    }
    out["measured_trials"] = std::move(rows);
    std::cout << json_text(out) << "\n";
    return {};
  }
  std::cout << session_text(session, options.db);
  if (!measured.empty()) std::cout << "\n" << trial_measured_text(measured, session);
  return {};
}

std::string trials_text(const std::vector<tune::Trial>& trials) {
  using enum TextTable::Align;
  TextTable table({{"Trial"}, {"Predicted"}, {"Hardware"}, {"Accepted", kLeft}, {"", kLeft}});
  for (const tune::Trial& trial : trials) {
    table.add_row({grouped(trial.number), time_text(trial.predicted_ns),
                   time_text(trial.hardware_ns), trial.accepted ? "yes" : "-", trial.error});
  }
  return table.text();
}

Status trials(const SessionsOptions& options) {
  if (options.csv) {
    HLOSCOPE_ASSIGN(Opened opened, open_session(options));
    HLOSCOPE_ASSIGN(const std::string csv,
                    db::trials_csv(opened.database, opened.session, *opened.problem.space));
    std::cout << csv;
    return {};
  }
  HLOSCOPE_ASSIGN(db::Database database, open_sessions(options.db, db::OpenMode::kReadOnly));
  const db::TuneSessions sessions(database);
  HLOSCOPE_ASSIGN(const db::SessionInfo session, sessions.find(options.session));
  std::vector<tune::Trial> rows;
  const auto take = [&](const tune::Trial& trial) {
    rows.push_back(trial);
    return std::ssize(rows) < options.limit;
  };
  HLOSCOPE_TRY(sessions.each_trial(session.id, 0, take, false));
  std::cout << trials_text(rows);
  const uint64_t left = session.progress.trials - std::min(session.progress.trials, rows.size());
  if (left > 0) std::cout << grouped(left) << " more: see --limit and --csv\n";
  return {};
}

Status export_session(const SessionsOptions& options) {
  const std::string inputs[] = {options.db};
  HLOSCOPE_TRY(check_output(options.output, inputs));
  HLOSCOPE_ASSIGN(Opened opened, open_session(options));
  const tune::Space& space = *opened.problem.space;
  if (options.format == "optuna") {
    HLOSCOPE_TRY(db::export_optuna(opened.database, opened.session, space, options.output));
  } else {
    HLOSCOPE_ASSIGN(const std::string text,
                    options.format == "csv"
                        ? db::trials_csv(opened.database, opened.session, space)
                        : db::session_export_json(opened.database, opened.session, space));
    HLOSCOPE_TRY(write_file(options.output, text));
  }
  std::cerr << fmt::format("wrote {}\n", options.output);
  return {};
}

using Options = std::shared_ptr<SessionsOptions>;

CLI::App& add_one(CLI::App& sessions, const char* name, const char* what, const Options& options) {
  CLI::App& command = *sessions.add_subcommand(name, what);
  command.add_option("SESSION", options->session, "its number or name")->required();
  command.fallthrough();  // --db may stand behind.
  return command;
}

void add_show(CLI::App& sessions, const Options& options, int& exit_code) {
  CLI::App& command =
      add_one(sessions, "show", "settings, state, best and what was measured", options);
  command.footer(
      "Example: hloscope-cli sessions show 1 --db tune.hloscope --json\n"
      "  {\"session\": 1, ..., as tune fusion --json,\n   \"measured_trials\": [{\"trial\": 423, "
      "\"measured_as\": 1, \"predicted_ns\": 1e5, \"hardware_ns\": 1e5, \"error\": \"\"}]}");
  command.callback([options, &exit_code] { settle(show(*options), exit_code); });
}

void add_trials(CLI::App& sessions, const Options& options, int& exit_code) {
  CLI::App& command = add_one(sessions, "trials", "the trials of a session", options);
  command.add_flag("--csv", options->csv, "all of them with their configurations, as CSV");
  command.footer(
      "Columns of CSV: trial, config, predicted_ns, hardware_ns, measured_as, booked_ns, error, "
      "accepted, temperature, refined, at_s.\nIn spaces of more than 64 dimensions config is "
      "changes, the "
      "differences to trial 0: \"12=1 40=0\".");
  command.callback([options, &exit_code] { settle(trials(*options), exit_code); });
}

void add_export(CLI::App& sessions, const Options& options, int& exit_code) {
  CLI::App& command = add_one(sessions, "export", "writes a session to a file", options);
  command
      .add_option("--format", options->format,
                  "csv: see trials; json; optuna: SQLite for optuna.load_study()")
      ->check(CLI::IsMember({"csv", "json", "optuna"}))
      ->capture_default_str();
  command.add_option("-o,--output", options->output, "the file")->required();
  command.footer(
      "Optuna: study NAME has all trials with the time that the search went by, study 'NAME "
      "(measured)' those that were\nmeasured. In spaces of more than 100 dimensions the "
      "parameters are the 100 that change most often.\n"
      "Example: hloscope-cli sessions export 1 --db tune.hloscope --format json -o session.json\n"
      "  {\"session\": 1, \"name\": \"...\", \"program\": \"...\", \"file\": \"...\", "
      "\"program_hash\": \"...\", \"status\": \"finished\",\n   \"search_source\": \"predicted "
      "(...)\", \"measure_source\": \"simulated (...)\", \"default_ns\": 2e5, \"settings\": "
      "{...},\n   \"first_config\": \"0110...\", \"trials\": [{\"trial\": 0, \"config\": "
      "\"0110...\", \"predicted_ns\": 1e5,\n   \"hardware_ns\": null, \"measured_as\": 0, "
      "\"booked_ns\": 0, \"error\": \"\", \"accepted\": true, \"temperature\": 0.3, \"at_s\": "
      "0.1, \"refined\": false}]}");
  command.callback([options, &exit_code] { settle(export_session(*options), exit_code); });
}

}  // namespace

void add_sessions_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<SessionsOptions>();
  options->db = db::default_path().string();
  CLI::App& sessions = *app.add_subcommand("sessions", "tuning sessions of a database");
  sessions.require_subcommand(0, 1);
  sessions.add_option("--db", options->db, "database (default: the one the window uses)");
  sessions.add_option("--limit", options->limit, "rows")
      ->check(above_zero())
      ->capture_default_str();
  sessions.add_flag("--json", options->json, "write JSON");
  sessions.footer(
      "Without show, trials or export: a list, the newest first. JSON: an array of what tune "
      "fusion "
      "--json gives.\nExample: hloscope-cli sessions --db tune.hloscope");
  add_show(sessions, options, exit_code);
  add_trials(sessions, options, exit_code);
  add_export(sessions, options, exit_code);
  sessions.callback([options, &sessions, &exit_code] {
    if (sessions.get_subcommands().empty()) settle(list(*options), exit_code);
  });
}

}  // namespace hloscope::cli
