#include "core/base/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace hloscope {

namespace {

// All bytes to an open file, which is closed; the error number, or 0.
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

Status write_in_place(const std::string& path, std::string_view bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return fail(cannot_write(path, errno));
  if (const int error = write_all(file, bytes, false); error != 0) {
    return fail(cannot_write(path, error));
  }
  return {};
}

}  // namespace

Error cannot_write(const std::string& path, int system_error) {
  Error error;
  error.code = ErrorCode::kIo;
  error.message = "cannot write " + path + ": " + std::strerror(system_error);
  error.hint = "is there such a folder, may you write to it, is there room?";
  return error;
}

mode_t new_file_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

std::string temporary_beside(const std::string& path) {
  const std::filesystem::path at(path);
  return (at.parent_path() / ("." + at.filename().string() + ".XXXXXX")).string();
}

Status write_file(const std::string& path, std::string_view bytes) {
  struct stat old {};
  const bool exists = lstat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return write_in_place(path, bytes);
  if (exists && access(path.c_str(), W_OK) != 0) return fail(cannot_write(path, errno));
  std::string temporary = temporary_beside(path);
  const int file = mkstemp(temporary.data());
  if (file < 0) return fail(cannot_write(path, errno));
  int error = fchmod(file, exists ? old.st_mode & 07777 : new_file_mode()) == 0 ? 0 : errno;
  if (const int written = write_all(file, bytes, true); error == 0) error = written;
  if (error == 0 && rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return {};
  unlink(temporary.c_str());
  return fail(cannot_write(path, error));
}

Status check_output(const std::string& output, std::span<const std::string> inputs) {
  for (const std::string& input : inputs) {
    std::error_code not_there;
    if (input.empty() || !std::filesystem::equivalent(output, input, not_there) || not_there) {
      continue;
    }
    return fail(ErrorCode::kInvalidInput, output + " is an input: it would be lost",
                "name another file to write to");
  }
  return {};
}

Status check_new(const std::string& output, bool may_replace) {
  if (output.empty()) {
    return fail(ErrorCode::kInvalidInput, "the name of the output is empty",
                "name what is to be written");
  }
  std::error_code code;
  const auto type = std::filesystem::status(output, code).type();
  if (type == std::filesystem::file_type::not_found) return {};
  if (type != std::filesystem::file_type::none && may_replace) return {};
  if (type == std::filesystem::file_type::none) return fail(cannot_write(output, code.value()));
  return fail(ErrorCode::kInvalidInput, output + " is there already",
              "give another name, or --force to replace it");
}

}  // namespace hloscope
