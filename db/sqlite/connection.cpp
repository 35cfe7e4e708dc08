#include "db/sqlite/connection.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cctype>
#include <system_error>

#include "db/sqlite/error.h"

namespace hloscope::db {
namespace {

/// A file: URI of an absolute path. Percent-escaped, since names may hold '?', '#' and '%'.
std::string file_uri(const std::filesystem::path& path, std::string_view query) {
  std::string uri = "file://";
  // Left as it is where there is no current folder any more: SQLite then says what is wrong.
  std::error_code code;
  const std::filesystem::path absolute = std::filesystem::absolute(path, code);
  for (const char c : (code ? path : absolute).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '/' || c == '.' || c == '_' || c == '-') {
      uri += c;
    } else {
      uri += fmt::format("%{:02x}", byte);
    }
  }
  return uri.append(query);
}

int flags(Access access) {
  constexpr int kCommon = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (access) {
    case Access::kCreate:
      return kCommon | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Access::kWrite:
      return kCommon | SQLITE_OPEN_READWRITE;
    case Access::kImmutable:
      break;
  }
  return kCommon | SQLITE_OPEN_READONLY;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const std::filesystem::path& path,
                                                     Access access,
                                                     std::chrono::milliseconds busy_timeout) {
  const std::string uri = file_uri(path, access == Access::kImmutable ? "?immutable=1" : "");
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(uri.c_str(), &handle, flags(access), nullptr);
  std::unique_ptr<Connection> connection(new Connection(handle, path));
  if (code != SQLITE_OK) return fail(connection->error(code));
  sqlite3_busy_timeout(handle, static_cast<int>(busy_timeout.count()));
  // A file from elsewhere may hold views and triggers; they must not run anything with effects.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return connection;
}

Connection::~Connection() {
  for (auto& [sql, statements] : idle_) {
    for (sqlite3_stmt* statement : statements) sqlite3_finalize(statement);
  }
  sqlite3_close_v2(handle_);
}

Result<Statement> Connection::prepare(std::string_view sql) {
  if (const auto found = idle_.find(std::string(sql)); found != idle_.end()) {
    if (!found->second.empty()) {
      sqlite3_stmt* statement = found->second.back();
      found->second.pop_back();
      return Statement(*this, statement);
    }
  }
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return fail(error(code));
  return Statement(*this, statement);
}

void Connection::take_back(sqlite3_stmt* statement) {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  idle_[sqlite3_sql(statement)].push_back(statement);
}

Status Connection::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(error(code));
  return {};
}

Result<int64_t> Connection::integer(std::string_view sql) {
  HLOSCOPE_ASSIGN(Statement statement, prepare(sql));
  HLOSCOPE_ASSIGN(const bool has_row, statement.step());
  if (!has_row) return fail(ErrorCode::kInternal, fmt::format("no row from: {}", sql));
  return statement.integer(0);
}

Result<std::string> Connection::text(std::string_view sql) {
  HLOSCOPE_ASSIGN(Statement statement, prepare(sql));
  HLOSCOPE_ASSIGN(const bool has_row, statement.step());
  if (!has_row) return fail(ErrorCode::kInternal, fmt::format("no row from: {}", sql));
  return std::string(statement.text(0));
}

int64_t Connection::last_insert_row() const {
  return sqlite3_last_insert_rowid(handle_);
}

int64_t Connection::changes() const {
  return sqlite3_changes64(handle_);
}

int64_t Connection::all_changes() const {
  return sqlite3_total_changes64(handle_);
}

bool Connection::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

bool Connection::is_read_only() const {
  return sqlite3_db_readonly(handle_, "main") != 0;
}

bool Connection::is_denied() const {
  const int code = sqlite3_errcode(handle_) & 0xff;
  return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

bool Connection::lacks_room() const {
  const int code = sqlite3_errcode(handle_) & 0xff;
  return code == SQLITE_FULL || code == SQLITE_IOERR;
}

bool Connection::has_moved() const {
  int moved = 0;
  sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

Result<std::string> Connection::raw_bytes(size_t count) const {
  sqlite3_file* file = nullptr;
  int code = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return fail(error(code));
  std::string bytes(count, '\0');
  code = file->pMethods->xRead(file, bytes.data(), static_cast<int>(count), 0);
  // A short read is filled with zeros; the caller knows the size.
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return fail(error(code));
  return bytes;
}

void Connection::leave_log_on_close() {
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

Error Connection::error(int code) const {
  return sqlite_error(code, handle_, path_);
}

Result<Transaction> Transaction::begin(Connection& connection) {
  const bool is_nested = connection.in_transaction();
  HLOSCOPE_TRY(connection.execute(is_nested ? "SAVEPOINT nested" : "BEGIN IMMEDIATE"));
  return Transaction(connection, is_nested);
}

Transaction::~Transaction() {
  // After some errors (a full disk) SQLite has rolled back already.
  if (connection_ == nullptr || !connection_->in_transaction()) return;
  const auto ignored =
      connection_->execute(is_nested_ ? "ROLLBACK TO nested; RELEASE nested" : "ROLLBACK");
  static_cast<void>(ignored);
}

Status Transaction::commit() {
  HLOSCOPE_TRY(connection_->execute(is_nested_ ? "RELEASE nested" : "COMMIT"));
  connection_ = nullptr;
  return {};
}

}  // namespace hloscope::db
