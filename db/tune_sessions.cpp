#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "db/deflate.h"
#include "db/given_name.h"
#include "db/sqlite/connection.h"
#include "db/tune_rows.h"
#include "db/tuning.h"

namespace hloscope::db {
namespace {

constexpr std::string_view kNow = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

std::string select_sessions(std::string_view rest) {
  return fmt::format(
      "SELECT {}, {}, id, name, program, file_path, program_hash, settings, message, "
      "search_source, measure_source, space_count, created, updated FROM tune_sessions {}",
      kHolderColumns, kStateColumns, rest);
}

Result<SessionInfo> read_columns(const Statement& row) {
  SessionInfo info;
  const SessionHolder holder = read_holder(row, 0);
  info.status = holder.status;
  info.owner = holder.owner;
  HLOSCOPE_ASSIGN(info.progress, read_state(row, 7));
  info.id.value = row.integer(18);
  info.name = row.text(19);
  info.program = row.text(20);
  info.file_path = row.text(21);
  info.program_hash = row.hash(22);
  HLOSCOPE_ASSIGN(info.settings, tune::parse_settings(row.text(23)));
  info.message = row.text(24);
  info.search_source = row.text(25);
  info.measure_source = row.text(26);
  if (!row.is_null(27)) info.space_count = row.real(27);
  info.created = row.text(28);
  info.updated = row.text(29);
  return info;
}

/// Errors name the session: of a list nobody would know which one is damaged.
Result<SessionInfo> read_session(const Statement& row) {
  Result<SessionInfo> info = read_columns(row);
  if (info) return info;
  return fail(damage_of({row.integer(18)}, info.error().message));
}

/// The others of a list are whole.
SessionInfo damaged_session(const Statement& row, const Error& error) {
  SessionInfo info;
  info.id.value = row.integer(18);
  info.name = row.text(19);
  info.program = row.text(20);
  info.file_path = row.text(21);
  info.status = SessionStatus::kDamaged;
  info.message = error.message;
  return info;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

Result<bool> has_name(Connection& connection, std::string_view name) {
  HLOSCOPE_ASSIGN(Statement select,
                  connection.prepare("SELECT 1 FROM tune_sessions WHERE name = ?1"));
  select.bind(name);
  return select.step();
}

/// Followed by a number where another session is called so.
Result<std::string> free_name(Connection& connection, const std::string& wanted) {
  for (int i = 1;; ++i) {
    std::string name = i == 1 ? wanted : fmt::format("{} {}", wanted, i);
    HLOSCOPE_ASSIGN(const bool is_taken, has_name(connection, name));
    if (!is_taken) return name;
  }
}

Status check_name(Connection& connection, std::string_view name) {
  if (name.empty() || is_number(name)) {
    return fail(ErrorCode::kInvalidInput,
                name.empty() ? std::string("a tuning session needs a name")
                             : fmt::format("'{}' is no name for a tuning session", name),
                "numbers are given by the database; take a word");
  }
  HLOSCOPE_TRY(check_given_name("tuning session", name));
  HLOSCOPE_ASSIGN(const bool is_taken, has_name(connection, name));
  if (!is_taken) return {};
  return fail(ErrorCode::kInvalidInput, fmt::format("there is a tuning session '{}' already", name),
              "choose another name");
}

std::string default_name(const NewSession& session) {
  const tune::Settings& settings = session.settings;
  std::string what = session.program;
  if (!settings.kernel.empty() && settings.kernel != what) what += " " + settings.kernel;
  return fmt::format("{} {} {}", what, tune::name(settings.space),
                     tune::name(settings.strategy.kind));
}

std::string recorded_json(const tune::Recorded& recorded) {
  nlohmann::ordered_json json = {{"device", recorded.device}, {"file", recorded.file}};
  auto runs = nlohmann::ordered_json::array();
  for (const tune::Recorded::Run& run : recorded.runs) {
    nlohmann::ordered_json one = {{"config", run.config}, {"time_ns", nullptr}};
    if (run.time_ns) one["time_ns"] = *run.time_ns;
    one["is_default"] = run.is_default;
    runs.push_back(std::move(one));
  }
  json["runs"] = std::move(runs);
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Result<tune::Recorded> parse_recorded(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  tune::Recorded out;
  try {
    json.at("device").get_to(out.device);
    json.at("file").get_to(out.file);
    for (const auto& one : json.at("runs")) {
      tune::Recorded::Run& run = out.runs.emplace_back();
      one.at("config").get_to(run.config);
      one.at("is_default").get_to(run.is_default);
      if (!one.at("time_ns").is_null()) run.time_ns = one.at("time_ns").get<double>();
    }
  } catch (const nlohmann::json::exception&) {
    return fail(ErrorCode::kInvalidInput, "the recorded runs of a tuning session are damaged");
  }
  return out;
}

Status insert_inputs(Connection& connection, TuneSessionRow id, const NewSession& session) {
  HLOSCOPE_ASSIGN(const std::string hlo, deflated(session.hlo_text));
  HLOSCOPE_ASSIGN(const std::string recorded, deflated(recorded_json(session.recorded)));
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
    INSERT INTO tune_inputs (session_id, hlo, recorded) VALUES (?1, ?2, ?3))sql"));
  return insert.run(id, Blob{hlo}, Blob{recorded});
}

Result<TuneSessionRow> insert_session(Connection& connection, const NewSession& session,
                                      std::string_view name) {
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(fmt::format(R"sql(
    INSERT INTO tune_sessions (name, program, file_path, program_hash, settings, status, created,
                               updated)
    VALUES (?1, ?2, ?3, ?4, ?5, 'queued', {0}, {0}))sql",
                                                                   kNow)));
  HLOSCOPE_TRY(insert.run(name, session.program, session.file_path, session.program_hash,
                          tune::settings_json(session.settings)));
  return TuneSessionRow{connection.last_insert_row()};
}

}  // namespace

Result<TuneSessionRow> TuneSessions::create(const NewSession& session) {
  HLOSCOPE_TRY(database_->writable());
  HLOSCOPE_TRY(tune::check_settings(session.settings));
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  std::string name = session.name;
  if (name.empty()) {
    HLOSCOPE_ASSIGN(name, free_name(connection, default_name(session)));
  } else {
    HLOSCOPE_TRY(check_name(connection, name));
  }
  HLOSCOPE_ASSIGN(const TuneSessionRow id, insert_session(connection, session, name));
  HLOSCOPE_TRY(insert_inputs(connection, id, session));
  HLOSCOPE_TRY(transaction.commit());
  return id;
}

Result<SessionInfo> TuneSessions::get(TuneSessionRow id) const {
  HLOSCOPE_ASSIGN(Statement select,
                  database_->connection().prepare(select_sessions("WHERE id = ?1")));
  select.bind(id);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return unknown_session(id);
  return read_session(select);
}

Result<SessionInfo> TuneSessions::find(std::string_view text) const {
  if (is_number(text)) {
    TuneSessionRow id;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), id.value);
    if (code == std::errc()) return get(id);
  }
  HLOSCOPE_ASSIGN(Statement select,
                  database_->connection().prepare(select_sessions("WHERE name = ?1")));
  select.bind(text);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (found) return read_session(select);
  constexpr Page kSome{20, 0};
  HLOSCOPE_ASSIGN(const std::vector<SessionInfo> known, list(kSome));
  std::vector<std::string> names;
  for (const SessionInfo& info : known) names.push_back("'" + info.name + "'");
  return fail(ErrorCode::kNotFound, fmt::format("there is no tuning session '{}'", text),
              names.empty() ? std::string("the database holds none")
                            : fmt::format("the newest are {}", fmt::join(names, ", ")));
}

Result<std::vector<SessionInfo>> TuneSessions::list(const Page& page) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(
                                        select_sessions("ORDER BY id DESC LIMIT ?1 OFFSET ?2")));
  select.bind(page.count, page.skip);
  std::vector<SessionInfo> out;
  while (true) {
    HLOSCOPE_ASSIGN(const bool has_row, select.step());
    if (!has_row) return out;
    Result<SessionInfo> info = read_columns(select);
    out.push_back(info ? std::move(*info) : damaged_session(select, info.error()));
  }
}

Result<std::string> TuneSessions::hlo_text(TuneSessionRow id) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(
                                        "SELECT hlo FROM tune_inputs WHERE session_id = ?1"));
  select.bind(id);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return without_inputs(database_->connection(), id);
  return inflated(select.blob(0));
}

Result<tune::Recorded> TuneSessions::recorded(TuneSessionRow id) const {
  HLOSCOPE_ASSIGN(Statement select, database_->connection().prepare(
                                        "SELECT recorded FROM tune_inputs WHERE session_id = ?1"));
  select.bind(id);
  HLOSCOPE_ASSIGN(const bool found, select.step());
  if (!found) return without_inputs(database_->connection(), id);
  HLOSCOPE_ASSIGN(const std::string text, inflated(select.blob(0)));
  return parse_recorded(text);
}

Status TuneSessions::rename(TuneSessionRow id, std::string_view name) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const SessionInfo info, get(id));
  if (info.name == name) return {};
  HLOSCOPE_TRY(check_name(connection, name));
  HLOSCOPE_ASSIGN(Statement update,
                  connection.prepare("UPDATE tune_sessions SET name = ?2 WHERE id = ?1"));
  HLOSCOPE_TRY(update.run(id, name));
  return transaction.commit();
}

Result<TuneSessionRow> TuneSessions::duplicate(TuneSessionRow id) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const SessionInfo info, get(id));
  HLOSCOPE_ASSIGN(const std::string name, free_name(connection, info.name));
  NewSession session;
  session.program = info.program;
  session.file_path = info.file_path;
  session.program_hash = info.program_hash;
  session.settings = info.settings;
  HLOSCOPE_ASSIGN(const TuneSessionRow copy, insert_session(connection, session, name));
  HLOSCOPE_ASSIGN(Statement insert, connection.prepare(R"sql(
    INSERT INTO tune_inputs (session_id, hlo, recorded)
    SELECT ?2, hlo, recorded FROM tune_inputs WHERE session_id = ?1)sql"));
  HLOSCOPE_TRY(insert.run(id, copy));
  HLOSCOPE_TRY(transaction.commit());
  return copy;
}

Status TuneSessions::remove(TuneSessionRow id) {
  HLOSCOPE_TRY(database_->writable());
  Connection& connection = database_->connection();
  HLOSCOPE_ASSIGN(Transaction transaction, Transaction::begin(connection));
  HLOSCOPE_ASSIGN(const SessionHolder holder, holder_of(connection, id));
  if (holder.status == SessionStatus::kRunning) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("tuning session {} runs ({})", id.value, holder.owner),
                "pause or stop it first");
  }
  HLOSCOPE_ASSIGN(Statement erase, connection.prepare("DELETE FROM tune_sessions WHERE id = ?1"));
  HLOSCOPE_TRY(erase.run(id));
  return transaction.commit();
}

}  // namespace hloscope::db
