#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace hloscope::db {

class Connection;
struct FileProbe;

enum class OpenMode {
  kReadWrite,  ///< Creates the file and its folder when absent.
  kReadOnly,   ///< kNotFound when absent.
};

/// `$XDG_DATA_HOME/hloscope/results.hloscope`; without XDG_DATA_HOME below `~/.local/share`.
[[nodiscard]] std::filesystem::path default_path();

/// One open results file. Used by one thread at a time; any number may be open on one file, in one
/// or several processes: readers never wait, writers wait for each other up to the busy timeout.
class Database {
 public:
  static constexpr std::chrono::milliseconds kBusyTimeout{5000};

  /// Opens, and brings an older file to this version's schema. A file made by a newer version, or
  /// one that may not be written, opens read-only and says so in notice(). Errors: kInvalidInput
  /// for a file that is no database, is another program's or is damaged (it is left as it was, byte
  /// for byte, and nothing is created beside it); kNotFound; kIo when the system refuses or another
  /// program holds the file locked.
  [[nodiscard]] static Result<Database> open(const std::filesystem::path& path,
                                             OpenMode mode = OpenMode::kReadWrite,
                                             std::chrono::milliseconds busy_timeout = kBusyTimeout);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] bool read_only() const { return read_only_; }
  /// A sentence to show to the user; empty when there is nothing to say.
  [[nodiscard]] const std::string& notice() const { return notice_; }
  /// kReadOnly when nothing can be written.
  [[nodiscard]] Status writable() const;

  /// Another file lies at path() now, or none: what is read and written here is in neither.
  [[nodiscard]] bool is_replaced() const;
  /// Moves the write-ahead log into the file that was opened and empties it. The log is found by
  /// its name: left as it is, it would be taken for that of a file that is put in the place of this
  /// one, and mix the two. Errors: kIo while somebody reads.
  [[nodiscard]] Status empty_log();

  /// For the repositories of this folder.
  [[nodiscard]] Connection& connection() const { return *connection_; }

 private:
  Database(std::filesystem::path path, std::unique_ptr<Connection> connection);
  static Result<Database> create(const std::filesystem::path& path,
                                 std::chrono::milliseconds busy_timeout);
  static Result<Database> open_checked(const std::filesystem::path& path, const FileProbe& probe,
                                       OpenMode mode, std::chrono::milliseconds busy_timeout);
  Status settle(OpenMode mode, int64_t schema_version);

  std::filesystem::path path_;
  std::unique_ptr<Connection> connection_;
  bool read_only_ = false;
  std::string notice_;
};

}  // namespace hloscope::db
