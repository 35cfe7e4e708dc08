#include "db/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/base/write_file.h"
#include "db/file_probe.h"

namespace hloscope::db {
namespace {

/// SQLite would take a log that lies beside the file for one of the new file.
Status check_target(const std::filesystem::path& target) {
  std::error_code ignored;
  const auto status = std::filesystem::status(target, ignored);
  if (std::filesystem::is_directory(status)) {
    Error error = cannot_write(target, EISDIR);
    error.code = ErrorCode::kInvalidInput;
    return fail(std::move(error));
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{} is no regular file", target.string()),
                "name another file to write to");
  }
  std::filesystem::path journal = target;
  journal += "-journal";
  if (!has_log_file(target) && !std::filesystem::exists(journal, ignored)) return {};
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("{} is open in another program, or was left so by a crash", target.string()),
      "close it there, or name another file to write to");
}

int to_disk(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int error = fsync(file) == 0 ? 0 : errno;
  close(file);
  return error;
}

}  // namespace

Result<NewFile> NewFile::begin(const std::filesystem::path& target) {
  HLOSCOPE_TRY(check_target(target));
  std::error_code is_absent;
  // What a symbolic link leads to is replaced, not the link.
  std::filesystem::path real = std::filesystem::canonical(target, is_absent);
  if (is_absent) real = target;
  std::string name = temporary_beside(real.string());
  const int file = mkstemp(name.data());
  if (file < 0) return fail(cannot_write(target, errno));
  NewFile made(real, name);
  const int error = fchmod(file, new_file_mode()) == 0 ? 0 : errno;
  close(file);
  if (error != 0) return fail(cannot_write(target, error));
  return made;
}

NewFile::NewFile(NewFile&& other) noexcept
    : target_(std::move(other.target_)), path_(std::exchange(other.path_, {})) {}

NewFile::~NewFile() {
  if (path_.empty()) return;
  // SQLite leaves its own files where a disk is full.
  for (const char* part : {"", "-journal", "-wal", "-shm"}) {
    std::filesystem::path file = path_;
    file += part;
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
  }
}

Error NewFile::named(Error error) const {
  if (error.file == path_.string()) error.file = target_.string();
  return error;
}

Status NewFile::commit() {
  HLOSCOPE_TRY(check_target(target_));
  if (const int error = to_disk(path_); error != 0) return fail(cannot_write(target_, error));
  if (rename(path_.c_str(), target_.c_str()) != 0) return fail(cannot_write(target_, errno));
  path_.clear();
  return {};
}

}  // namespace hloscope::db
