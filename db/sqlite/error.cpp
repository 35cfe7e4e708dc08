#include "db/sqlite/error.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>
#include <system_error>

#include "core/base/write_file.h"

namespace hloscope::db {
namespace {

std::string system_reason(sqlite3* handle) {
  const int number = handle != nullptr ? sqlite3_system_errno(handle) : 0;
  return number != 0 ? fmt::format(" ({})", std::strerror(number)) : std::string();
}

Error make(ErrorCode code, std::string message, const std::filesystem::path& path,
           std::string hint = {}) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.file = path.string();
  error.hint = std::move(hint);
  return error;
}

// SQLite opens a file for reading when it may not be written: the error that it tells then is that
// there is no such file.
Error cannot_open(sqlite3* handle, const std::filesystem::path& path) {
  std::error_code ignored;
  const bool is_there = std::filesystem::is_regular_file(path, ignored);
  if (const int obstacle = is_there ? 0 : write_obstacle(path.string()); obstacle != 0) {
    return cannot_write(path.string(), obstacle);
  }
  return make(ErrorCode::kIo, "can't open the file" + system_reason(handle), path,
              "check that it may be read, and its folder be written");
}

}  // namespace

Error damaged_error(std::string what, const std::filesystem::path& path) {
  return make(ErrorCode::kInvalidInput, "the results file is damaged: " + std::move(what), path,
              fmt::format("it was left as it is; move it away to start with a new one, and try "
                          "`sqlite3 {} .recover` to save what is in it",
                          path.string()));
}

Error sqlite_error(int code, sqlite3* handle, const std::filesystem::path& path) {
  const char* text = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return make(ErrorCode::kIo, "the results file is locked by another program", path,
                  "wait until it has finished, or close it");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return damaged_error(text, path);
    case SQLITE_READONLY:
      return make(ErrorCode::kReadOnly, "the results file can't be written", path,
                  "choose another file, or change its permissions");
    case SQLITE_FULL:
      return make(ErrorCode::kIo, "the disk is full; nothing was stored", path,
                  "free some space, or choose a file on another disk");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return cannot_open(handle, path);
    case SQLITE_IOERR:
      return make(ErrorCode::kIo,
                  "the system refused to read or write the results file" + system_reason(handle),
                  path, "check the disk and its free space");
    default:
      return make(ErrorCode::kInternal, fmt::format("SQLite: {} (code {})", text, code), path);
  }
}

}  // namespace hloscope::db
