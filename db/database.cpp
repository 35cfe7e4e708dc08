#include "db/database.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>
#include <utility>

#include "core/base/write_file.h"
#include "db/file_probe.h"
#include "db/migrations/migrations.h"
#include "db/sqlite/connection.h"
#include "db/sqlite/error.h"

namespace hloscope::db {
namespace {

Status make_folder_of(const std::filesystem::path& path) {
  const auto folder = path.parent_path();
  if (folder.empty()) return {};
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  std::error_code ignored;
  if (!code || std::filesystem::is_directory(folder, ignored)) return {};
  return fail(cannot_write(path.string(), code.value()));
}

Error absent_error(const std::filesystem::path& path, std::string message) {
  Error error;
  error.code = ErrorCode::kNotFound;
  error.message = std::move(message);
  error.file = path.string();
  error.hint = "results are stored when a program is opened in hloscope, or with --db";
  return error;
}

/// Is it whole? What its values mean is judged where they are read, so that one bad row hides no
/// other; SQLite itself would look at them only over connections that may write.
Status check_content(Connection& connection, const std::filesystem::path& path) {
  HLOSCOPE_TRY(connection.execute("PRAGMA ignore_check_constraints = ON"));
  const auto verdict = connection.text("PRAGMA quick_check(1)");
  HLOSCOPE_TRY(connection.execute("PRAGMA ignore_check_constraints = OFF"));
  if (!verdict) return fail(verdict.error());
  if (*verdict != "ok") return fail(damaged_error(*verdict, path));
  return {};
}

/// A file that is not in use is checked without a lock, so that nothing is made beside it.
Status check_unused(const std::filesystem::path& path) {
  HLOSCOPE_ASSIGN(const auto connection,
                  Connection::open(path, Access::kImmutable, std::chrono::milliseconds(0)));
  HLOSCOPE_TRY(check_content(*connection, path));
  // SQLite takes missing bytes of the last page for zeros.
  HLOSCOPE_ASSIGN(const int64_t page_size, connection->integer("PRAGMA page_size"));
  std::error_code ignored;
  if (std::filesystem::file_size(path, ignored) % static_cast<uintmax_t>(page_size) == 0) return {};
  return fail(damaged_error("its last page is cut off", path));
}

/// Opens a file that has passed probe_file(), and checks that its content is whole.
Result<std::unique_ptr<Connection>> open_existing(const std::filesystem::path& path,
                                                  const FileProbe& probe,
                                                  std::chrono::milliseconds busy_timeout) {
  bool is_whole = false;
  if (!probe.is_in_use) {
    const Status unused = check_unused(path);
    // Unless somebody began to write meanwhile, and the check saw half a change.
    if (!unused && !has_log_file(path)) return fail(unused.error());
    is_whole = unused.has_value();
  }
  HLOSCOPE_ASSIGN(auto connection, Connection::open(path, Access::kWrite, busy_timeout));
  const Status checked =
      is_whole ? connection->execute("PRAGMA schema_version") : check_content(*connection, path);
  if (checked) return connection;
  if (probe.has_log) connection->leave_log_on_close();
  // A file in a folder that may not be written can be read only as long as nobody writes it.
  const bool may_read_as_it_is = connection->is_read_only() && !probe.has_log;
  if (!may_read_as_it_is || !connection->is_denied()) return fail(checked.error());
  return Connection::open(path, Access::kImmutable, busy_timeout);
}

// Indices of hashes are written all over the place: with the 2 MB that SQLite takes by itself,
// large imports spend their time reading pages again. The size is in KiB, negative by definition.
constexpr const char* kSettings =
    "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536";

Status configure(Connection& connection, bool is_writable) {
  HLOSCOPE_TRY(connection.execute(kSettings));
  if (!is_writable) return connection.execute("PRAGMA query_only = ON");
  HLOSCOPE_TRY(migrate(connection));
  // A file stays in this mode for good, so it does no harm when another program is in the way now.
  const auto mode = connection.text("PRAGMA journal_mode = WAL");
  if (!mode && mode.error().code != ErrorCode::kIo) return fail(mode.error());
  return {};
}

/// What is left of a file that could not be made.
void remove_empty(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::file_size(path, code) > 0 || code) return;
  for (const char* part : {"", "-journal", "-wal", "-shm"}) {
    std::filesystem::remove(path.string() + part, code);
  }
}

}  // namespace

std::filesystem::path default_path() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value != nullptr ? value : "");
  };
  // A relative XDG_DATA_HOME is to be ignored (XDG Base Directory Specification).
  std::filesystem::path data = variable("XDG_DATA_HOME");
  if (!data.is_absolute()) data = variable("HOME") / ".local" / "share";
  return data / "hloscope" / "results.hloscope";
}

Database::Database(std::filesystem::path path, std::unique_ptr<Connection> connection)
    : path_(std::move(path)), connection_(std::move(connection)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::filesystem::path& path, OpenMode mode,
                                std::chrono::milliseconds busy_timeout) {
  HLOSCOPE_ASSIGN(const FileProbe probe, probe_file(path));
  if (!probe.exists || probe.is_empty) {
    if (mode == OpenMode::kReadWrite) return create(path, busy_timeout);
    return fail(absent_error(
        path, probe.exists ? "the results file is empty" : "there is no results file yet"));
  }
  return open_checked(path, probe, mode, busy_timeout);
}

Result<Database> Database::create(const std::filesystem::path& path,
                                  std::chrono::milliseconds busy_timeout) {
  HLOSCOPE_TRY(make_folder_of(path));
  HLOSCOPE_ASSIGN(auto connection, Connection::open(path, Access::kCreate, busy_timeout));
  const Status configured = configure(*connection, true);
  if (configured) return Database(path, std::move(connection));
  const bool lacks_room = connection->lacks_room();
  connection.reset();
  if (lacks_room) remove_empty(path);
  return fail(configured.error());
}

Result<Database> Database::open_checked(const std::filesystem::path& path, const FileProbe& probe,
                                        OpenMode mode, std::chrono::milliseconds busy_timeout) {
  HLOSCOPE_ASSIGN(auto connection, open_existing(path, probe, busy_timeout));
  // Asked again: the write-ahead log may be ahead of the file's header.
  HLOSCOPE_ASSIGN(const int64_t version, connection->integer("PRAGMA user_version"));
  if (version > kSchemaVersion && probe.has_log) connection->leave_log_on_close();
  Database database(path, std::move(connection));
  HLOSCOPE_TRY(database.settle(mode, version));
  return database;
}

Status Database::settle(OpenMode mode, int64_t version) {
  const bool is_newer = version > kSchemaVersion;
  read_only_ = mode == OpenMode::kReadOnly || is_newer || connection_->is_read_only();
  if (is_newer) {
    notice_ = fmt::format(
        "{} was made by a newer version of hloscope (schema {}, this one writes {}): it is opened "
        "read-only and nothing is stored",
        path_.string(), version, kSchemaVersion);
  } else if (read_only_ && mode == OpenMode::kReadWrite) {
    notice_ = fmt::format("{} may not be written: it is opened read-only and nothing is stored",
                          path_.string());
  }
  // Where it may be written, one that is only to be read is brought up to date as well: otherwise
  // nothing could be looked at after an update until something is stored.
  const bool may_migrate = !is_newer && !connection_->is_read_only();
  if (version < kSchemaVersion && may_migrate) {
    HLOSCOPE_TRY(migrate(*connection_));
  } else if (version < kSchemaVersion) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{} was made by an older version of hloscope (schema {})",
                            path_.string(), version),
                "open it once where it may be written, which brings it up to date");
  }
  return configure(*connection_, !read_only_);
}

bool Database::is_replaced() const {
  return connection_->has_moved();
}

Status Database::empty_log() {
  return connection_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

Status Database::writable() const {
  if (!read_only_) return {};
  return fail(ErrorCode::kReadOnly,
              notice_.empty() ? path_.string() + " is opened read-only" : notice_);
}

}  // namespace hloscope::db
