#include "db/sqlite/statement.h"

#include <sqlite3.h>

#include <charconv>

#include "db/sqlite/connection.h"

namespace hloscope::db {

Statement::~Statement() {
  if (handle_ != nullptr) connection_->take_back(handle_);
}

Result<bool> Statement::step() {
  if (error_ != SQLITE_OK) return fail(connection_->error(error_));
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fail(connection_->error(code));
}

void Statement::reset() {
  sqlite3_reset(handle_);
  error_ = SQLITE_OK;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(handle_, column);
}

std::string_view Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(handle_, column))};
}

std::string_view Statement::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle_, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(handle_, column))};
}

Hash128 Statement::hash(int column) const {
  const std::string_view digits = text(column);
  Hash128 hash;
  if (digits.size() != 32) return hash;
  std::from_chars(digits.data(), digits.data() + 16, hash.high, 16);
  std::from_chars(digits.data() + 16, digits.data() + 32, hash.low, 16);
  return hash;
}

void Statement::set(int index, std::nullptr_t) {
  note(sqlite3_bind_null(handle_, index));
}

void Statement::set(int index, int64_t value) {
  note(sqlite3_bind_int64(handle_, index, value));
}

void Statement::set(int index, double value) {
  note(sqlite3_bind_double(handle_, index, value));
}

void Statement::set(int index, std::string_view value) {
  // An empty view may have no address, which SQLite would store as NULL.
  const char* bytes = value.data() != nullptr ? value.data() : "";
  note(sqlite3_bind_text64(handle_, index, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::set(int index, Blob value) {
  const char* bytes = value.bytes.data() != nullptr ? value.bytes.data() : "";
  note(sqlite3_bind_blob64(handle_, index, bytes, value.bytes.size(), SQLITE_TRANSIENT));
}

}  // namespace hloscope::db
