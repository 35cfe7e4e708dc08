#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "db/database.h"

namespace hloscope::db {

/// A database that stays open, and is opened again when another file has taken its place: what is
/// read from and written to the old one is in neither. Used by one thread at a time.
class KeptDatabase {
 public:
  /// Those who only look do not wait long for a program that holds the file locked.
  static constexpr std::chrono::milliseconds kLookTimeout{1000};

  explicit KeptDatabase(std::filesystem::path path,
                        std::chrono::milliseconds busy_timeout = Database::kBusyTimeout)
      : path_(std::move(path)), busy_timeout_(busy_timeout) {}

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The file that lies there now; null where there is none. Errors: those of Database::open().
  [[nodiscard]] Result<Database*> open();
  /// The same, but made where it is absent.
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
  void leave_replaced();

  std::filesystem::path path_;
  std::chrono::milliseconds busy_timeout_;
  std::optional<Database> database_;
  int generation_ = 0;
};

}  // namespace hloscope::db
