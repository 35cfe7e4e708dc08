#include "core/base/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace hloscope {

namespace {

constexpr size_t kFirstPipeStep = size_t{1} << 16;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

Error about(const std::string& path, ErrorCode code, std::string message, std::string hint = {}) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  error.file = path;
  error.hint = std::move(hint);
  return error;
}

Error system_error(const std::string& path) {
  return about(path, errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, std::strerror(errno));
}

Error too_large(const std::string& path, size_t max_bytes) {
  return about(path, ErrorCode::kUnsupported,
               fmt::format("files of more than {} MB are not read here", max_bytes >> 20));
}

// Appends until the end; one byte more than `max_bytes` is an error.
Result<std::string> read_to_end(int number, size_t expected, const std::string& path,
                                size_t max_bytes) {
  std::string bytes;
  bytes.resize(expected);
  size_t used = 0;
  for (;;) {
    const ssize_t count = read(number, bytes.data() + used, bytes.size() - used);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(system_error(path));
    if (count == 0) break;
    used += static_cast<size_t>(count);
    if (used > max_bytes) return fail(too_large(path, max_bytes));
    if (used == bytes.size()) bytes.resize(std::min(2 * used, max_bytes + 1));
  }
  bytes.resize(used);
  return bytes;
}

}  // namespace

Result<std::string> read_file_bytes(const std::string& path, size_t max_bytes) {
  // The system would open what the name says up to there.
  if (path.find('\0') != std::string::npos) {
    errno = ENOENT;
    return fail(system_error(path));
  }
  // Without O_NONBLOCK a named pipe waits for a writer, perhaps for ever.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) return fail(system_error(path));
  if (S_ISREG(status.st_mode)) {
    const auto size = static_cast<size_t>(status.st_size);
    if (size > max_bytes) return fail(too_large(path, max_bytes));
    // One more, so that the read that finds the end needs no larger buffer. Files of /proc say 0.
    return read_to_end(file.number(), std::max(size + 1, size_t{1} << 12), path, max_bytes);
  }
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return fail(system_error(path));
  }
  if (!S_ISFIFO(status.st_mode)) {
    return fail(about(path, ErrorCode::kUnsupported, "this is a device or socket, not a file"));
  }
  if (fcntl(file.number(), F_SETFL, O_RDONLY) != 0) return fail(system_error(path));
  HLOSCOPE_ASSIGN(std::string bytes, read_to_end(file.number(), kFirstPipeStep, path, max_bytes));
  if (!bytes.empty()) return bytes;
  return fail(about(path, ErrorCode::kInvalidInput, "nothing was written to this pipe",
                    "start its writer first"));
}

}  // namespace hloscope
