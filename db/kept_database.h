#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "core/base/file_stamp.h"
#include "db/database.h"

namespace hloscope::db {

/// A database that stays open, and is opened again when another file has taken its place or other
/// content was copied over it: what is read from and written to the old one is in neither. Used by
/// one thread at a time.
class KeptDatabase {
 public:
  /// Those who only look do not wait long for a program that holds the file locked.
  static constexpr std::chrono::milliseconds kLookTimeout{1000};

  explicit KeptDatabase(std::filesystem::path path,
                        std::chrono::milliseconds busy_timeout = Database::kBusyTimeout,
                        OpenMode mode = OpenMode::kReadWrite)
      : path_(std::move(path)), busy_timeout_(busy_timeout), mode_(mode) {}

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The file that lies there now; null where there is none. Errors: those of Database::open().
  [[nodiscard]] Result<Database*> open();
  /// The same, but made where it is absent (kNotFound with OpenMode::kReadOnly).
  [[nodiscard]] Result<Database*> make();
  /// Another number for every other file: what was read under a smaller one is of a file that is
  /// not there any more.
  [[nodiscard]] int generation() const { return generation_; }
  /// As if another file had taken its place.
  void leave();
  /// Database::empty_log() after a change: what stands in the log would be taken for that of a file
  /// put in the place of this one. Where a reader is in the way, the next time does it.
  void empty_log();

 private:
  /// How the file was at the last look: tells what SQLite has written from what was copied over it.
  struct Look {
    std::optional<FileStamp> file;
    bool has_log = false;
    int64_t data_version = 0;  ///< Another one when another connection has written.
    int64_t own_changes = 0;
    bool is_whole = false;  ///< False: could not be looked at.
  };
  void leave_replaced();
  [[nodiscard]] Look look() const;
  [[nodiscard]] bool is_overwritten(const Look& now) const;

  std::filesystem::path path_;
  std::chrono::milliseconds busy_timeout_;
  OpenMode mode_;
  std::optional<Database> database_;
  Look seen_;
  int generation_ = 0;
};

}  // namespace hloscope::db
