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

std::filesystem::path folder_of(const std::filesystem::path& path) {
  const auto folder = path.parent_path();
  return folder.empty() ? "." : folder;
}

/// The first part of a path, from the left, that is absent or no folder.
std::string first_wrong_folder(const std::filesystem::path& path) {
  std::filesystem::path at;
  std::error_code ignored;
  for (const auto& part : folder_of(path)) {
    at /= part;
    if (!std::filesystem::is_directory(at, ignored)) return at.string();
  }
  return folder_of(path).string();
}

/// The deepest folder on the way to `path` that there is.
std::string existing_folder(const std::filesystem::path& path) {
  std::filesystem::path folder = folder_of(path);
  std::error_code ignored;
  while (!std::filesystem::is_directory(folder, ignored)) folder = folder_of(folder);
  return folder.string();
}

struct Reason {
  std::string what;
  std::string what_to_do;
};

Reason no_permission(const std::string& path) {
  struct stat old {};
  if (stat(path.c_str(), &old) == 0) {
    return {"the file may not be written", "change its permissions, or name another file"};
  }
  return {"you may not write in the folder " + existing_folder(path),
          "choose another folder, or change its permissions"};
}

Reason reason_of(const std::string& path, int system_error) {
  switch (system_error) {
    case ENOENT:
      return {"there is no folder " + first_wrong_folder(path), "make it, or name another file"};
    case ENOTDIR:
      return {first_wrong_folder(path) + " is no folder", "name a file in a folder that there is"};
    case EISDIR:
      return {"it is a folder", "name a file in it"};
    case EACCES:
    case EPERM:
      return no_permission(path);
    case EROFS:
      return {"nothing may be written in the folder " + existing_folder(path),
              "choose another folder"};
    case ENOSPC:
    case EDQUOT:
      return {"the disk is full", "free some space, or choose a folder on another disk"};
    default:
      return {{}, "choose another folder, or look at the disk"};
  }
}

}  // namespace

Error cannot_write(const std::string& path, int system_error) {
  const Reason reason = reason_of(path, system_error);
  const std::string text = std::strerror(system_error);
  Error error;
  error.code = ErrorCode::kIo;
  error.message = "cannot write " + path + ": ";
  error.message += reason.what.empty() ? text : reason.what + " (" + text + ")";
  error.hint = reason.what_to_do;
  return error;
}

int write_obstacle(const std::string& path) {
  struct stat old {};
  if (stat(path.c_str(), &old) == 0 && S_ISDIR(old.st_mode)) return EISDIR;
  std::string name = temporary_beside(path);
  const int file = mkstemp(name.data());
  if (file < 0) return errno;
  close(file);
  unlink(name.c_str());
  return 0;
}

Status make_folder(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return {};
  const int error = code ? code.value() : ENOTDIR;
  return fail(cannot_write((std::filesystem::path(path) / "").string(), error));
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

Status check_new_file(const std::string& output, bool may_replace) {
  std::error_code ignored;
  if (std::filesystem::is_directory(output, ignored)) return fail(cannot_write(output, EISDIR));
  return check_new(output, may_replace);
}

}  // namespace hloscope
