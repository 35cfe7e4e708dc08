#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace hloscope::db {

/// A database that is written in full before it takes the place of `target`: until then it lies
/// beside it under another name. What fails or is killed on the way leaves `target` as it was.
class NewFile {
 public:
  /// Makes an empty file beside `target`. Errors: kIo; kInvalidInput when `target` is there and no
  /// regular file, and when it is open in another program (a log of changes lies beside it).
  [[nodiscard]] static Result<NewFile> begin(const std::filesystem::path& target);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();  ///< Removes what was not committed.

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// An error in writing it is one of the target: nobody knows the other name.
  [[nodiscard]] Error named(Error error) const;
  /// To be called when the database is closed.
  [[nodiscard]] Status commit();

 private:
  NewFile(std::filesystem::path target, std::filesystem::path path)
      : target_(std::move(target)), path_(std::move(path)) {}

  std::filesystem::path target_;
  std::filesystem::path path_;  ///< Empty: nothing to remove.
};

}  // namespace hloscope::db
