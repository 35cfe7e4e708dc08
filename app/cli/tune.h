#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/result.h"
#include "db/tuning.h"

/// What the files of `tune` and `sessions` share.
namespace hloscope::cli {

/// Each adds subcommands of `tune`.
void add_tune_start(CLI::App& tune, int& exit_code);
void add_tune_steering(CLI::App& tune, int& exit_code);
void add_tune_best(CLI::App& tune, int& exit_code);

/// A session of a database, as commands take it.
struct SessionOptions {
  std::string session;  ///< Number or name.
  std::string db;
  bool json = false;
};
void add_session_options(CLI::App& command, SessionOptions& options);

/// Opens a database that is there. Errors: those of Database::open(); kNotFound.
[[nodiscard]] Result<db::Database> open_sessions(const std::string& path, db::OpenMode mode);

/// Runs a session and shows it. `db_path` is empty where it is not kept. Sets kPaused.
[[nodiscard]] Status run_and_show(db::Database& database, db::TuneSessionRow id,
                                  const std::string& db_path, bool json, int& exit_code);

/// State, best and budget, and how to make the same session again.
[[nodiscard]] nlohmann::ordered_json session_json(const db::SessionInfo& session,
                                                  const std::string& db_path);
[[nodiscard]] std::string session_text(const db::SessionInfo& session, const std::string& db_path);

/// How much faster the best is than the default; empty where one of the times is not there, or they
/// are of different sources.
[[nodiscard]] std::optional<double> speedup(const db::SessionInfo& session);
/// What gave SessionState::best_ns.
[[nodiscard]] const std::string& best_source(const db::SessionInfo& session);
/// The same for SessionState::baseline_ns.
[[nodiscard]] const std::string& default_source(const db::SessionInfo& session);
/// "1.23 ms" of 1.23e6; "-" for none.
[[nodiscard]] std::string time_text(std::optional<double> time_ns);
/// "1.234 x"; "-" for none.
[[nodiscard]] std::string speedup_text(std::optional<double> speedup);

}  // namespace hloscope::cli
