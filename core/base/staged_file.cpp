#include "core/base/staged_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/write_file.h"

namespace hloscope {

int write_all(int file, std::string_view bytes, bool to_disk) {
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
    } else if (count == 0) {
      error = ENOSPC;
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error == 0 && to_disk && fsync(file) != 0) error = errno;
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

Result<StagedFile> StagedFile::write(const std::string& path, std::string_view bytes) {
  struct stat old {};
  const bool exists = stat(path.c_str(), &old) == 0;
  if (exists && access(path.c_str(), W_OK) != 0) return fail(cannot_write(path, errno));
  std::string temporary = temporary_beside(path);
  const int file = mkstemp(temporary.data());
  if (file < 0) return fail(cannot_write(path, errno));
  StagedFile out(path, std::move(temporary));
  int error = fchmod(file, exists ? old.st_mode & 07777 : new_file_mode()) == 0 ? 0 : errno;
  if (const int written = write_all(file, bytes, true); error == 0) error = written;
  if (error != 0) return fail(cannot_write(path, error));
  return out;
}

StagedFile::~StagedFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}

Status StagedFile::commit() {
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return fail(cannot_write(path_, errno));
  temporary_.clear();
  return {};
}

Status replace_files(std::span<const NewContent> files) {
  std::vector<StagedFile> staged;
  for (const NewContent& file : files) {
    std::error_code error;
    const std::string path = std::filesystem::weakly_canonical(file.path, error).string();
    if (error) return fail(cannot_write(file.path, error.value()));
    HLOSCOPE_ASSIGN(StagedFile one, StagedFile::write(path, file.bytes));
    staged.push_back(std::move(one));
  }
  for (StagedFile& one : staged) HLOSCOPE_TRY(one.commit());
  return {};
}

Status check_writable(const std::string& path) {
  struct stat old {};
  const bool in_place = lstat(path.c_str(), &old) == 0 && !S_ISREG(old.st_mode);
  if (!in_place) {
    HLOSCOPE_ASSIGN([[maybe_unused]] const StagedFile dropped, StagedFile::write(path, ""));
    return {};
  }
  if (stat(path.c_str(), &old) == 0 && S_ISDIR(old.st_mode)) {
    return fail(cannot_write(path, EISDIR));
  }
  if (access(path.c_str(), W_OK) != 0 && errno != ENOENT) return fail(cannot_write(path, errno));
  return {};
}

}  // namespace hloscope
