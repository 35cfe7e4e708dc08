#pragma once

#include <filesystem>
#include <optional>

#include "db/tuning.h"

namespace hloscope::ui {

/// A results file that stays open, and is opened again when another file has taken its place. Used
/// by one thread at a time.
class SessionFile {
 public:
  explicit SessionFile(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The file that lies there now; null where there is none. Errors: those of db::Database::open().
  [[nodiscard]] Result<db::Database*> open();
  /// The same, but made where it is absent.
  [[nodiscard]] Result<db::Database*> make();
  /// Another number for every other file: what was read under a smaller one is of a file that is
  /// not there any more.
  [[nodiscard]] int generation() const { return generation_; }
  /// As if another file had taken its place.
  void leave();

 private:
  void leaveReplaced();

  std::filesystem::path path_;
  std::optional<db::Database> database_;
  int generation_ = 0;
};

}  // namespace hloscope::ui
