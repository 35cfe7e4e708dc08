#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace hloscope {

/// A file written beside the one whose place it is to take; gone again without commit().
class StagedFile {
 public:
  /// The file at `path`, if there is one, is a regular one that may be written. Error: kIo.
  [[nodiscard]] static Result<StagedFile> write(const std::string& path, std::string_view bytes);
  ~StagedFile();
  StagedFile(StagedFile&& other) noexcept;
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;
  StagedFile& operator=(StagedFile&&) = delete;

  /// Takes the place of the old file. Error: kIo, with the old one as it was.
  [[nodiscard]] Status commit();

 private:
  StagedFile(std::string path, std::string temporary)
      : path_(std::move(path)), temporary_(std::move(temporary)) {}

  std::string path_;
  std::string temporary_;  // Empty: not ours any more.
};

/// All bytes to an open file, which is closed; the error number, or 0.
[[nodiscard]] int write_all(int file, std::string_view bytes, bool to_disk);

struct NewContent {
  std::string path;
  std::string bytes;
};
/// Replaces files that belong together: all are written beside the old ones first, then take their
/// places in the given order. What fails on the way leaves all old files as they were; only a kill
/// between the renames leaves some new and some old. Of a symbolic link what it leads to is
/// replaced. Errors: kIo.
[[nodiscard]] Status replace_files(std::span<const NewContent> files);

/// Whether write_file() could write to `path` now: for before long work. Error: kIo.
[[nodiscard]] Status check_writable(const std::string& path);

}  // namespace hloscope
