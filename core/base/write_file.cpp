#include "core/base/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/base/staged_file.h"

namespace hloscope {

namespace {

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
  if (lstat(path.c_str(), &old) == 0 && !S_ISREG(old.st_mode)) return write_in_place(path, bytes);
  HLOSCOPE_ASSIGN(StagedFile file, StagedFile::write(path, bytes));
  return file.commit();
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
