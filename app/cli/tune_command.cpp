#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/terminal.h"
#include "app/cli/tune.h"
#include "app/cli/tune_progress.h"
#include "db/run_session.h"

namespace hloscope::cli {

void add_session_options(CLI::App& command, SessionOptions& options) {
  command.add_option("SESSION", options.session, "its number or name")->required();
  command.add_option("--db", options.db, "the database that holds it")->required();
  command.add_flag("--json", options.json, "write JSON");
}

Result<db::Database> open_sessions(const std::string& path, db::OpenMode mode) {
  // Opening for writing would make a file of a mistyped name.
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) mode = db::OpenMode::kReadOnly;
  HLOSCOPE_ASSIGN(db::Database database, db::Database::open(path, mode));
  if (!database.notice().empty()) std::fprintf(stderr, "%s\n", database.notice().c_str());
  return database;
}

Status run_and_show(db::Database& database, db::TuneSessionRow id, const std::string& db_path,
                    bool json, int& exit_code) {
  const db::TuneSessions sessions(database);
  HLOSCOPE_ASSIGN(db::SessionInfo session, sessions.get(id));
  const Interrupt interrupt;
  TuneProgress progress(session.settings);
  const auto watch = [&progress](double fraction, std::string_view what,
                                 const tune::SessionState& state) {
    progress.report(fraction, what, state);
  };
  const auto status = db::run_tune_session(database, id, interrupt.token(), watch);
  clear_terminal_progress();
  HLOSCOPE_TRY(status);
  if (*status == db::SessionStatus::kPaused) exit_code = kPaused;
  HLOSCOPE_ASSIGN(session, sessions.get(id));
  std::cout << (json ? json_text(session_json(session, db_path)) + "\n"
                     : session_text(session, db_path));
  return {};
}

void add_tune_command(CLI::App& app, int& exit_code) {
  CLI::App& tune = *app.add_subcommand(
      "tune", "searches faster tiles, fusions and layouts, and steers the sessions that do");
  tune.require_subcommand(1);
  tune.footer(
      "Examples:\n"
      "  hloscope-cli tune tiles samples/tpu_v3_tiles.pb#1 --measure recorded --top 10\n"
      "  hloscope-cli tune fusion samples/resnet50_train.before_optimizations.txt --trials 5000 "
      "--db tune.hloscope\n"
      "  hloscope-cli tune extend 1 --trials +5000 --db tune.hloscope\n"
      "  hloscope-cli tune resume 1 --db tune.hloscope\n"
      "  hloscope-cli tune best 1 --db tune.hloscope -o tuned.hlo\n"
      "A session is kept trial by trial: Ctrl-C pauses it (exit code 3), and after a crash or kill "
      "resume makes the\nvery trials that were to come. See also hloscope-cli sessions. Help of "
      "one: hloscope-cli tune fusion --help");
  add_tune_start(tune, exit_code);
  add_tune_steering(tune, exit_code);
  add_tune_best(tune, exit_code);
}

}  // namespace hloscope::cli
